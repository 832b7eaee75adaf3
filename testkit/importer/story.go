package importer

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/workloadmap/wm/api/v1alpha1"
	"github.com/workloadmap/wm/resolver"
)

// frame is one state of the workload: it lasts until the root changes, and has
// the other objects as they were at its end.
type frame struct {
	name   string
	root   map[string]any
	others []map[string]any
	// phase is what the recording expects, "" when nobody has said it.
	phase v1alpha1.Phase
	state string
	// actions are what was done since the frame before.
	actions []string
}

// story is a workload's life: one frame for a single object.
type story struct {
	definition string
	frames     []*frame
	// timeline is set for a watch or recording, even one with a single state.
	timeline bool
	notes    []string
}

func (s *story) note(format string, arguments ...any) {
	s.notes = append(s.notes, fmt.Sprintf(format, arguments...))
}

func identity(object map[string]any) string {
	metadata, _ := object["metadata"].(map[string]any)
	if uid, _ := metadata["uid"].(string); uid != "" {
		return uid
	}
	return fmt.Sprint(object["apiVersion"], object["kind"], metadata["namespace"], metadata["name"])
}

// title is KIND NAME.
func title(object map[string]any) string {
	metadata, _ := object["metadata"].(map[string]any)
	return fmt.Sprint(object["kind"], " ", metadata["name"])
}

// member is an object of the input in its latest state.
type member struct {
	event
	root, owned bool
}

// story finds the workload and follows it through the events.
func (r *reader) story(set *resolver.Set) (*story, error) {
	s := &story{notes: r.notes, timeline: r.recorded}
	members := map[string]*member{}
	var order []string
	states := map[string]int{}
	for _, e := range r.events {
		if e.object == nil {
			continue
		}
		id := e.identity()
		if members[id] == nil {
			members[id] = &member{}
			order = append(order, id)
		}
		members[id].event = e
		states[id]++
	}
	if len(order) == 0 {
		return nil, fmt.Errorf("%s holds actions, and no state of a workload", r.name)
	}
	match, root, err := s.findRoot(set, members, order)
	if err != nil {
		return nil, err
	}
	s.definition = match.Resolver.Definition().Name
	if match.OtherVersion {
		s.note("no definition for %v %v, read with %s", members[root].object["apiVersion"], members[root].object["kind"], s.definition)
	}
	s.timeline = s.timeline || states[root] > 1 || members[root].watched
	if err := s.follow(r.events, members, root); err != nil {
		return nil, fmt.Errorf("%s: %w", r.name, err)
	}
	if len(s.frames) == 0 {
		return nil, fmt.Errorf("%s: %s is shown only when it was deleted", members[root].where, title(members[root].object))
	}
	return s, nil
}

// findRoot finds the one workload among the objects, and marks what it owns.
func (s *story) findRoot(set *resolver.Set, members map[string]*member, order []string) (match resolver.Match, root string, err error) {
	objects := make([]map[string]any, len(order))
	for i, id := range order {
		objects[i] = members[id].object
	}
	families := resolver.Families(objects)
	var free, owned []int // families with a definition, whose root nobody or somebody outside owns
	matches := make([]resolver.Match, len(families))
	var missing error
	for i, family := range families {
		found, err := set.FindObject(objects[family.Root])
		var none *resolver.NoDefinitionError
		switch {
		case errors.As(err, &none):
			if missing == nil {
				missing = fmt.Errorf("%s: %w", members[order[family.Root]].where, err)
			}
			continue
		case err != nil:
			return match, "", fmt.Errorf("%s: %w", members[order[family.Root]].where, err)
		}
		matches[i] = found
		if controller(objects[family.Root]) == nil {
			free = append(free, i)
		} else {
			owned = append(owned, i)
		}
	}
	candidates := free
	if len(free) == 0 {
		candidates = owned
	}
	switch len(candidates) {
	case 0:
		return match, "", missing
	case 1:
	default:
		roots := make([]*member, len(candidates))
		for i, candidate := range candidates {
			roots[i] = members[order[families[candidate].Root]]
		}
		return match, "", multiple(roots)
	}
	chosen := families[candidates[0]]
	for i, family := range families {
		if i == candidates[0] {
			continue
		}
		if err := s.leaveOut(members[order[family.Root]]); err != nil {
			return match, "", err
		}
	}
	for _, i := range chosen.Owned {
		members[order[i]].owned = true
	}
	root = order[chosen.Root]
	members[root].root = true
	return matches[candidates[0]], root, nil
}

func multiple(roots []*member) *MultipleError {
	several := &MultipleError{}
	for _, m := range roots {
		several.Workloads = append(several.Workloads, fmt.Sprintf("%s (%s)", title(m.object), m.where))
	}
	return several
}

