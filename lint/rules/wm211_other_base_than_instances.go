package rules

import (
	"github.com/workloadmap/wm/lint"
	"github.com/workloadmap/wm/schema/types"
)

func otherBaseThanInstances() lint.Rule {
	return lint.Rule{
		ID: "WM211", Name: "other-base-than-instances", Severity: lint.Error,
		Summary: "Instances and their data are read from different lists.",
		Check:   reportTypes(types.FaultOtherBase),
	}
}
