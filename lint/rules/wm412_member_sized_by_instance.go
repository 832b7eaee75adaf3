package rules

import (
	"fmt"
	"slices"

	"github.com/workloadmap/wm/lint"
)

func memberSizedByInstance() lint.Rule {
	return lint.Rule{
		ID: "WM412", Name: "member-sized-by-instance", Severity: lint.Warning,
		Summary: "A gang holds all instances of a member, and the KAI scheduler sizes it by one of them.",
		Check: func(d *lint.Definition, report lint.Report) {
			family, ok := familyOf(d)
			if !ok {
				return
			}
			for _, m := range members(d, family) {
				c := d.Components[m.component]
				if c.InstanceIDPath == nil || !c.BearsPods() || c.PodSelector == nil || c.PodSelector.ComponentInstanceSelector == nil ||
					slices.Contains(m.keys, c.PodSelector.ComponentInstanceSelector.IDPath) {
					continue
				}
				help := "add the instance's `idPath` to the keys if each instance is a gang"
				if owner := family.owner[m.component]; owner >= 0 {
					help = fmt.Sprintf("name its owner `%s` as the member, or add the instance's `idPath` to the keys if each instance is a gang", d.Components[owner].Name)
				}
				report(d.Mark(m.at("componentName")),
					fmt.Sprintf("the gang holds all instances of `%s`, and the KAI scheduler sizes it by the instance of each pod alone", m.name), help)
			}
		},
	}
}