// leaveOut notes an object that is not part of the workload, or refuses when it
// could be.
func (s *story) leaveOut(m *member) error {
	if owner := controller(m.object); owner != nil {
		metadata, _ := m.object["metadata"].(map[string]any)
		return &StrayError{Where: m.where, Kind: fmt.Sprint(m.object["kind"]), Name: fmt.Sprint(metadata["name"]),
			OwnerKind: fmt.Sprint(owner["kind"]), OwnerName: fmt.Sprint(owner["name"])}
	}
	s.note("%s: %s is left out, it does not belong to the workload", m.where, title(m.object))
	return nil
}

// controller is the owner reference of the object's controller, nil without.
func controller(object map[string]any) map[string]any {
	metadata, _ := object["metadata"].(map[string]any)
	references, _ := metadata["ownerReferences"].([]any)
	for _, entry := range references {
		if reference, _ := entry.(map[string]any); reference["controller"] == true {
			return reference
		}
	}
	return nil
}

// mostObjects bounds the objects of all frames together: each frame holds all
// pods of its time.
const mostObjects = 20_000

// crowd are the objects beside the root as they are at one moment, in the order
// in which they came.
type crowd struct {
	latest map[string]map[string]any
	order  []string
}

func (c *crowd) put(id string, object map[string]any) {
	if c.latest[id] == nil {
		c.order = append(c.order, id)
	}
	c.latest[id] = object
}

func (c *crowd) remove(id string) {
	delete(c.latest, id)
	c.order = slices.DeleteFunc(c.order, func(other string) bool { return other == id })
}

func (c *crowd) objects() []map[string]any {
	var objects []map[string]any
	for _, id := range c.order {
		objects = append(objects, c.latest[id])
	}
	return objects
}

// follow makes a frame for each state of the root.
func (s *story) follow(events []event, members map[string]*member, root string) error {
	others := crowd{latest: map[string]map[string]any{}}
	var current *frame
	var actions []string
	held := 0
	end := func() {
		if current != nil && held <= mostObjects {
			current.others = others.objects()
			held += 1 + len(current.others)
		}
		current = nil
	}
	for _, e := range events {
		if e.object == nil {
			actions = append(actions, e.action)
			continue
		}
		switch id := e.identity(); {
		case id == root && e.deleted:
			s.note("%s: the workload was deleted; the case ends before", e.where)
			end()
			return tooMany(held)
		case id == root:
			end()
			if e.recorded {
				// A recorded state without pods says nothing about them.
				others = crowd{latest: map[string]map[string]any{}}
			}
			for _, pod := range e.pods {
				others.put(identity(pod), pod)
			}
			current = &frame{root: e.object, state: e.state, phase: s.judged(e), actions: actions}
			actions = nil
			s.frames = append(s.frames, current)
		case !members[id].owned:
		case e.deleted:
			others.remove(id)
		default:
			others.put(id, e.object)
		}
	}
	end()
	for _, action := range actions {
		s.note("action %s is left out: no state follows it", action)
	}
	return tooMany(held)
}

func tooMany(held int) error {
	if held > mostObjects {
		return fmt.Errorf("a case of all these states holds more than %d objects: cut it down to the states that matter", mostObjects)
	}
	return nil
}

// judged is the phase that a recording gives to a state. Where it says none, or
// contradicts itself, a person has to say it.
func (s *story) judged(e event) v1alpha1.Phase {
	word := func(text string) v1alpha1.Phase {
		for _, phase := range v1alpha1.HeadlinePhases() {
			if phase != v1alpha1.PhaseUndefined && strings.EqualFold(text, string(phase)) {
				return phase
			}
		}
		return ""
	}
	phase := word(e.state)
	among := slices.ContainsFunc(e.phases, func(text string) bool { return phase != "" && word(text) == phase })
	switch {
	case phase == "" && len(e.phases) == 1:
		return word(e.phases[0])
	case phase != "" && len(e.phases) > 0 && !among:
		s.note("%s: the state is %s, the phases are %s: which is right has to be said in expect", e.where, e.state, joined(e.phases))
		return ""
	}
	return phase
}

// compact drops frames that say the same as the one before.
func (s *story) compact() {
	kept := s.frames[:1]
	for _, f := range s.frames[1:] {
		last := kept[len(kept)-1]
		if len(f.actions) == 0 && f.phase == last.phase && f.state == last.state &&
			reflect.DeepEqual(f.root, last.root) && reflect.DeepEqual(f.others, last.others) {
			continue
		}
		kept = append(kept, f)
	}
	switch dropped := len(s.frames) - len(kept); dropped {
	case 0:
	case 1:
		s.note("1 state is left out: it shows the same as the one before")
	default:
		s.note("%d states are left out: each shows the same as the one before", dropped)
	}
	s.frames = kept
}

func joined(words []string) string { return strings.Join(words, ", ") }
