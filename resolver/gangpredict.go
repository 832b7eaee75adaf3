package resolver

import (
	"fmt"
	"slices"
	"strconv"
)

// maxPredicted bounds the gangs that are told one by one from an object alone.
// No real workload comes near; an object that asks for 2,147,483,647 groups
// must not cost as much memory.
const maxPredicted = 10_000

// parts says how an instance's pods spread over gangs.
type parts struct {
	// gangs is their number: the number of units when byUnit, else one.
	gangs  int64
	byUnit bool
	// each is how many pods each gang needs at least; nil when unknown.
	each *int64
	// instance is the ID that keys of the instance have.
	instance *string
}

// predict works out the gangs of an instance. A key that reads the replica unit
// makes one gang for each unit.
func (e *evaluation) predict(member *groupMember, c *component, instance int) parts {
	spread := parts{gangs: 1, instance: &e.presence[c.index].in.ids[instance]}
	if !slices.ContainsFunc(member.keys, func(x *expression) bool { return sameKey(x, c.selectors.unit) }) {
		spread.each = e.least(c, instance)
		return spread
	}
	units, each := e.units(c, instance)
	if units != nil {
		spread.gangs, spread.byUnit, spread.each = *units, true, each
	}
	return spread
}

// key is the key of one gang: the number of the unit, the instance's ID and the
// value that the type selector compares, where a key reads these; any other part
// is nil, and taken to be the same for all pods of the workload.
//
// It is written over into, which nobody may still hold.
func (p *parts) key(into []*string, member *groupMember, c *component, unit int64) []*string {
	key := into[:0]
	for i, x := range member.keys {
		key = append(key, nil)
		switch {
		case sameKey(x, c.selectors.unit):
			if p.byUnit {
				text := strconv.FormatInt(unit, 10)
				key[i] = &text
			}
		case sameKey(x, c.selectors.instance):
			key[i] = p.instance
		case sameKey(x, c.selectors.key):
			key[i] = c.selectors.value
		}
	}
	return key
}

// least is the smallest number of pods that an instance runs with: its minimum
// where one is stated, also when that is 0, else what it wants.
func (e *evaluation) least(c *component, instance int) *int64 {
	replicas := e.presence[c.index].replicas[instance]
	if replicas.Min != nil {
		return replicas.Min
	}
	return replicas.Desired
}

// units is the number of replica units of a component, and how many of the
// instance's pods each needs at least. Units are counted by the component that
// declares the replica selector, when that is a logical one; a component that
// declares it for itself does not say how many units its pods form.
func (e *evaluation) units(c *component, instance int) (units, each *int64) {
	owner := c.selectors.unitOwner
	if owner == nil || owner == c || !owner.logical() || len(e.presence[owner.index].replicas) != 1 {
		return nil, nil
	}
	all := e.presence[owner.index].replicas[0]
	own := e.presence[c.index].replicas[instance]
	switch {
	case all.Desired == nil:
		return nil, nil
	case *all.Desired > maxPredicted:
		e.problems = append(e.problems, Problem{Component: owner.name, Field: "scaleDefinition",
			Message: fmt.Sprintf("%d units are too many to tell their gangs one by one", *all.Desired)})
		return nil, nil
	case *all.Desired == 0:
		return all.Desired, nil
	case own.Min != nil && (all.Min == nil || *all.Min > 0):
		// Both bounds count over the whole workload, so the least of one unit
		// is their ratio.
		bound := all.Desired
		if all.Min != nil {
			bound = all.Min
		}
		return all.Desired, e.share(c, *own.Min, *bound, "unit")
	case own.Desired == nil:
		return all.Desired, nil
	default:
		return all.Desired, e.share(c, *own.Desired, *all.Desired, "unit")
	}
}

// share divides an instance's pods over its units or gangs.
func (e *evaluation) share(c *component, pods, n int64, noun string) *int64 {
	if pods%n != 0 {
		e.problems = append(e.problems, Problem{Component: c.name, Field: "scaleDefinition",
			Message: fmt.Sprintf("%s cannot be shared out evenly over %s, so the gangs' sizes are unknown", count(int(pods), "pod"), count(int(n), noun))})
		return nil
	}
	each := pods / n
	return &each
}

// tells reports whether an expression is one that a selector tells units,
// instances or roles apart by.
func (s *selectors) tells(x *expression) bool {
	return sameKey(x, s.unit) || sameKey(x, s.instance) || s.value != nil && sameKey(x, s.key)
}
