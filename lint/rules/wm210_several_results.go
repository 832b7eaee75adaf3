package rules

import (
	"github.com/workloadmap/wm/lint"
	"github.com/workloadmap/wm/schema/types"
)

func severalResults() lint.Rule {
	return lint.Rule{
		ID: "WM210", Name: "several-results", Severity: lint.Error,
		Summary: "An expression gives many results for a component without instances.",
		Check:   reportTypes(types.FaultSeveralResults),
	}
}
