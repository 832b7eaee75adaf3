package rules

import (
	"fmt"

	"github.com/workloadmap/wm/lint"
)

func typeSelectorValueWithoutKey() lint.Rule {
	return lint.Rule{
		ID: "WM108", Name: "type-selector-value-without-key", Severity: lint.Error,
		Summary: "A component type selector has a value but no keyPath to compare it with.",
		Check: func(d *lint.Definition, report lint.Report) {
			for _, c := range d.Components {
				value := c.At("podSelector", "componentTypeSelector", "value")
				if d.Node(value).Exists() && d.Lacks(c.At("podSelector", "componentTypeSelector", "keyPath")) {
					report(d.Key(value), fmt.Sprintf("the type selector of %s compares its value with nothing", c),
						"add `keyPath`, whose result is compared with `value`; labels are compared by `matchLabels`")
				}
			}
		},
	}
}
