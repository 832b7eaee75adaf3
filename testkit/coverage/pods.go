package coverage

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/workloadmap/wm/api/v1alpha1"
	"github.com/workloadmap/wm/jq"
	"github.com/workloadmap/wm/resolver"
)

// selectors adds what tells the pods of each role.
func (v *survey) selectors() {
	for _, c := range v.components {
		if c.PodSelector == nil {
			continue
		}
		add := func(field, expression, value string, claims func(context.Context, *sight, pod) bool, roles []string) {
			path := append(c.Path[:len(c.Path):len(c.Path)], "podSelector", field)
			item := at(v.node(path), Item{Kind: Selector, Where: where(c.Name, "podSelector."+field), Expression: expression, Value: value})
			v.add(item, func(ctx context.Context, s *sight) bool {
				return slices.ContainsFunc(roles, func(role string) bool {
					return slices.ContainsFunc(s.pods[role], func(p pod) bool { return claims(ctx, s, p) })
				})
			})
		}
		if by := c.PodSelector.ComponentTypeSelector; by != nil {
			key, value := typeSelectorText(by)
			add("componentTypeSelector", key, value, func(context.Context, *sight, pod) bool { return true }, []string{c.Name})
		}
		if by := c.PodSelector.ComponentInstanceSelector; by != nil {
			add("componentInstanceSelector", by.IDPath, "", v.namesInstance(c.Name, by.IDPath), v.podRoles(c.Name))
		}
		if by := c.PodSelector.ReplicaSelector; by != nil {
			add("replicaSelector", by.KeyPath, "", func(_ context.Context, _ *sight, p pod) bool { return p.unit != "" }, v.unitRoles(c.Name))
		}
	}
}

// podRoles are the roles whose pods a role's selectors speak of: itself, or all for
// a logical role.
func (v *survey) podRoles(name string) []string {
	var all []string
	for _, c := range v.components {
		if c.Name == name && c.SpecDefinition != nil {
			return []string{name}
		}
		all = append(all, c.Name)
	}
	return all
}

// namesInstance tells whether a pod is put into an instance of a role. A logical
// role has no pods of its own, but others' pods can name its instances.
func (v *survey) namesInstance(role, idPath string) func(context.Context, *sight, pod) bool {
	if roles := v.podRoles(role); len(roles) == 1 && roles[0] == role {
		return func(_ context.Context, _ *sight, p pod) bool { return p.instance != "" }
	}
	program, err := v.compile(idPath)
	if err != nil {
		return func(context.Context, *sight, pod) bool { return false }
	}
	return func(ctx context.Context, s *sight, p pod) bool {
		given := p.ask(ctx, program)
		held := s.workload.Component(role)
		return held != nil && given.err == nil && len(given.results) == 1 &&
			slices.ContainsFunc(held.Instances, func(i resolver.Instance) bool { return i.ID == given.results[0] })
	}
}

func typeSelectorText(by *v1alpha1.ComponentTypeSelector) (key, value string) {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(by.MatchLabels)) {
		parts = append(parts, name+"="+by.MatchLabels[name])
	}
	if by.Value != nil {
		parts = append(parts, *by.Value)
	}
	if by.KeyPath != nil {
		key = *by.KeyPath
	}
	return key, strings.Join(parts, ", ")
}

// unitRoles are the roles whose replica units a role's selector tells: itself and
// those below that have none nearer.
func (v *survey) unitRoles(name string) []string {
	declares := map[string]bool{}
	for _, c := range v.components {
		declares[c.Name] = c.PodSelector != nil && c.PodSelector.ReplicaSelector != nil
	}
	return slices.DeleteFunc(v.below(name), func(role string) bool {
		nearest := slices.IndexFunc(v.owners(role), func(owner string) bool { return declares[owner] })
		return v.owners(role)[nearest] != name
	})
}

// member is one member of a pod group.
type member struct {
	group, component string
	where            string
	path             []any
	filters          []*jq.Program
}

// members lists the members of all pod groups.
func (v *survey) members() []*member {
	hints := v.definition.Spec.OptimizationInstructions
	if hints == nil || hints.GangScheduling == nil {
		return nil
	}
	var all []*member
	for g, group := range hints.GangScheduling.PodGroups {
		for m, declared := range group.Members {
			made := &member{group: group.Name, component: declared.ComponentName,
				where: fmt.Sprintf("podGroups[%d].members[%d]", g, m),
				path:  []any{"spec", "optimizationInstructions", "gangScheduling", "podGroups", g, "members", m}}
			for _, text := range declared.Filters {
				// All expressions have been compiled before.
				if program, err := v.compile(text); err == nil {
					made.filters = append(made.filters, program)
				}
			}
			all = append(all, made)
		}
	}
	return all
}

// candidates are the members that may take a role's pods, in the order in which
// they are asked: those of the role, then those of its owners, up to the first
// without filters.
func (v *survey) candidates(all []*member, role string) []*member {
	var asked []*member
	for _, owner := range v.owners(role) {
		for _, m := range all {
			if m.component != owner {
				continue
			}
			asked = append(asked, m)
			if len(m.filters) == 0 {
				return asked
			}
		}
	}
	return asked
}

