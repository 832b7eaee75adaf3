package rules

import (
	"github.com/workloadmap/wm/jq"
	"github.com/workloadmap/wm/lint"
)

func jqUnknownName() lint.Rule {
	return lint.Rule{
		ID: "WM202", Name: "jq-unknown-name", Severity: lint.Error,
		Summary: "An expression uses a function or variable that does not exist.",
		Check: func(d *lint.Definition, report lint.Report) {
			reportFaults(d, report, func(kind jq.Kind) bool { return kind == jq.Name })
		},
	}
}
