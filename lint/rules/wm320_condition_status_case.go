package rules

import (
	"fmt"
	"slices"

	"github.com/workloadmap/wm/lint"
	"github.com/workloadmap/wm/schema/types"
)

// conditionStatusCase looks at conditions that keep their status in the field
// where Kubernetes has it, and there are three words for it. Where a schema says
// which words there are, WM306 says it better.
func conditionStatusCase() lint.Rule {
	return lint.Rule{
		ID: "WM320", Name: "condition-status-case", Severity: lint.Warning,
		Summary: "A condition's status is `True`, `False` or `Unknown`, and compared with its case.",
		Check: func(d *lint.Definition, report lint.Report) {
			for _, m := range matchers(d) {
				conditions := m.component.StatusDefinition.ConditionsDefinition
				if conditions != nil && conditions.StatusFieldName != "" && conditions.StatusFieldName != "status" {
					continue
				}
				for i, condition := range m.ByConditions {
					at := m.at("byConditions", i, "status")
					word, known := conditionStatus(condition.Status)
					if !known || word == condition.Status || neverMatches(d, at) {
						continue
					}
					report(d.Mark(at), fmt.Sprintf("the status of a condition is never `%s`", condition.Status),
						fmt.Sprintf("write %q, in quotes", word), lint.Rewrite(d.Node(at), word)...)
				}
			}
		},
	}
}

// neverMatches reports whether the type checker has something to say of a matcher.
func neverMatches(d *lint.Definition, at []any) bool {
	return slices.ContainsFunc(d.TypeFaults, func(f lint.TypeFault) bool {
		return f.Kind == types.FaultNeverMatches && slices.Equal(f.Path, at)
	})
}
