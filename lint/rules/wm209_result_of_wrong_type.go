package rules

import (
	"github.com/workloadmap/wm/lint"
	"github.com/workloadmap/wm/schema/types"
)

func resultOfWrongType() lint.Rule {
	return lint.Rule{
		ID: "WM209", Name: "result-of-wrong-type", Severity: lint.Error,
		Summary: "An expression gives something that its field of the definition cannot use.",
		Check:   reportTypes(types.FaultWrongResult),
	}
}
