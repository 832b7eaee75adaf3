package review

import (
	"reflect"
	"slices"
	"strings"

	"github.com/workloadmap/wm/api/v1alpha1"
)

// gangs compares the gangs, in the form that counts.
func (c *comparison) gangs() {
	old, now := gangsOf(c.before), gangsOf(c.after)
	c.gangNames(old, now)
	for _, was := range old.PodGroups {
		for _, is := range now.PodGroups {
			if is.Name == was.Name {
				c.podGroup(was, is)
			}
		}
	}
	c.wholeGang(old.PodGroup, now.PodGroup)
}

// gangsOf is empty, never nil.
func gangsOf(definition *v1alpha1.WorkloadMap) v1alpha1.GangSchedulingInstruction {
	hints := definition.Spec.OptimizationInstructions
	if hints == nil || hints.GangScheduling == nil {
		return v1alpha1.GangSchedulingInstruction{}
	}
	return *hints.GangScheduling
}

// gangNames are the names that gangs of workloads have: the newer form wins.
func gangNames(gangs v1alpha1.GangSchedulingInstruction) []string {
	if gangs.PodGroup != nil {
		return []string{gangs.PodGroup.Name}
	}
	var names []string
	for _, group := range gangs.PodGroups {
		names = append(names, group.Name)
	}
	return names
}

func (c *comparison) gangNames(old, now v1alpha1.GangSchedulingInstruction) {
	before, after := gangNames(old), gangNames(now)
	gone := slices.DeleteFunc(slices.Clone(before), func(name string) bool { return slices.Contains(after, name) })
	won := slices.DeleteFunc(slices.Clone(after), func(name string) bool { return slices.Contains(before, name) })
	if len(gone) == 1 && len(won) == 1 {
		c.breaking(GangGone, gone[0], won[0], "the gang %s is gone, the gang %s is new", gone[0], won[0])
		return
	}
	for _, name := range gone {
		c.breaking(GangGone, "", "", "the gang %s is gone: its pods are scheduled one by one", name)
	}
	for _, name := range won {
		c.say("", "", "the gang %s is new", name)
	}
}

func (c *comparison) podGroup(old, now v1alpha1.PodGroup) {
	for _, was := range old.Members {
		name := c.nowCalled(was.ComponentName)
		at := slices.IndexFunc(now.Members, func(m v1alpha1.PodGroupMember) bool { return m.ComponentName == name })
		if at < 0 {
			c.say("", "", "pods of %s are no longer in the gang %s", name, now.Name)
			continue
		}
		c.member(now.Name, was, now.Members[at])
	}
	for _, is := range now.Members {
		kept := slices.ContainsFunc(old.Members, func(was v1alpha1.PodGroupMember) bool {
			return c.nowCalled(was.ComponentName) == is.ComponentName
		})
		if !kept {
			c.say("", "", "pods of %s are in the gang %s too", is.ComponentName, now.Name)
		}
	}
}

func (c *comparison) member(gang string, old, now v1alpha1.PodGroupMember) {
	if !slices.Equal(old.GroupByKeyPaths, now.GroupByKeyPaths) {
		before, after := strings.Join(old.GroupByKeyPaths, ", "), strings.Join(now.GroupByKeyPaths, ", ")
		switch {
		case len(now.GroupByKeyPaths) == 0:
			c.breaking(GangKeyChanged, before, after, "all pods of %s in a workload share one gang %s, without a key", now.ComponentName, gang)
		default:
			c.breaking(GangKeyChanged, before, after, "the gangs %s of %s pods are told apart by another key", gang, now.ComponentName)
		}
	}
	if !slices.Equal(old.Filters, now.Filters) {
		before, after := strings.Join(old.Filters, " and "), strings.Join(now.Filters, " and ")
		switch {
		case len(now.Filters) == 0:
			c.say(before, after, "all pods of %s are in the gang %s, none is filtered out", now.ComponentName, gang)
		case len(old.Filters) == 0:
			c.say(before, after, "which pods of %s are in the gang %s is told by a filter, no longer all are", now.ComponentName, gang)
		default:
			c.say(before, after, "which pods of %s are in the gang %s is told by another filter", now.ComponentName, gang)
		}
	}
}

func (c *comparison) wholeGang(old, now *v1alpha1.PodGroupStructure) {
	if old == nil || now == nil {
		return
	}
	c.topology("the gang "+now.Name, old.Topology, now.Topology)
	for _, was := range old.SubGroups {
		name := c.nowCalled(was.ComponentName)
		at := slices.IndexFunc(now.SubGroups, func(s v1alpha1.SubGroup) bool { return s.ComponentName == name })
		if at < 0 {
			c.say("", "", "%s is no longer a subgroup of the gang %s", name, now.Name)
			continue
		}
		c.topology("the subgroup "+name+" of the gang "+now.Name, was.Topology, now.SubGroups[at].Topology)
	}
	for _, is := range now.SubGroups {
		kept := slices.ContainsFunc(old.SubGroups, func(was v1alpha1.SubGroup) bool {
			return c.nowCalled(was.ComponentName) == is.ComponentName
		})
		if !kept {
			c.say("", "", "%s is a subgroup of the gang %s", is.ComponentName, now.Name)
		}
	}
}

func (c *comparison) topology(what string, old, now *v1alpha1.TopologyConstraint) {
	if !reflect.DeepEqual(old, now) {
		c.say(topologyText(old), topologyText(now), "%s is kept together in another way", what)
	}
}

func topologyText(t *v1alpha1.TopologyConstraint) string {
	if t == nil {
		return "anywhere"
	}
	text := "in " + t.TopologyName
	if t.RequiredTopologyLevel != "" {
		text += ", within one " + t.RequiredTopologyLevel
	}
	if t.PreferredTopologyLevel != "" {
		text += ", if possible within one " + t.PreferredTopologyLevel
	}
	return text
}
