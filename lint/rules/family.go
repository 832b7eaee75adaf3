package rules

import (
	"slices"

	"github.com/workloadmap/wm/lint"
)

// family is the hierarchy of a definition's components, by their indexes in
// lint.Definition.Components.
type family struct {
	byName map[string]int
	// owner is the index of each component's owner, -1 of the root.
	owner    []int
	children [][]int
}

// familyOf is false when the hierarchy has a mistake that has a rule of its own:
// parts that cannot be read, names that are missing or not unique, owners that
// are not there, circles.
func familyOf(d *lint.Definition) (*family, bool) {
	if _, known := componentNames(d); !known || !isReadable(d) {
		return nil, false
	}
	f := &family{byName: map[string]int{}, children: make([][]int, len(d.Components))}
	for i, c := range d.Components {
		if _, taken := f.byName[c.Name]; taken {
			return nil, false
		}
		f.byName[c.Name] = i
	}
	for i, c := range d.Components {
		owner := -1
		if !c.Root {
			if c.OwnerRef == nil {
				return nil, false
			}
			at, known := f.byName[*c.OwnerRef]
			if !known {
				return nil, false
			}
			owner = at
			f.children[at] = append(f.children[at], i)
		}
		f.owner = append(f.owner, owner)
	}
	reached := f.below(0)
	return f, len(reached) == len(d.Components)
}

// below lists a component and everything that it owns, owners first.
func (f *family) below(i int) []int {
	list := []int{i}
	for at := 0; at < len(list); at++ {
		list = append(list, f.children[list[at]]...)
	}
	return list
}

// member is a member of a pod group and its place.
type member struct {
	group, index int
	name         string
	// component is its index in the definition.
	component int
	keys      []string
}

func (m member) at(below ...any) []any {
	return gangScheduling(slices.Concat([]any{"podGroups", m.group, "members", m.index}, below)...)
}

// members lists the members of the pod groups whose component is known.
func members(d *lint.Definition, f *family) []member {
	var list []member
	for g, group := range gangs(d).PodGroups {
		for i, m := range group.Members {
			at, known := f.byName[m.ComponentName]
			if !known {
				continue
			}
			list = append(list, member{group: g, index: i, name: m.ComponentName, component: at, keys: m.GroupByKeyPaths})
		}
	}
	return list
}

// isTyped reports whether a component says by a type selector which pods are its own.
func isTyped(c lint.Component) bool {
	if c.PodSelector == nil || c.PodSelector.ComponentTypeSelector == nil {
		return false
	}
	s := c.PodSelector.ComponentTypeSelector
	return s.KeyPath != nil || len(s.MatchLabels) > 0
}

// hasScale reports whether a component states its own number of replicas, other
// than the constant 1, which multiplies nothing.
func hasScale(c lint.Component) bool {
	s := c.ScaleDefinition
	stated := func(path *string) bool { return path != nil && *path != "" && *path != "1" }
	return s != nil && (stated(s.ReplicasPath) || stated(s.MinReplicasPath))
}

// isReadable reports whether all of the spec could be read. Rules that compare
// parts with each other wait until it can: what is missing may only be misspelt.
func isReadable(d *lint.Definition) bool {
	for _, v := range d.Violations {
		if len(v.Path) > 0 && v.Path[0] == "spec" {
			return false
		}
	}
	return true
}
