package resolver

import (
	"fmt"
	"slices"

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
	// batch evaluates several expressions on all views, batched are its results
	// once it ran: those of the first expression on the first view, of the second
	// on the first, and so on. nil when there is no batch or it failed.
	batch   *batch
	batched [][]any
}

// onlyInstance is what a component without instanceIdPath has; never changed.
var onlyInstance = &instances{ids: []string{""}}

// instancesOf reads the instance IDs of a component.
func (e *evaluation) instancesOf(c *component) *instances {
	if c.instanceIDs == nil {
		return onlyInstance
	}
	found := &instances{repeated: true, batch: &c.batch}
	var values []any
	if base, ok := c.instanceIDs.program.Base(); ok {
		found.base = base
		values = e.viewedIDs(c.instanceIDs, found)
	} else {
		values, _ = e.runRoot(c.instanceIDs)
	}
	return e.namedInstances(c.instanceIDs, found, values)
}

// viewedIDs reads one ID for each entry of the base. An entry that gives none
// (select in instanceIdPath) is not an instance.
func (e *evaluation) viewedIDs(x *expression, found *instances) []any {
	entries := e.root.Entries(found.base)
	values := make([]any, 0, len(entries))
	found.views = make([]jq.Entry, 0, len(entries))
	for _, view := range entries {
		if value, ok := x.entryValue(view); ok {
			values = append(values, value)
			found.views = append(found.views, view)
			continue
		}
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

// few instances are compared with each other sooner than looked up.
const few = 16

// namedInstances keeps the entries whose ID is a non-empty string that no
// earlier entry has; the others are problems, since pods could never be told apart.
func (e *evaluation) namedInstances(x *expression, found *instances, values []any) *instances {
	var seen map[string]bool
	if len(values) > few {
		seen = make(map[string]bool, len(values))
	}
	found.ids = make([]string, 0, len(values))
	views := found.views
	if views != nil {
		// Kept entries move to the front, never past the one being read.
		found.views = views[:0]
	}
	for i, value := range values {
		id, ok := value.(string)
		if !ok {
			e.problem(x, "entry %d gives %s, an instance needs a name", i, describe(value))
			continue
		}
		if id == "" {
			e.problem(x, "entry %d gives an empty string, an instance needs a name", i)
			continue
		}
		if seen[id] || seen == nil && slices.Contains(found.ids, id) {
			e.problem(x, "two entries are named %q", id)
			continue
		}
		if seen != nil {
			seen[id] = true
		}
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
func (e *evaluation) perInstance(x *expression, in *instances) (found []any, ok bool) {
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
		if value, ok := x.entryValue(view); ok {
			values[i] = value
			continue
		}
		results, done := e.fromBatch(x, in, i)
		if !done {
			if results, ok = e.run(x, view.Alone); !ok {
				return nil, false
			}
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
func (e *evaluation) byPosition(x *expression, in *instances) ([]any, bool) {
	if x.isConstant {
		results := make([]any, len(in.ids))
		for i := range results {
			results[i] = x.constant
		}
		return results, true
	}
	results, ok := e.runRoot(x)
	if !ok {
		return nil, false
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
