package resolver

import (
	"fmt"

	"github.com/workloadmap/wm/api/v1alpha1"
)

// Gang is a set of pods that must be placed together.
type Gang struct {
	// Name is the pod group's name in the definition.
	Name string `json:"name"`
	// Key tells the gangs of one pod group apart, one element for each
	// groupByKeyPath; null where only a pod can tell the value.
	Key []*string `json:"key"`
	// MinMember is the least number of pods that this gang needs, the sum over
	// its members; null when one of them is unknown.
	MinMember *int64 `json:"minMember"`
	// Members are the roles that have pods in this gang, or are going to have
	// some, in the definition's order.
	Members []GangMember `json:"members"`
	// Topology is null unless the definition asks for one.
	Topology *v1alpha1.TopologyConstraint `json:"topology"`
	// Pods names the gang's current pods; empty when no pods were given.
	Pods []string `json:"pods"`
}

// GangMember is the part of a gang that one instance of a role stands for.
type GangMember struct {
	Component string `json:"component"`
	Instance  string `json:"instance"`
	// Min is the least number of this role's pods in this one gang; null when unknown.
	Min      *int64                       `json:"min"`
	Topology *v1alpha1.TopologyConstraint `json:"topology,omitempty"`
}

// gangs are the compiled gang instructions of a definition, in either form.
type gangs struct {
	groups []podGroup
	// whole is the newer form: one gang for the workload. It wins over groups,
	// as it does in the KAI scheduler.
	whole *v1alpha1.PodGroupStructure
}

type podGroup struct {
	name    string
	members []*groupMember
}

type groupMember struct {
	group     string
	component *component
	keys      []*expression
	filters   []*expression
}

func (c *compiler) gangs(definition *v1alpha1.WorkloadMap, byName map[string]*component) gangs {
	hints := definition.Spec.OptimizationInstructions
	if hints == nil || hints.GangScheduling == nil {
		return gangs{}
	}
	compiled := gangs{whole: hints.GangScheduling.PodGroup.DeepCopy()}
	for g, group := range hints.GangScheduling.PodGroups {
		own := podGroup{name: group.Name}
		for m, member := range group.Members {
			named := byName[member.ComponentName]
			if named == nil {
				c.fault(member.ComponentName, "pod group %q has a member of that name, but no such component exists", group.Name)
				continue
			}
			field := fmt.Sprintf("podGroups[%d].members[%d]", g, m)
			compiledMember := &groupMember{group: group.Name, component: named}
			for i, key := range member.GroupByKeyPaths {
				compiledMember.keys = append(compiledMember.keys, c.podExpression(named.name, fmt.Sprintf("%s.groupByKeyPaths[%d]", field, i), key))
			}
			for i, filter := range member.Filters {
				compiledMember.filters = append(compiledMember.filters, c.expression(named.name, fmt.Sprintf("%s.filters[%d]", field, i), filter))
			}
			own.members = append(own.members, compiledMember)
		}
		compiled.groups = append(compiled.groups, own)
	}
	if compiled.whole != nil {
		for _, sub := range compiled.whole.SubGroups {
			if byName[sub.ComponentName] == nil {
				c.fault(sub.ComponentName, "pod group %q has a subgroup of that name, but no such component exists", compiled.whole.Name)
			}
		}
	}
	return compiled
}

// candidates lists the members that may take a component's pods, the one that
// names it directly first, then those that name its owners, nearest first. A
// pod joins the first whose filters it passes, so nothing follows one without
// filters.
func (g *gangs) candidates(c *component) []*groupMember {
	var all []*groupMember
	for at := c; at != nil; at = at.parent {
		for _, group := range g.groups {
			for _, member := range group.members {
				if member.component != at {
					continue
				}
				all = append(all, member)
				if len(member.filters) == 0 {
					return all
				}
			}
		}
	}
	return all
}
