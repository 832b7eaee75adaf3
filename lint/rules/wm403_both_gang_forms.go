package rules

import "github.com/workloadmap/wm/lint"

func bothGangForms() lint.Rule {
	return lint.Rule{
		ID: "WM403", Name: "both-gang-forms", Severity: lint.Warning,
		Summary: "The gangs are described in both forms, of which tools read only one.",
		Check: func(d *lint.Definition, report lint.Report) {
			if g := gangs(d); g.PodGroup != nil && len(g.PodGroups) > 0 {
				report(d.Key(gangScheduling("podGroups")), "the KAI scheduler reads `podGroup` and passes over `podGroups`",
					"keep the form that says what is meant: `podGroups` has keys and filters, `podGroup` has topology")
			}
		},
	}
}
