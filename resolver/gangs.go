package resolver

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

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
	MinMember *int64       `json:"minMember"`
	Members   []GangMember `json:"members"`
	// Topology is null unless the definition asks for one.
	Topology *v1alpha1.TopologyConstraint `json:"topology"`
	// Pods names the gang's pods; empty when no pods were given.
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
	// whole is the newer form: one gang for the workload.
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
				compiledMember.keys = append(compiledMember.keys, c.expression(named.name, fmt.Sprintf("%s.groupByKeyPaths[%d]", field, i), key))
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
// pod joins the first whose filters it passes.
func (g *gangs) candidates(c *component) []*groupMember {
	var all []*groupMember
	for at := c; at != nil; at = at.parent {
		for _, group := range g.groups {
			for _, member := range group.members {
				if member.component == at {
					all = append(all, member)
				}
			}
		}
	}
	return all
}

// gangBuilder collects gangs by group and key.
type gangBuilder struct {
	e     *evaluation
	order []string
	byKey map[string]*Gang
}

// gangsOf tells the gangs of the workload. From the object alone the keys are
// known where they name units or instances; with pods every gang carries the
// keys and the names of its pods.
func (e *evaluation) gangsOf(r *Resolver) []Gang {
	b := &gangBuilder{e: e, byKey: map[string]*Gang{}}
	if r.gangs.whole != nil {
		b.whole(r)
	} else {
		for _, c := range r.components {
			if !c.logical() && !e.presence[c].absent {
				b.component(r, c)
			}
		}
	}
	return b.finish()
}

func (b *gangBuilder) gang(name string, key []*string) *Gang {
	id := name
	for _, part := range key {
		id += "\x00" + keyID(part)
	}
	gang, ok := b.byKey[id]
	if !ok {
		zero := int64(0)
		gang = &Gang{Name: name, Key: key, MinMember: &zero, Members: []GangMember{}, Pods: []string{}}
		b.byKey[id] = gang
		b.order = append(b.order, id)
	}
	return gang
}

func keyID(part *string) string {
	if part == nil {
		return ""
	}
	return "=" + *part
}

