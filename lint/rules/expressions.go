package rules

import (
	"github.com/workloadmap/wm/jq"
	"github.com/workloadmap/wm/lint"
)

// reportFaults reports the expressions that do not compile for a reason that the
// rule is about, at the characters inside the expression.
func reportFaults(d *lint.Definition, report lint.Report, about func(jq.Kind) bool) {
	for _, e := range d.Expressions {
		if e.Fault != nil && about(e.Fault.Kind) {
			report(e.Node.TextRange(e.Fault.Start, e.Fault.End), e.Fault.Message, e.Fault.Help)
		}
	}
}
