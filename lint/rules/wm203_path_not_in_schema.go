package rules

import (
	"github.com/workloadmap/wm/lint"
	"github.com/workloadmap/wm/schema/types"
)

func pathNotInSchema() lint.Rule {
	return lint.Rule{
		ID: "WM203", Name: "path-not-in-schema", Severity: lint.Error,
		Summary: "A path leads to a field that the schema of the object does not have.",
		Check:   reportTypes(types.FaultNoSuchField),
	}
}
