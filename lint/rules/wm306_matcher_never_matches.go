package rules

import (
	"github.com/workloadmap/wm/lint"
	"github.com/workloadmap/wm/schema/types"
)

func matcherNeverMatches() lint.Rule {
	return lint.Rule{
		ID: "WM306", Name: "matcher-never-matches", Severity: lint.Error,
		Summary: "A matcher waits for a value that its path or expression never gives.",
		Check:   reportTypes(types.FaultNeverMatches, respeltStatus),
	}
}
