package rules

import (
	"github.com/workloadmap/wm/jq"
	"github.com/workloadmap/wm/lint"
)

// jqNotAllowed takes every reason for which an expression does not compile and
// that no other rule takes, so that none goes unreported.
func jqNotAllowed() lint.Rule {
	return lint.Rule{
		ID: "WM204", Name: "jq-not-allowed", Severity: lint.Error,
		Summary: "An expression is valid jq that definitions must not use.",
		Check: func(d *lint.Definition, report lint.Report) {
			reportFaults(d, report, func(kind jq.Kind) bool { return kind != jq.Syntax && kind != jq.Name })
		},
	}
}
