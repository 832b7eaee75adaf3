package coverage

import (
	"context"
	"fmt"

	"github.com/workloadmap/wm/jq"
	"github.com/workloadmap/wm/resolver"
	"github.com/workloadmap/wm/testkit"
)

// sight is one frame of a case and what the definition makes of it.
type sight struct {
	reader *resolver.Resolver
	frame  *testkit.Frame
	object map[string]any
	// before is the object of the frame before, nil in the first.
	before map[string]any
	// root is object as programs read it.
	root     *subject
	workload *resolver.Workload
	// present are the roles that the object has, the root role always.
	present map[string]bool
	// pods are the pods of each role.
	pods map[string][]pod
	// edits are the changes that the expected edits make; nil until asked for.
	edits *[]resolver.Change
}

// pod is one pod in its place.
type pod struct {
	name, instance, unit string
	*subject
}

// subject is what expressions are asked of. It remembers their answers, since an
// expression is compared with what each of its branches makes of it.
type subject struct {
	input   jq.Input
	answers map[*jq.Program]answer
}

// answer is what a program gives.
type answer struct {
	results []any
	err     error
}

func newSubject(value any) (*subject, error) {
	in, err := jq.NewInput(value)
	return &subject{input: in, answers: map[*jq.Program]answer{}}, err
}

func (s *subject) ask(ctx context.Context, program *jq.Program) answer {
	held, known := s.answers[program]
	if !known {
		held.results, held.err = program.RunShared(ctx, s.input)
		s.answers[program] = held
	}
	return held
}

// look replays a case; nil when it fails.
func look(ctx context.Context, reader *resolver.Resolver, c *testkit.LoadedCase) ([]*sight, error) {
	sights := make([]*sight, len(c.Frames))
	for i := range c.Frames {
		result, err := c.ReplayFrame(ctx, reader, i)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil || len(result.Failures) > 0 {
			return nil, nil
		}
		s := &sight{reader: reader, frame: &c.Frames[i], object: c.States[i].Object}
		if i > 0 {
			s.before = c.States[i-1].Object
		}
		if err := s.open(ctx, c.States[i]); err != nil {
			return nil, fmt.Errorf("read case %s: %w", c.Name, err)
		}
		sights[i] = s
	}
	return sights, nil
}

func (s *sight) open(ctx context.Context, state testkit.State) error {
	var err error
	if s.workload, err = s.reader.Resolve(ctx, state.Object, state.Given...); err != nil {
		return err
	}
	if s.root, err = newSubject(state.Object); err != nil {
		return err
	}
	s.present = map[string]bool{s.reader.ComponentNames()[0]: true}
	s.pods = map[string][]pod{}
	objects := podsByName(state)
	s.workload.Walk(func(c *resolver.Component) bool {
		s.present[c.Name] = len(c.Instances) > 0
		for _, instance := range c.Instances {
			for _, placed := range instance.Pods {
				held := pod{name: placed.Name, instance: instance.ID, unit: placed.Unit}
				if held.subject, err = newSubject(objects[placed.Name]); err != nil {
					return false
				}
				s.pods[c.Name] = append(s.pods[c.Name], held)
			}
		}
		return true
	})
	return err
}

// podsByName finds a pod's object. A workload that is a Pod is its own pod.
func podsByName(state testkit.State) map[string]any {
	objects := map[string]any{}
	for _, object := range append([]map[string]any{state.Object}, state.Pods...) {
		metadata, _ := object["metadata"].(map[string]any)
		if name, ok := metadata["name"].(string); ok && object["kind"] == "Pod" {
			objects[name] = object
		}
	}
	return objects
}

// edited are the changes that the frame's expected edits make.
func (s *sight) edited(ctx context.Context) []resolver.Change {
	if s.edits == nil {
		s.edits = &[]resolver.Change{}
		for _, expected := range s.frame.Expect.Edits {
			edit, err := s.reader.Edit(ctx, s.object, expected.Target, resolver.Patch{Template: expected.Template})
			if err == nil {
				*s.edits = append(*s.edits, edit.Changes...)
			}
		}
	}
	return *s.edits
}

// writes reports whether a change touches a place that a path stands for.
func writes(ctx context.Context, changes []resolver.Change, path *jq.Program, in jq.Input) bool {
	if len(changes) == 0 {
		return false
	}
	places, err := path.Paths(ctx, in)
	if err != nil {
		return false
	}
	for _, place := range places {
		for _, change := range changes {
			if touches(change, place) {
				return true
			}
		}
	}
	return false
}

// touches reports whether a change is at a place, within it, or makes what holds it.
func touches(change resolver.Change, place []any) bool {
	shared := min(len(change.Path), len(place))
	for i := range shared {
		if change.Path[i] != place[i] {
			return false
		}
	}
	if len(place) <= len(change.Path) {
		return true
	}
	_, found := valueAt(change.New, place[shared:])
	return found
}

// valueAt follows a path of field names and list indexes.
func valueAt(value any, steps []any) (held any, found bool) {
	for _, step := range steps {
		switch step := step.(type) {
		case string:
			object, _ := value.(map[string]any)
			if value, found = object[step]; !found {
				return nil, false
			}
		case int:
			list, _ := value.([]any)
			if step < 0 || step >= len(list) {
				return nil, false
			}
			value = list[step]
		}
	}
	return value, true
}
