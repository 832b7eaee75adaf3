package rules

import (
	"github.com/workloadmap/wm/lint"
	"github.com/workloadmap/wm/schema/types"
)

func suspendValueOfWrongType() lint.Rule {
	return lint.Rule{
		ID: "WM212", Name: "suspend-value-of-wrong-type", Severity: lint.Error,
		Summary: "A suspend or resume action writes a value that its place cannot hold.",
		Check:   reportTypes(types.FaultSuspendValue),
	}
}
