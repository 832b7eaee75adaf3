package resolver

import (
	"slices"
	"strings"

	"github.com/workloadmap/wm/api/v1alpha1"
)

// gangBuilder collects gangs by group and key.
type gangBuilder struct {
	e     *evaluation
	order []string
	byKey map[string]*Gang
	// size is how many members a gang has room for at first.
	size int
	// key is the one being looked for.
	key []*string
}

// gangsOf tells the gangs of the workload. From the object alone the keys are
// known where they name units or instances; with pods every gang carries the
// keys and the names of its pods.
func (e *evaluation) gangsOf(r *Resolver) []Gang {
	b := &gangBuilder{e: e, byKey: map[string]*Gang{}}
	if r.gangs.whole != nil {
		b.whole(r)
		return b.finish()
	}
	// All pods are looked at first: those of one role tell the keys of another
	// that has no pods yet.
	contributions := b.contributions(r)
	b.size = min(len(contributions), 8)
	for i := range contributions {
		part := &contributions[i]
		for at, member := range part.component.members {
			b.add(part, member, at > 0 || len(member.filters) > 0, contributions)
		}
	}
	return b.finish()
}

// gang finds the gang of a name and key, or starts it.
func (b *gangBuilder) gang(name string, key []*string) *Gang {
	id := gangID(name, key)
	gang, ok := b.byKey[id]
	if !ok {
		zero := int64(0)
		gang = &Gang{Name: name, Key: append([]*string{}, key...), MinMember: &zero, Members: make([]GangMember, 0, b.size), Pods: []string{}}
		b.byKey[id] = gang
		b.order = append(b.order, id)
	}
	return gang
}

func gangID(name string, key []*string) string {
	id := name
	for _, part := range key {
		id += "\x00" + keyID(part)
	}
	return id
}

// keyID tells an unknown key from an empty one.
func keyID(part *string) string {
	if part == nil {
		return ""
	}
	return "=" + *part
}

func sameValues(a, b []*string) bool {
	return slices.EqualFunc(a, b, func(x, y *string) bool { return keyID(x) == keyID(y) })
}

// finish drops gangs that no pod will ever be in and sorts the rest by name and key.
func (b *gangBuilder) finish() []Gang {
	all := []Gang{}
	for _, id := range b.order {
		gang := b.byKey[id]
		if len(gang.Members) > 0 {
			slices.SortFunc(gang.Pods, compareNatural)
			all = append(all, *gang)
		}
	}
	slices.SortStableFunc(all, func(a, b Gang) int {
		if order := strings.Compare(a.Name, b.Name); order != 0 {
			return order
		}
		return slices.CompareFunc(a.Key, b.Key, func(x, y *string) int { return compareNatural(keyID(x), keyID(y)) })
	})
	return all
}

// join counts one member and its pods into a gang. A member that needs no pod
// and has none is left out.
func (g *Gang) join(member GangMember, pods []string) {
	if member.Min != nil && *member.Min == 0 && len(pods) == 0 {
		return
	}
	g.Members = append(g.Members, member)
	g.MinMember = plus(g.MinMember, member.Min)
	g.Pods = append(g.Pods, pods...)
}

// whole builds the one gang of the newer form: its subgroups, or all roles.
func (b *gangBuilder) whole(r *Resolver) {
	d := r.gangs.whole
	gang := b.gang(d.Name, []*string{})
	gang.Topology = d.Topology.DeepCopy()
	for _, c := range r.components {
		if c.logical() || b.e.presence[c.index].absent {
			continue
		}
		sub, covered := subGroupOf(d, c)
		if !covered {
			continue
		}
		for i, id := range b.e.presence[c.index].in.ids {
			member := GangMember{Component: c.name, Instance: id, Min: b.e.least(c, i)}
			if sub != nil {
				member.Topology = sub.Topology.DeepCopy()
			}
			gang.join(member, b.e.podNames(c, i))
		}
	}
}

// subGroupOf finds the subgroup that names a component or the nearest of its
// owners; without subgroups every component is covered.
func subGroupOf(d *v1alpha1.PodGroupStructure, c *component) (*v1alpha1.SubGroup, bool) {
	if len(d.SubGroups) == 0 {
		return nil, true
	}
	for at := c; at != nil; at = at.parent {
		for i := range d.SubGroups {
			if d.SubGroups[i].ComponentName == at.name {
				return &d.SubGroups[i], true
			}
		}
	}
	return nil, false
}

// allSeen reports whether an instance has all the pods that it wants.
func (e *evaluation) allSeen(c *component, instance int) bool {
	desired := e.presence[c.index].replicas[instance].Desired
	return e.placed != nil && desired != nil && int64(len(e.podNames(c, instance))) >= *desired
}

// podNames are an instance's current pods.
func (e *evaluation) podNames(c *component, instance int) []string {
	if e.placed == nil {
		return nil
	}
	var names []string
	for _, pod := range e.placed.byInstance[c][instance] {
		if pod.counts {
			names = append(names, pod.state.Name)
		}
	}
	return names
}

// add joins what one instance contributes through one member: the gangs that
// its pods are in, and the predicted ones that have no pod yet. selective says
// that filters decide which of the pods come this way: their number is then
// not known from the definition.
func (b *gangBuilder) add(part *contribution, member *groupMember, selective bool, all []contribution) {
	c, instance := part.component, part.instance
	predicted := b.e.predict(member, c, instance)
	own := part.through(member)
	each := predicted.each
	switch least := b.e.least(c, instance); {
	case selective && least != nil && *least == 0:
		each = least
	case selective && len(own) == 0 && b.e.allSeen(c, instance):
		// The filters kept every pod out.
		return
	case selective:
		each = nil
	case len(own) > 1 && !predicted.byUnit && least != nil:
		// The pods form more gangs than the definition tells.
		each = b.e.share(c, *least, int64(len(own)), "gang")
	}
	join := func(key []*string, pods []string) {
		gang := b.gang(member.group, key)
		gang.join(GangMember{Component: c.name, Instance: b.e.presence[c.index].in.ids[instance], Min: each}, pods)
	}
	for _, o := range own {
		join(o.key, o.pods)
	}
	if len(own) > 0 && !predicted.byUnit {
		return
	}
	for unit := range predicted.gangs {
		b.key = predicted.key(b.key, member, c, unit)
		key := b.key
		complete(member, c, key, all)
		if !slices.ContainsFunc(own, func(o *observed) bool { return sameValues(o.key, key) }) {
			join(key, nil)
		}
	}
}
