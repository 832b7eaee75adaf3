package rules

import "github.com/workloadmap/wm/lint"

func childSuspend() lint.Rule {
	return lint.Rule{
		ID: "WM123", Name: "child-suspend", Severity: lint.Info,
		Summary: "A child component has a suspend definition, which not every tool runs.",
		Check: func(d *lint.Definition, report lint.Report) {
			for _, c := range d.Components {
				if !c.Root && c.SuspendDefinition != nil && d.IsObject(c.At("suspendDefinition")) {
					report(d.Key(c.At("suspendDefinition")), "tools that suspend the root component alone pass over the `suspendDefinition` of "+c.String(),
						"the paths lead into the root's object anyway: move the actions to the root component")
				}
			}
		},
	}
}
