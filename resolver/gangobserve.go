package resolver

import (
	"fmt"
	"slices"
)

// contribution is what one instance of a role brings into the pod groups.
type contribution struct {
	component *component
	instance  int
	// seen are its current pods, sorted by member and key.
	seen []*observed
}

// observed are the pods of one instance that joined one gang through one member.
type observed struct {
	member *groupMember
	key    []*string
	pods   []string
}

// through are the observed gangs of one member.
func (p *contribution) through(member *groupMember) []*observed {
	var own []*observed
	for _, o := range p.seen {
		if o.member == member {
			own = append(own, o)
		}
	}
	return own
}

// contributions sorts every present instance whose role is in a pod group.
func (b *gangBuilder) contributions(r *Resolver) []contribution {
	n := 0
	for _, c := range r.components {
		if b.contributes(c) {
			n += len(b.e.presence[c.index].in.ids)
		}
	}
	all := make([]contribution, 0, n)
	for _, c := range r.components {
		if !b.contributes(c) {
			continue
		}
		for i := range b.e.presence[c.index].in.ids {
			all = append(all, contribution{component: c, instance: i, seen: b.observe(c, i)})
		}
	}
	return all
}

func (b *gangBuilder) contributes(c *component) bool {
	return !c.logical() && len(c.members) > 0 && !b.e.presence[c.index].absent
}

// observe sorts an instance's current pods by member and key, in order of
// appearance. A pod that lacks a key is in no gang, which is a problem.
func (b *gangBuilder) observe(c *component, instance int) []*observed {
	if b.e.placed == nil {
		return nil
	}
	var all []*observed
	byID := map[string]*observed{}
	keyless := map[*expression][]string{}
	for _, pod := range b.e.placed.byInstance[c][instance] {
		if !pod.counts {
			continue
		}
		member := b.e.memberFor(c.members, pod)
		if member == nil {
			continue
		}
		key, missing := b.e.gangKey(member, pod)
		if missing != nil {
			keyless[missing] = append(keyless[missing], pod.state.Name)
			continue
		}
		id := gangID(member.group, key)
		if byID[id] == nil {
			byID[id] = &observed{member: member, key: key}
			all = append(all, byID[id])
		}
		byID[id].pods = append(byID[id].pods, pod.state.Name)
	}
	for _, member := range c.members {
		for _, x := range member.keys {
			if names := keyless[x]; len(names) > 0 {
				slices.SortFunc(names, compareNatural)
				b.e.problem(x, "gives no value for %s, so no gang is known for %s", podList(names), them(len(names)))
			}
		}
	}
	return all
}

func podList(names []string) string {
	if len(names) == 1 {
		return "pod " + names[0]
	}
	return fmt.Sprintf("%d pods, the first is %s", len(names), names[0])
}

func them(n int) string {
	if n == 1 {
		return "it"
	}
	return "them"
}

// gangKey reads a pod's values of a member's keys; missing is the first that gives none.
func (e *evaluation) gangKey(member *groupMember, pod *podInput) (key []*string, missing *expression) {
	key = make([]*string, len(member.keys))
	for i, x := range member.keys {
		text, ok := e.podKey(x, pod)
		if !ok {
			return nil, x
		}
		key[i] = &text
	}
	return key, nil
}

// memberFor is the first member whose filters a pod passes.
func (e *evaluation) memberFor(candidates []*groupMember, pod *podInput) *groupMember {
	for _, member := range candidates {
		if e.passes(member, pod) {
			return member
		}
	}
	return nil
}

// passes asks a member's filters. A filter passes a pod only by giving exactly
// true; a missing label is a plain no.
func (e *evaluation) passes(member *groupMember, pod *podInput) bool {
	for _, filter := range member.filters {
		results, err := filter.program.RunShared(e.ctx, pod.input())
		if err != nil || len(results) != 1 || results[0] != true {
			return false
		}
	}
	return true
}

// complete fills the unknown parts of a role's predicted key with what all pods
// seen in the same pod group agree on. Parts that tell roles apart stay: other
// roles' pods say nothing about them.
func complete(member *groupMember, c *component, key []*string, all []contribution) {
	for i, x := range member.keys {
		if key[i] == nil && !c.selectors.tells(x) {
			key[i] = agreed(member.group, x, all)
		}
	}
}

// agreed is the one value that a key has for all pods of a pod group, nil when
// there is none or more than one.
func agreed(group string, x *expression, all []contribution) *string {
	var value *string
	for _, part := range all {
		for _, o := range part.seen {
			if o.member.group != group {
				continue
			}
			for i, other := range o.member.keys {
				if !sameKey(other, x) || part.component.selectors.tells(other) {
					continue
				}
				if value != nil && *value != *o.key[i] {
					return nil
				}
				value = o.key[i]
			}
		}
	}
	return value
}
