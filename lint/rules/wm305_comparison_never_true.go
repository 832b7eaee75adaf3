package rules

import (
	"github.com/workloadmap/wm/lint"
	"github.com/workloadmap/wm/schema/types"
)

func comparisonNeverTrue() lint.Rule {
	return lint.Rule{
		ID: "WM305", Name: "comparison-never-true", Severity: lint.Error,
		Summary: "A comparison is with a value that the schema never allows there.",
		Check:   reportTypes(types.FaultNeverEqual),
	}
}
