package rules

import (
	"fmt"

	"github.com/workloadmap/wm/lint"
)

func gangEntryRepeated() lint.Rule {
	return lint.Rule{
		ID: "WM405", Name: "gang-entry-repeated", Severity: lint.Error,
		Summary: "A pod group, member or subgroup is there twice.",
		Check: func(d *lint.Definition, report lint.Report) {
			const help = "the API server takes each only once; remove or rename one of them"
			once := func(seen map[string]bool, name, message string, path []any) {
				if name != "" && seen[name] {
					report(d.Mark(path), fmt.Sprintf(message, name), help)
				}
				seen[name] = true
			}
			groups := map[string]bool{}
			for g, group := range gangs(d).PodGroups {
				once(groups, group.Name, "the pod group `%s` is there already", gangScheduling("podGroups", g, "name"))
				members := map[string]bool{}
				for m, member := range group.Members {
					once(members, member.ComponentName, "`%s` is a member of this pod group already",
						gangScheduling("podGroups", g, "members", m, "componentName"))
				}
			}
			if group := gangs(d).PodGroup; group != nil {
				subGroups := map[string]bool{}
				for i, sub := range group.SubGroups {
					once(subGroups, sub.ComponentName, "`%s` is a subgroup already", gangScheduling("podGroup", "subGroups", i, "componentName"))
				}
			}
		},
	}
}
