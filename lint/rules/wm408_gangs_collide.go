package rules

import (
	"fmt"

	"github.com/workloadmap/wm/lint"
)

// gangsCollide looks at pod groups without keys alone: the same key may have
// different values for the pods of two groups.
func gangsCollide() lint.Rule {
	return lint.Rule{
		ID: "WM408", Name: "gangs-collide", Severity: lint.Warning,
		Summary: "Two pod groups have no keys, and the KAI scheduler makes one gang of them.",
		Check: func(d *lint.Definition, report lint.Report) {
			if gangs(d).PodGroup != nil || !isReadable(d) {
				return
			}
			first := ""
			for g, group := range gangs(d).PodGroups {
				for m, member := range group.Members {
					if len(member.GroupByKeyPaths) > 0 || member.ComponentName == "" {
						continue
					}
					if first != "" && first != group.Name {
						report(d.Mark(gangScheduling("podGroups", g, "members", m, "componentName")),
							fmt.Sprintf("the KAI scheduler names gangs by their keys alone, so without keys the pods of `%s` come into the gang of the pod group `%s`",
								member.ComponentName, first),
							"add a key that tells the two pod groups apart, such as the label of the role")
					}
					if first == "" {
						first = group.Name
					}
					break
				}
			}
		},
	}
}
