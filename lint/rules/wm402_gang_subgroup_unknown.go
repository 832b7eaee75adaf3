package rules

import (
	"fmt"

	"github.com/workloadmap/wm/lint"
)

func gangSubgroupUnknown() lint.Rule {
	return lint.Rule{
		ID: "WM402", Name: "gang-subgroup-unknown", Severity: lint.Error,
		Summary: "A subgroup of the gang is not a component.",
		Check: func(d *lint.Definition, report lint.Report) {
			group := gangs(d).PodGroup
			names, known := componentNames(d)
			if group == nil || !known {
				return
			}
			for i, sub := range group.SubGroups {
				if sub.ComponentName == "" || isIn(sub.ComponentName, names) {
					continue
				}
				report(d.Mark(gangScheduling("podGroup", "subGroups", i, "componentName")),
					fmt.Sprintf("the subgroup `%s` is not a component", sub.ComponentName), didYouMean(sub.ComponentName, names))
			}
		},
	}
}
