package rules

import "github.com/workloadmap/wm/lint"

func childStatus() lint.Rule {
	return lint.Rule{
		ID: "WM122", Name: "child-status", Severity: lint.Warning,
		Summary: "A child component has a status definition, which nothing reads.",
		Check: func(d *lint.Definition, report lint.Report) {
			for _, c := range d.Components {
				if !c.Root && c.StatusDefinition != nil && d.IsObject(c.At("statusDefinition")) {
					report(d.Key(c.At("statusDefinition")), "the `statusDefinition` of "+c.String()+" is read by nothing",
						"the phase of a workload is that of its root component: move the mappings there or remove them")
				}
			}
		},
	}
}
