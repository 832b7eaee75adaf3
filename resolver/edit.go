package resolver

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/workloadmap/wm/jq"
)

// Target limits an edit to one component, or to one instance of it. The zero
// Target means every role of the workload.
type Target struct {
	Component string
	Instance  string
}

// Edit is the result of changing an object through its definition.
type Edit struct {
	// Object is the changed object. It shares no memory with the original.
	Object map[string]any
	// Changes are the smallest places in which Object differs from the original.
	Changes []Change
}

// JSONPatch is the edit as a JSON patch (RFC 6902) of the original.
func (e *Edit) JSONPatch() []JSONPatchOperation { return jsonPatch(e.Changes) }

// Refusal is one part of an edit that the definition or the object cannot take.
type Refusal struct {
	Component string
	Instance  string
	// Field is the part of the patch, such as metadata.labels; "" means all of it.
	Field  string
	Reason string
}

// RefusedError says that an edit was not made, because parts of it could not be.
type RefusedError struct {
	Refusals []Refusal
}

func (e *RefusedError) Error() string {
	lines := make([]string, len(e.Refusals))
	for i, refusal := range e.Refusals {
		where := refusal.Component
		if refusal.Instance != "" {
			where += "/" + refusal.Instance
		}
		if refusal.Field != "" {
			where += " " + refusal.Field
		}
		lines[i] = where + ": " + refusal.Reason
	}
	return "nothing was changed: " + strings.Join(lines, "; ")
}

// ErrNothingTargeted says that an edit's target names no role of the object.
var ErrNothingTargeted = errors.New("no such role in this object")

// Edit changes the pods of a workload through its definition. Only the fields
// that the patch names change, everything else of the object stays as it is,
// also what no schema knows. When any part cannot be made nothing is: the error
// is then a *RefusedError with every part that was refused and why. Other
// errors are those of Resolve, and ErrNothingTargeted.
func (r *Resolver) Edit(ctx context.Context, object map[string]any, target Target, patch Patch) (*Edit, error) {
	e, err := r.evaluate(ctx, object)
	if err != nil {
		return nil, err
	}
	template, err := patch.templatePatch()
	if err != nil {
		return nil, err
	}
	edited := runtime.DeepCopyJSON(jsonForm(e.root.Value()).(map[string]any))
	w := &editor{
		evaluation: e,
		before:     runtime.DeepCopyJSON(edited),
		object:     edited,
		template:   template,
		containers: patch.containerPatches(),
		raw:        patch.Template,
	}
	if err := w.edit(r, target); err != nil {
		return nil, err
	}
	return &Edit{Object: w.object, Changes: difference(nil, w.before, w.object)}, nil
}

// evaluate prepares an object for reading: every component's presence, no pods.
func (r *Resolver) evaluate(ctx context.Context, object map[string]any) (*evaluation, error) {
	w := newWorkload(object)
	if got := kindOf(w); got.Group != r.root.Group || got.Kind != r.root.Kind {
		return nil, &KindError{Definition: r.definition.Name, Want: r.root, Got: got}
	}
	input, err := jq.NewInput(object)
	if err != nil {
		return nil, fmt.Errorf("read %s %q: %w", w.Kind, w.Name, err)
	}
	e := &evaluation{ctx: ctx, root: input, presence: make(map[*component]*presence, len(r.components))}
	for _, c := range r.components {
		e.presence[c] = e.presenceOf(c)
	}
	return e, nil
}

// editor makes one edit. It writes into object and collects refusals; object
// is handed out only when there are none.
type editor struct {
	*evaluation
	before, object map[string]any
	template       map[string]any
	containers     []map[string]any
	raw            map[string]any
	refusals       []Refusal
}

// writable is one role instance that an edit may write to.
type writable struct {
	component *component
	instance  int
	id        string
}

func (w *editor) refuse(at writable, field, format string, arguments ...any) {
	w.refusals = append(w.refusals, Refusal{
		Component: at.component.name,
		Instance:  at.id,
		Field:     field,
		Reason:    fmt.Sprintf(format, arguments...),
	})
}

func (w *editor) edit(r *Resolver, target Target) error {
	var targets, others []writable
	for _, c := range r.components {
		held := w.presence[c]
		if c.logical() || held.absent {
			continue
		}
		for i, id := range held.in.ids {
			at := writable{component: c, instance: i, id: id}
			if (target.Component == "" || target.Component == c.name) && (target.Instance == "" || target.Instance == id) {
				targets = append(targets, at)
			} else {
				others = append(others, at)
			}
		}
	}
	if len(targets) == 0 {
		return fmt.Errorf("edit %s: %w", strings.TrimSuffix(target.Component+"/"+target.Instance, "/"), ErrNothingTargeted)
	}
	shared := w.places(others)
	done := map[string]bool{}
	for _, at := range targets {
		w.editPod(at, shared, done)
	}
	if len(w.refusals) > 0 {
		return &RefusedError{Refusals: w.refusals}
	}
	return nil
}

// places are where roles outside the target keep their pods, by JSON pointer.
// Writing there would change them too.
func (w *editor) places(others []writable) map[string]writable {
	places := map[string]writable{}
	for _, at := range others {
		for _, x := range at.component.pods.expressions() {
			if path, err := w.locate(x, at); err == nil {
				places[jsonPointer(path)] = at
			}
		}
	}
	return places
}

// owned finds the place of a role's pods and refuses one that a role outside
// the target uses too.
func (w *editor) owned(x *expression, at writable, field string, shared map[string]writable) ([]any, bool) {
	path, err := w.locate(x, at)
	if err != nil {
		w.refuse(at, field, "%v", err)
		return nil, false
	}
	pointer := jsonPointer(path)
	for place, other := range shared {
		if place == pointer || strings.HasPrefix(place, pointer+"/") || strings.HasPrefix(pointer, place+"/") {
			w.refuse(at, field, "%s is also used by %s, which the edit does not name", x.program, roleName(other))
			return nil, false
		}
	}
	return path, true
}

func roleName(at writable) string {
	if at.id == "" {
		return at.component.name
	}
	return at.component.name + "/" + at.id
}

// locate finds the one place in the object that an expression stands for.
func (w *editor) locate(x *expression, at writable) ([]any, error) {
	in := w.presence[at.component].in
	input := w.root
	var entry *jq.Entry
	if in.views != nil && x.program.Mentions(in.base) {
		entry = &in.views[at.instance]
		input = entry.Alone
	}
	paths, err := x.program.Paths(w.ctx, input)
	if err != nil {
		return nil, fmt.Errorf("%s can only be read, not written", x.program)
	}
	if entry == nil && in.repeated && len(paths) == len(in.ids) {
		return paths[at.instance], nil
	}
	if len(paths) != 1 {
		return nil, fmt.Errorf("%s stands for %s in this object, one is needed", x.program, count(len(paths), "place"))
	}
	if entry == nil {
		return paths[0], nil
	}
	return entry.InWhole(paths[0]), nil
}

// jsonForm turns the engine's integers into int64, the only integers that
// Kubernetes' own tools take in a JSON value.
func jsonForm(value any) any {
	switch value := value.(type) {
	case map[string]any:
		object := make(map[string]any, len(value))
		for key, held := range value {
			object[key] = jsonForm(held)
		}
		return object
	case []any:
		array := make([]any, len(value))
		for i, held := range value {
			array[i] = jsonForm(held)
		}
		return array
	case int:
		return int64(value)
	default:
		return value
	}
}
