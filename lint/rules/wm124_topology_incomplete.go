package rules

import (
	"github.com/workloadmap/wm/api/v1alpha1"
	"github.com/workloadmap/wm/lint"
)

// topologyIncomplete leaves missing fields and an empty name to the schema rule.
func topologyIncomplete() lint.Rule {
	return lint.Rule{
		ID: "WM124", Name: "topology-incomplete", Severity: lint.Error,
		Summary: "A topology names no level.",
		Check: func(d *lint.Definition, report lint.Report) {
			group := gangs(d).PodGroup
			if group == nil {
				return
			}
			check := func(t *v1alpha1.TopologyConstraint, below ...any) {
				path := gangScheduling(below...)
				at := func(field string) []any { return append(path[:len(path):len(path)], field) }
				if t != nil && isEmptyText(d, at("preferredTopologyLevel")) && isEmptyText(d, at("requiredTopologyLevel")) {
					report(d.Key(path), "this topology names neither a preferred nor a required level",
						"write a node label in `requiredTopologyLevel` or `preferredTopologyLevel`; the other may stay empty")
				}
			}
			check(group.Topology, "podGroup", "topology")
			for i, sub := range group.SubGroups {
				check(sub.Topology, "podGroup", "subGroups", i, "topology")
			}
		},
	}
}

func isEmptyText(d *lint.Definition, path []any) bool {
	node := d.Node(path)
	return node.Tag() == "!!str" && node.Text() == ""
}
