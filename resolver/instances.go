package resolver

import (
	"fmt"

	"github.com/workloadmap/wm/jq"
)

// instances are the entries that one component has in one object.
type instances struct {
	ids []string
	// repeated is false for a component without instanceIdPath, whose only instance has the ID "".
	repeated bool
	// base is the list or map that the instances are entries of, ending in its
	// iteration; nil when instanceIdPath does not tell.
	base jq.Path
	// views holds for each instance the object with base cut down to that one
	// entry, so that an expression read there speaks of that instance alone;
	// nil when base is.
	views []jq.Entry
}

// instancesOf reads the instance IDs of a component.
func (e *evaluation) instancesOf(c *component) instances {
	if c.instanceIDs == nil {
		return instances{ids: []string{""}}
	}
	found := instances{repeated: true}
	var values []any
	if base, ok := c.instanceIDs.program.Base(); ok {
		found.base = base
		values = e.viewedIDs(c.instanceIDs, &found)
	} else {
		values, _ = e.run(c.instanceIDs, e.root)
	}
	return e.namedInstances(c.instanceIDs, found, values)
}

// viewedIDs reads one ID for each entry of the base. An entry that gives none
// (select in instanceIdPath) is not an instance.
func (e *evaluation) viewedIDs(x *expression, found *instances) []any {
	var values []any
	for _, view := range e.root.Entries(found.base) {
		results, ok := e.run(x, view.Alone)
		if !ok {
			return nil
		}
		for _, value := range results {
			values = append(values, value)
			found.views = append(found.views, view)
		}
	}
	return values
}

// namedInstances keeps the entries whose ID is a non-empty string that no
// earlier entry has; the others are problems, since pods could never be told apart.
func (e *evaluation) namedInstances(x *expression, found instances, values []any) instances {
	seen := map[string]bool{}
	views := found.views
	found.views = nil
	for i, value := range values {
		id, ok := value.(string)
		switch {
		case !ok:
			e.problem(x, "entry %d gives %s, an instance needs a name", i, describe(value))
			continue
		case id == "":
			e.problem(x, "entry %d gives an empty string, an instance needs a name", i)
			continue
		case seen[id]:
			e.problem(x, "two entries are named %q", id)
			continue
		}
		seen[id] = true
		found.ids = append(found.ids, id)
		if views != nil {
			found.views = append(found.views, views[i])
		}
	}
	if found.views == nil && len(found.ids) != len(values) {
		// Positions no longer correspond to entries: nothing can be paired.
		found.ids = nil
	}
	return found
}

// perInstance evaluates an expression for every instance. The result has one
// element for each, nil where that instance gives null or nothing; false when
// no pairing was possible, which is then a problem.
func (e *evaluation) perInstance(x *expression, in instances) ([]any, bool) {
	if !in.repeated {
		value, ok := e.one(x)
		return []any{value}, ok
	}
	if len(in.ids) == 0 {
		return nil, true
	}
	if in.views == nil || !x.program.Mentions(in.base) {
		return e.byPosition(x, in)
	}
	values := make([]any, len(in.ids))
	for i, view := range in.views {
		results, ok := e.run(x, view.Alone)
		if !ok {
			return nil, false
		}
		switch len(results) {
		case 0:
		case 1:
			values[i] = results[0]
		default:
			e.problem(x, "gives %d results for instance %q where one is needed", len(results), in.ids[i])
			return nil, false
		}
	}
	return values, true
}

// byPosition pairs the results on the whole object with the instances in
// order, as the first implementation does. A constant holds for every instance.
func (e *evaluation) byPosition(x *expression, in instances) ([]any, bool) {
	results, ok := e.run(x, e.root)
	if !ok {
		return nil, false
	}
	if constant, isConstant := x.program.Constant(); isConstant {
		results = make([]any, len(in.ids))
		for i := range results {
			results[i] = constant
		}
	}
	if len(results) != len(in.ids) {
		e.problem(x, "gives %s for %s, so they cannot be paired", count(len(results), "result"), count(len(in.ids), "instance"))
		return nil, false
	}
	return results, true
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
