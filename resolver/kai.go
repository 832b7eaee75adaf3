package resolver

import (
	"context"
	"fmt"

	"github.com/workloadmap/wm/api/v1alpha1"
)

// KAIGroup is what the KAI scheduler's generic pod grouper derives for the pods
// of one role. It is not what the gang needs (see Gang): KAI works out
// MinAvailable for each role on its own and multiplies along the hierarchy, so
// that two roles of one pod group can give it two different sizes.
type KAIGroup struct {
	// Component and Instance are the role whose pods are meant. In the podGroup
	// form they name the subgroup's component, or "" for the whole workload.
	Component string `json:"component"`
	Instance  string `json:"instance"`
	// Group is the pod group's name in the definition.
	Group string `json:"group"`
	// MinAvailable is the number that KAI writes for these pods.
	MinAvailable int64                        `json:"minAvailable"`
	Topology     *v1alpha1.TopologyConstraint `json:"topology,omitempty"`
	// Filtered means that this holds only for those of the pods that pass the
	// member's filters; the others are the next KAIGroup of the same role, or in none.
	Filtered bool `json:"filtered,omitempty"`
	// Fault is why KAI refuses these pods or never finds them; "" when it takes them.
	Fault string `json:"fault,omitempty"`
}

// AsKAI computes how KAI's generic grouper (v0.17.0) reads an object through
// this definition, from the object alone:
//
//   - list form: a pod's role is the only one with pods, else the first whose
//     type selector matches; roles without a type selector find no pods. Its
//     member is the first that names the role or, upwards, its owners, and
//     whose filters the pod passes.
//     MinAvailable is the subtree scale of the member's component, limited to
//     the pod's instance only when the member names the pod's own role.
//   - podGroup form: a subgroup's MinAvailable is the subtree scale of its
//     component, and zero is refused.
//
// The subtree scale of a component is its own scale (minReplicas when above 0,
// else replicas) times the sum of its children's subtree scales; a factor of 0
// is passed over. A definition without any scaleDefinition counts its roles
// instead. Errors are those of Resolve.
func (r *Resolver) AsKAI(ctx context.Context, object map[string]any) ([]KAIGroup, error) {
	e, err := r.evaluate(ctx, object, nil)
	if err != nil {
		return nil, err
	}
	k := &kai{resolver: r, e: e, scales: map[*component][]InstanceReplicas{}}
	for _, c := range r.components {
		in := e.presence[c.index].in
		k.scales[c] = e.replicasOf(c.scale, in)
		k.ids = append(k.ids, in.ids)
		k.anyScale = k.anyScale || c.scale.stated()
	}
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("resolve %s %q: %w", text(object["kind"]), text(child(object, "metadata")["name"]), err)
	}
	if r.gangs.whole != nil {
		return k.subGroups(), nil
	}
	return k.listForm(), nil
}

type kai struct {
	resolver *Resolver
	e        *evaluation
	scales   map[*component][]InstanceReplicas
	// ids are the instances of each component, in the resolver's order.
	ids      [][]string
	anyScale bool
}

func (k *kai) subGroups() []KAIGroup {
	whole := k.resolver.gangs.whole
	if len(whole.SubGroups) == 0 {
		root := k.resolver.components[0]
		return []KAIGroup{{Group: whole.Name, MinAvailable: k.subtree(root), Topology: whole.Topology.DeepCopy()}}
	}
	var groups []KAIGroup
	for _, sub := range whole.SubGroups {
		c := k.resolver.component(sub.ComponentName)
		group := KAIGroup{Component: c.name, Group: whole.Name, MinAvailable: k.subtree(c), Topology: sub.Topology.DeepCopy()}
		switch {
		case group.MinAvailable == 0:
			group.Fault = "a subgroup of no pods is refused"
		case !typedBelow(c):
			group.Fault = "no type selector tells the subgroup's pods, so it stays empty"
		}
		groups = append(groups, group)
	}
	return groups
}

func typedBelow(c *component) bool {
	if c.selectors.typed() {
		return true
	}
	for _, child := range c.children {
		if typedBelow(child) {
			return true
		}
	}
	return false
}

func (k *kai) listForm() []KAIGroup {
	var groups []KAIGroup
	for i, c := range k.resolver.components {
		if c.logical() {
			continue
		}
		candidates := c.members
		if len(candidates) == 0 {
			continue
		}
		for at, id := range k.ids[i] {
			for _, member := range candidates {
				groups = append(groups, k.group(member, c, at, id))
			}
		}
	}
	return groups
}

func (k *kai) group(member *groupMember, c *component, instance int, id string) KAIGroup {
	group := KAIGroup{Component: c.name, Instance: id, Group: member.group, Filtered: len(member.filters) > 0}
	if member.component == c && c.instanceIDs != nil {
		group.MinAvailable = k.instanceScale(c, instance)
	} else {
		group.MinAvailable = k.subtree(member.component)
	}
	if !c.selectors.typed() && !k.resolver.sole(c) {
		group.Fault = "no type selector tells the role's pods, so KAI does not find them"
	}
	return group
}

// instanceScale is the subtree scale of one instance.
func (k *kai) instanceScale(c *component, instance int) int64 {
	if !k.anyScale {
		roles := int64(1)
		for _, child := range c.children {
			roles += k.countRoles(child)
		}
		return roles
	}
	return k.multiply(effective(k.scales[c][instance]), c)
}

func (k *kai) subtree(c *component) int64 {
	if !k.anyScale {
		return k.countRoles(c)
	}
	var own int64
	for _, replicas := range k.scales[c] {
		own += effective(replicas)
	}
	return k.multiply(own, c)
}

func (k *kai) multiply(own int64, c *component) int64 {
	var below int64
	for _, child := range c.children {
		below += k.subtree(child)
	}
	switch {
	case below == 0:
		return own
	case own == 0:
		return below
	default:
		return own * below
	}
}

// countRoles stands in for scales in a definition that states none at all.
func (k *kai) countRoles(c *component) int64 {
	var roles int64
	if !c.logical() {
		roles = int64(len(k.scales[c]))
	}
	for _, child := range c.children {
		roles += k.countRoles(child)
	}
	return roles
}

func effective(replicas InstanceReplicas) int64 {
	for _, n := range []*int64{replicas.Min, replicas.Desired} {
		if n != nil && *n > 0 {
			return *n
		}
	}
	return 0
}

// component finds a compiled component by name; Compile has checked that it exists.
func (r *Resolver) component(name string) *component {
	for _, c := range r.components {
		if c.name == name {
			return c
		}
	}
	return nil
}
