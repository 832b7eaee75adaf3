package rules

import (
	"fmt"

	"github.com/workloadmap/wm/lint"
)

// podsWithoutSelector leaves alone the only component with pods, which has all
// pods of the workload, and components with instances, whose missing selector
// has a rule of its own.
func podsWithoutSelector() lint.Rule {
	return lint.Rule{
		ID: "WM404", Name: "pods-without-selector", Severity: lint.Warning,
		Summary: "Several components have pods, and one of them does not say which are its own.",
		Check: func(d *lint.Definition, report lint.Report) {
			var bearing []lint.Component
			for _, c := range d.Components {
				if c.BearsPods() {
					bearing = append(bearing, c)
				}
			}
			if len(bearing) < 2 {
				return
			}
			for _, c := range bearing {
				if c.InstanceIDPath == nil && d.Lacks(c.At("podSelector", "componentTypeSelector")) &&
					d.Lacks(c.At("podSelector", "componentInstanceSelector")) {
					report(d.Place(c), fmt.Sprintf("no pod can be told to belong to %s, one of %d components with pods", c, len(bearing)),
						"add `podSelector.componentTypeSelector`")
				}
			}
		},
	}
}
