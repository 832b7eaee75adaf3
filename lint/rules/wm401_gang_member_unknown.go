package rules

import (
	"fmt"

	"github.com/workloadmap/wm/lint"
)

func gangMemberUnknown() lint.Rule {
	return lint.Rule{
		ID: "WM401", Name: "gang-member-unknown", Severity: lint.Error,
		Summary: "A member of a gang is not a component.",
		Check: func(d *lint.Definition, report lint.Report) {
			names, known := componentNames(d)
			if !known {
				return
			}
			for g, group := range gangs(d).PodGroups {
				for m, member := range group.Members {
					if member.ComponentName == "" || isIn(member.ComponentName, names) {
						continue
					}
					report(d.Mark(gangScheduling("podGroups", g, "members", m, "componentName")),
						fmt.Sprintf("the gang member `%s` is not a component", member.ComponentName), didYouMean(member.ComponentName, names))
				}
			}
		},
	}
}
