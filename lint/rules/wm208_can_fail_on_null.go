package rules

import (
	"github.com/workloadmap/wm/lint"
	"github.com/workloadmap/wm/schema/types"
)

func canFailOnNull() lint.Rule {
	return lint.Rule{
		ID: "WM208", Name: "can-fail-on-null", Severity: lint.Error,
		Summary: "An operation fails on objects that the schema allows.",
		Check:   reportTypes(types.FaultCanFail),
	}
}
