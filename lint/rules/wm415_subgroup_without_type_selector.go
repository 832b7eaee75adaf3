package rules

import (
	"fmt"
	"slices"

	"github.com/workloadmap/wm/lint"
)

func subgroupWithoutTypeSelector() lint.Rule {
	return lint.Rule{
		ID: "WM415", Name: "subgroup-without-type-selector", Severity: lint.Warning,
		Summary: "The KAI scheduler finds no pod of a subgroup.",
		Check: func(d *lint.Definition, report lint.Report) {
			family, ok := familyOf(d)
			group := gangs(d).PodGroup
			if !ok || group == nil {
				return
			}
			typed := make([]bool, len(d.Components))
			for _, at := range slices.Backward(family.below(0)) {
				typed[at] = typed[at] || isTyped(d.Components[at])
				if owner := family.owner[at]; owner >= 0 {
					typed[owner] = typed[owner] || typed[at]
				}
			}
			for i, sub := range group.SubGroups {
				at, known := family.byName[sub.ComponentName]
				if known && !typed[at] {
					report(d.Mark(gangScheduling("podGroup", "subGroups", i, "componentName")),
						fmt.Sprintf("no type selector tells the pods of `%s`, so the KAI scheduler leaves this subgroup empty", sub.ComponentName),
						"add `podSelector.componentTypeSelector` to the component or to those below it; KAI does not look at instance selectors here")
				}
			}
		},
	}
}
