package rules

import (
	"fmt"

	"github.com/workloadmap/wm/lint"
)

func podsInNoGang() lint.Rule {
	return lint.Rule{
		ID: "WM414", Name: "pods-in-no-gang", Severity: lint.Info,
		Summary: "A component has pods, and they are in none of the gangs.",
		Check: func(d *lint.Definition, report lint.Report) {
			family, ok := familyOf(d)
			if !ok {
				return
			}
			named := map[int]bool{}
			g := gangs(d)
			for _, m := range members(d, family) {
				named[m.component] = true
			}
			if g.PodGroup != nil {
				named = map[int]bool{}
				for _, sub := range g.PodGroup.SubGroups {
					if at, known := family.byName[sub.ComponentName]; known {
						named[at] = true
					}
				}
			}
			if len(named) == 0 {
				return
			}
			for _, at := range family.below(0) {
				named[at] = named[at] || named[family.owner[at]]
			}
			for i, c := range d.Components {
				if c.BearsPods() && !named[i] {
					report(d.Place(c), fmt.Sprintf("the pods of %s are in no gang, and the KAI scheduler refuses such pods of a workload that has gangs", c),
						"make the component, or one of its owners, a member")
				}
			}
		},
	}
}
