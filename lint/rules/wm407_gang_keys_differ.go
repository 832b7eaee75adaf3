package rules

import (
	"fmt"

	"github.com/workloadmap/wm/lint"
)

// gangKeysDiffer looks at the number of keys alone: keys are compared by value,
// and two members may read the same value from different labels.
func gangKeysDiffer() lint.Rule {
	return lint.Rule{
		ID: "WM407", Name: "gang-keys-differ", Severity: lint.Warning,
		Summary: "Two members of a pod group have different numbers of keys and so never share a gang.",
		Check: func(d *lint.Definition, report lint.Report) {
			if !isReadable(d) {
				return
			}
			for g, group := range gangs(d).PodGroups {
				for i, member := range group.Members {
					first := group.Members[0]
					if len(member.GroupByKeyPaths) == len(first.GroupByKeyPaths) || member.ComponentName == "" || first.ComponentName == "" {
						continue
					}
					report(d.Mark(gangScheduling("podGroups", g, "members", i, "componentName")),
						fmt.Sprintf("`%s` has %s and `%s` has %s, so their pods are never in one gang",
							member.ComponentName, keysInWords(len(member.GroupByKeyPaths)), first.ComponentName, keysInWords(len(first.GroupByKeyPaths))),
						"give all members the same `groupByKeyPaths`, or make two pod groups")
				}
			}
		},
	}
}

func keysInWords(n int) string {
	switch n {
	case 0:
		return "no key"
	case 1:
		return "one key"
	default:
		return fmt.Sprintf("%d keys", n)
	}
}
