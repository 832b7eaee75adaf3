package rules

import (
	"fmt"

	"github.com/workloadmap/wm/lint"
)

// typeSelectorEmpty leaves a selector that has only a value to WM108: the keyPath
// that the value needs mends both.
func typeSelectorEmpty() lint.Rule {
	return lint.Rule{
		ID: "WM107", Name: "type-selector-empty", Severity: lint.Error,
		Summary: "A component type selector has neither keyPath nor matchLabels.",
		Check: func(d *lint.Definition, report lint.Report) {
			for _, c := range d.Components {
				selector := c.At("podSelector", "componentTypeSelector")
				below := func(field string) []any { return c.At("podSelector", "componentTypeSelector", field) }
				if d.Lacks(selector) || !d.Lacks(below("keyPath")) || !d.Lacks(below("matchLabels")) {
					continue
				}
				if d.Node(below("value")).Exists() {
					continue
				}
				report(d.Key(selector), fmt.Sprintf("the type selector of %s selects nothing", c), "give it `keyPath`, `matchLabels` or both")
			}
		},
	}
}
