package rules

import (
	"fmt"

	"github.com/workloadmap/wm/lint"
)

func conditionFieldUnnamed() lint.Rule {
	return lint.Rule{
		ID: "WM308", Name: "condition-field-unnamed", Severity: lint.Warning,
		Summary: "Matchers ask for a part of conditions whose field name is empty.",
		Check: func(d *lint.Definition, report lint.Report) {
			reported := map[string]bool{}
			for _, m := range matchers(d) {
				if m.component.StatusDefinition.ConditionsDefinition == nil {
					continue
				}
				for _, condition := range m.ByConditions {
					for _, part := range [...]struct{ field, name, asked string }{
						{"typeFieldName", "type", condition.Type}, {"statusFieldName", "status", condition.Status}, {"reasonFieldName", "reason", condition.Reason},
					} {
						at := m.status("conditionsDefinition", part.field)
						if id := fmt.Sprint(at...); part.asked != "" && !reported[id] {
							reported[id] = true
							if isEmptyText(d, at) {
								report(d.Mark(at), "matchers ask for the "+part.name+" of conditions, and `"+part.field+"` is empty",
									"write `"+part.field+": "+part.name+"`, or leave it out")
							}
						}
					}
				}
			}
		},
	}
}
