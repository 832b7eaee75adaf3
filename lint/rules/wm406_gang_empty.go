package rules

import (
	"github.com/workloadmap/wm/lint"
	"github.com/workloadmap/wm/source"
)

func gangEmpty() lint.Rule {
	return lint.Rule{
		ID: "WM406", Name: "gang-empty", Severity: lint.Warning,
		Summary: "A list of pod groups or of members is empty.",
		Check: func(d *lint.Definition, report lint.Report) {
			check := func(message, help string, below ...any) {
				path := gangScheduling(below...)
				if node := d.Node(path); node.Kind() == source.Sequence && isEmptyList(node) {
					report(d.Key(path), message, help)
				}
			}
			if gangs(d).PodGroup != nil {
				// The lists are not read then, which has a rule of its own.
				return
			}
			check("there is no pod group in this list, so there are no gangs", "add a pod group or remove `gangScheduling`", "podGroups")
			for g := range gangs(d).PodGroups {
				check("no pod is ever in this pod group: it has no members", "add a member or remove the pod group", "podGroups", g, "members")
			}
		},
	}
}
