package rules

import (
	"fmt"

	"github.com/workloadmap/wm/lint"
)

func instanceSelectorWithoutPath() lint.Rule {
	return lint.Rule{
		ID: "WM110", Name: "instance-selector-without-path", Severity: lint.Error,
		Summary: "A component asks pods for their instance but has no instances.",
		Check: func(d *lint.Definition, report lint.Report) {
			for _, c := range d.Components {
				selector := c.At("podSelector", "componentInstanceSelector")
				if d.Node(selector).Exists() && d.Lacks(c.At("instanceIdPath")) {
					report(d.Key(selector), fmt.Sprintf("%s has an instance selector but no `instanceIdPath`", c),
						"add `instanceIdPath`, which yields the ids of the instances, or remove the selector")
				}
			}
		},
	}
}
