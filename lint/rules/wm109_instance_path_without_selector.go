package rules

import (
	"fmt"

	"github.com/workloadmap/wm/lint"
)

func instancePathWithoutSelector() lint.Rule {
	return lint.Rule{
		ID: "WM109", Name: "instance-path-without-selector", Severity: lint.Error,
		Summary: "A component has instances but does not say to which of them a pod belongs.",
		Check: func(d *lint.Definition, report lint.Report) {
			for _, c := range d.Components {
				if c.InstanceIDPath != nil && d.Lacks(c.At("podSelector", "componentInstanceSelector")) {
					report(d.Key(c.At("instanceIdPath")), fmt.Sprintf("%s has instances but no `componentInstanceSelector`", c),
						"add `podSelector.componentInstanceSelector.idPath`, which yields the instance of a pod")
				}
			}
		},
	}
}