// finish drops gangs that no pod will ever be in and sorts the rest by name and key.
func (b *gangBuilder) finish() []Gang {
	all := []Gang{}
	for _, id := range b.order {
		gang := b.byKey[id]
		if len(gang.Members) > 0 || len(gang.Pods) > 0 {
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

// add counts one member into a gang. Members that stand for no pod at all are left out.
func (g *Gang) add(member GangMember) {
	if member.Min != nil && *member.Min == 0 {
		return
	}
	g.Members = append(g.Members, member)
	g.MinMember = plus(g.MinMember, member.Min)
}

// whole builds the one gang of the newer form: its subgroups, or all roles.
func (b *gangBuilder) whole(r *Resolver) {
	d := r.gangs.whole
	gang := b.gang(d.Name, []*string{})
	gang.Topology = d.Topology.DeepCopy()
	for _, c := range r.components {
		if c.logical() || b.e.presence[c].absent {
			continue
		}
		sub, covered := subGroupOf(d, c)
		if !covered {
			continue
		}
		for i, id := range b.e.presence[c].in.ids {
			member := GangMember{Component: c.name, Instance: id, Min: b.e.least(c, i)}
			if sub != nil {
				member.Topology = sub.Topology.DeepCopy()
			}
			gang.add(member)
			gang.Pods = append(gang.Pods, b.e.podNames(c, i)...)
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

// least is the smallest number of pods that an instance runs with: its minimum
// where one is stated, also when that is 0, else what it wants.
func (e *evaluation) least(c *component, instance int) *int64 {
	replicas := e.presence[c].replicas[instance]
	if replicas.Min != nil {
		return replicas.Min
	}
	return replicas.Desired
}

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

// component adds one role's instances to the gangs of the list form.
func (b *gangBuilder) component(r *Resolver, c *component) {
	candidates := r.gangs.candidates(c)
	if len(candidates) == 0 {
		return
	}
	for i := range b.e.presence[c].in.ids {
		seen := b.observe(candidates, c, i)
		for _, member := range candidates {
			b.member(member, c, i, seen)
			if len(member.filters) == 0 {
				break
			}
		}
	}
}

// observed are the pods of one instance that joined one gang through one member.
type observed struct {
	member *groupMember
	key    []*string
	pods   []string
}

// observe sorts an instance's current pods by member and key, in order of appearance.
func (b *gangBuilder) observe(candidates []*groupMember, c *component, instance int) []*observed {
	if b.e.placed == nil {
		return nil
	}
	var all []*observed
	byID := map[string]*observed{}
	for _, pod := range b.e.placed.byInstance[c][instance] {
		member := b.memberFor(candidates, pod)
		if member == nil || !pod.counts {
			continue
		}
		key := make([]*string, len(member.keys))
		id := member.group
		for i, x := range member.keys {
			if text, ok := b.e.podKey(x, pod); ok {
				key[i] = &text
			}
			id += "\x00" + keyID(key[i])
		}
		if byID[id] == nil {
			byID[id] = &observed{member: member, key: key}
			all = append(all, byID[id])
		}
		byID[id].pods = append(byID[id].pods, pod.state.Name)
	}
	return all
}

// member adds what one instance contributes through one member: the gangs that
// its pods are in, and the predicted ones that have no pod yet.
func (b *gangBuilder) member(member *groupMember, c *component, instance int, seen []*observed) {
	own := slices.DeleteFunc(slices.Clone(seen), func(o *observed) bool { return o.member != member })
	predicted := b.predict(member, c, instance)
	add := func(key []*string, pods []string, minimum *int64) {
		gang := b.gang(member.group, key)
		gang.Pods = append(gang.Pods, pods...)
		gang.add(GangMember{Component: c.name, Instance: b.e.presence[c].in.ids[instance], Min: minimum})
	}
	each := b.sizeOf(member, predicted, c, instance, len(own))
	for _, o := range own {
		add(o.key, o.pods, each)
	}
	if len(own) > 0 && len(predicted.keys) == 1 {
		return
	}
	for _, key := range predicted.keys {
		completed := complete(key, own)
		if !slices.ContainsFunc(own, func(o *observed) bool { return sameValues(o.key, completed) }) {
			add(completed, nil, each)
		}
	}
}

// sizeOf is what each gang needs of an instance. Which pods a filter lets
// through is not known from the definition, so neither is that number. When
// pods were seen to form more gangs than the definition predicts, the
// instance's least number is shared out over them.
func (b *gangBuilder) sizeOf(member *groupMember, predicted parts, c *component, instance, seen int) *int64 {
	if len(member.filters) > 0 {
		return nil
	}
	least := b.e.least(c, instance)
	if seen > len(predicted.keys) && len(predicted.keys) == 1 && least != nil {
		return b.e.share(c, *least, int64(seen))
	}
	return predicted.each
}

// complete fills the unknown parts of a predicted key with what all observed
// keys agree on.
func complete(key []*string, seen []*observed) []*string {
	completed := slices.Clone(key)
	for i := range completed {
		if completed[i] != nil || len(seen) == 0 {
			continue
		}
		agreed := seen[0].key[i]
		for _, o := range seen {
			if keyID(o.key[i]) != keyID(agreed) {
				agreed = nil
				break
			}
		}
		completed[i] = agreed
	}
	return completed
}

func sameValues(a, b []*string) bool {
	return slices.EqualFunc(a, b, func(x, y *string) bool { return keyID(x) == keyID(y) })
}

// parts says how an instance's pods spread over gangs: the keys of the gangs,
// and how many pods each needs at least.
type parts struct {
	keys [][]*string
	each *int64
}

// predict works out the keys of an instance's gangs. A key that reads the
// replica unit makes one gang for each unit, a key that reads the instance ID
// is that ID; any other key is the same for all pods of the instance.
func (b *gangBuilder) predict(member *groupMember, c *component, instance int) parts {
	least := b.e.least(c, instance)
	key := make([]*string, len(member.keys))
	perUnit := -1
	for i, x := range member.keys {
		switch {
		case sameKey(x, c.selectors.unit):
			perUnit = i
		case sameKey(x, c.selectors.instance):
			id := b.e.presence[c].in.ids[instance]
			key[i] = &id
		}
	}
	if perUnit < 0 {
		return parts{keys: [][]*string{key}, each: least}
	}
	units, each := b.e.units(c, instance)
	if units == nil {
		return parts{keys: [][]*string{key}, each: nil}
	}
	spread := parts{each: each}
	for unit := range *units {
		own := slices.Clone(key)
		text := strconv.FormatInt(unit, 10)
		own[perUnit] = &text
		spread.keys = append(spread.keys, own)
	}
	return spread
}

// units is the number of replica units of a component, and how many of the
// instance's pods each holds. Units are counted by the component that declares
// the replica selector, when that is a logical one; a component that declares
// it for itself does not say how many units its pods form.
func (e *evaluation) units(c *component, instance int) (units, each *int64) {
	owner := c.selectors.unitOwner
	if owner == nil || owner == c || !owner.logical() || len(e.presence[owner].replicas) != 1 {
		return nil, nil
	}
	units = e.presence[owner].replicas[0].Desired
	desired := e.presence[c].replicas[instance].Desired
	if units == nil || desired == nil {
		return units, nil
	}
	return units, e.share(c, *desired, *units)
}

// share divides an instance's pods over its units.
func (e *evaluation) share(c *component, pods, units int64) *int64 {
	if units == 0 {
		return nil
	}
	if pods%units != 0 {
		e.problems = append(e.problems, Problem{Component: c.name, Field: "scaleDefinition",
			Message: fmt.Sprintf("%d pods cannot be shared out evenly over %d units, so the gangs' sizes are unknown", pods, units)})
		return nil
	}
	each := pods / units
	return &each
}

// sameKey reports whether two expressions read the same thing of a pod; a
// default behind // makes no difference.
func sameKey(a, b *expression) bool {
	return a != nil && b != nil && withoutDefault(a) == withoutDefault(b)
}

func withoutDefault(x *expression) string {
	text, _, _ := strings.Cut(x.program.String(), "//")
	return strings.Join(strings.Fields(strings.Trim(strings.TrimSpace(text), "()")), " ")
}

// memberFor is the first member whose filters a pod passes. A filter passes a
// pod only by giving exactly true; a missing label is a plain no.
func (b *gangBuilder) memberFor(candidates []*groupMember, pod *podInput) *groupMember {
	for _, member := range candidates {
		if b.passes(member, pod) {
			return member
		}
	}
	return nil
}

func (b *gangBuilder) passes(member *groupMember, pod *podInput) bool {
	for _, filter := range member.filters {
		results, err := filter.program.RunShared(b.e.ctx, pod.input)
		if err != nil || len(results) != 1 || results[0] != true {
			return false
		}
	}
	return true
}