// takenBy tells whether a pod is asked for the keys of the member that a path leads
// into: it passes its filters, and is not taken by another before.
func (v *survey) takenBy(path []any) func(context.Context, string, pod) bool {
	all := v.members()
	at := slices.IndexFunc(all, func(m *member) bool { return len(m.path) < len(path) && slices.Equal(m.path, path[:len(m.path)]) })
	if at < 0 {
		return nil
	}
	asked := map[string][]*member{}
	for _, role := range v.below(all[at].component) {
		asked[role] = v.candidates(all, role)
	}
	return func(ctx context.Context, role string, p pod) bool { return taker(ctx, asked[role], p) == all[at] }
}

// gangMembers adds the members of the pod groups, or of the newer form, which wins.
func (v *survey) gangMembers() {
	hints := v.definition.Spec.OptimizationInstructions
	if hints == nil || hints.GangScheduling == nil {
		return
	}
	if whole := hints.GangScheduling.PodGroup; whole != nil {
		v.subGroups(whole)
		return
	}
	all := v.members()
	for _, m := range all {
		roles := map[string][]*member{}
		for _, role := range v.below(m.component) {
			roles[role] = v.candidates(all, role)
		}
		item := at(v.node(append(m.path[:len(m.path):len(m.path)], "componentName")), Item{Kind: GangMember, Where: m.where, Value: m.component})
		v.add(item, func(ctx context.Context, s *sight) bool { return m.joins(ctx, s, roles) })
	}
}

// joins reports whether something is in a gang through the member. Where filters
// decide, only a pod can tell.
func (m *member) joins(ctx context.Context, s *sight, roles map[string][]*member) bool {
	for _, gang := range s.workload.Gangs {
		if gang.Name != m.group {
			continue
		}
		for _, part := range gang.Members {
			asked := roles[part.Component]
			if len(asked) > 0 && asked[0] == m && len(m.filters) == 0 {
				return true
			}
			for _, p := range s.pods[part.Component] {
				if slices.Contains(gang.Pods, p.name) && taker(ctx, asked, p) == m {
					return true
				}
			}
		}
	}
	return false
}

// taker is the first member whose filters a pod passes.
func taker(ctx context.Context, asked []*member, p pod) *member {
	for _, m := range asked {
		if !slices.ContainsFunc(m.filters, func(filter *jq.Program) bool { return !passes(ctx, filter, p) }) {
			return m
		}
	}
	return nil
}

// passes reports whether a filter gives exactly true.
func passes(ctx context.Context, filter *jq.Program, p pod) bool {
	given := p.ask(ctx, filter)
	return given.err == nil && len(given.results) == 1 && given.results[0] == true
}

// subGroups adds the parts of the newer form of a gang, or the gang when it has none.
func (v *survey) subGroups(whole *v1alpha1.PodGroupStructure) {
	base := []any{"spec", "optimizationInstructions", "gangScheduling", "podGroup"}
	inGang := func(s *sight, counts func(resolver.GangMember) bool) bool {
		return slices.ContainsFunc(s.workload.Gangs, func(gang resolver.Gang) bool {
			return gang.Name == whole.Name && slices.ContainsFunc(gang.Members, counts)
		})
	}
	if len(whole.SubGroups) == 0 {
		item := at(v.node(append(base[:len(base):len(base)], "name")), Item{Kind: GangMember, Where: "podGroup", Value: whole.Name})
		v.add(item, func(_ context.Context, s *sight) bool {
			return inGang(s, func(resolver.GangMember) bool { return true })
		})
	}
	named := func(role string) bool {
		return slices.ContainsFunc(whole.SubGroups, func(sub v1alpha1.SubGroup) bool { return sub.ComponentName == role })
	}
	for i, sub := range whole.SubGroups {
		path := append(base[:len(base):len(base)], "subGroups", i, "componentName")
		item := at(v.node(path), Item{Kind: GangMember, Where: fmt.Sprintf("podGroup.subGroups[%d]", i), Value: sub.ComponentName})
		v.add(item, func(_ context.Context, s *sight) bool {
			return inGang(s, func(part resolver.GangMember) bool {
				owners := v.owners(part.Component)
				nearest := slices.IndexFunc(owners, named)
				return nearest >= 0 && owners[nearest] == sub.ComponentName
			})
		})
	}
}

// filters adds the filters of the members of pod groups.
func (v *survey) filters() {
	all := v.members()
	for _, m := range all {
		for i, filter := range m.filters {
			var yes, no int
			item := at(v.node(append(m.path[:len(m.path):len(m.path)], "filters", i)),
				Item{Kind: Filter, Where: fmt.Sprintf("%s.filters[%d]", m.where, i), Expression: filter.String()})
			probe := v.add(item, func(ctx context.Context, s *sight) bool {
				asked := yes + no
				for _, role := range v.below(m.component) {
					if !slices.Contains(v.candidates(all, role), m) {
						continue
					}
					for _, p := range s.pods[role] {
						if passes(ctx, filter, p) {
							yes++
						} else {
							no++
						}
					}
				}
				return yes+no > asked
			})
			probe.decided = func() bool { return yes > 0 && (no > 0 || yes == 1) }
		}
	}
}
