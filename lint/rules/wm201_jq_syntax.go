package rules

import (
	"github.com/workloadmap/wm/jq"
	"github.com/workloadmap/wm/lint"
)

func jqSyntax() lint.Rule {
	return lint.Rule{
		ID: "WM201", Name: "jq-syntax", Severity: lint.Error,
		Summary: "An expression is not jq.",
		Check: func(d *lint.Definition, report lint.Report) {
			reportFaults(d, report, func(kind jq.Kind) bool { return kind == jq.Syntax })
		},
	}
}
