package resolver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/workloadmap/wm/jq"
)

// Target limits an edit to one component, or to one instance of it. The zero
// Target means every role of the workload.
type Target struct {
	// Component is a role's name in the definition; "" means every role.
	Component string
	// Instance is one instance's ID; "" means every instance.
	Instance string
}

// Edit is the result of changing an object through its definition.
type Edit struct {
	// Object is the changed object. It shares no memory with the original.
	Object map[string]any
	// Changes are the smallest places in which Object differs from the original,
	// in order of their paths; empty when the object was already as asked for.
	Changes []Change
}

// JSONPatch is the edit as a JSON patch (RFC 6902) of the original.
func (e *Edit) JSONPatch() []JSONPatchOperation { return jsonPatch(e.Changes) }

// Refusal is one part of an edit that the definition or the object cannot take.
type Refusal struct {
	// Component and Instance are the role that cannot take it; Instance is "" for
	// a role that does not repeat.
	Component string
	Instance  string
	// Field is the part of the patch, such as metadata.labels, or the definition's
	// field for suspend and resume; "" means all of it.
	Field string
	// Reason is one clause for a person.
	Reason string
}

// RefusedError says that an edit was not made, because parts of it could not be.
type RefusedError struct {
	// Refusals are all parts that were refused, never empty.
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
	e, err := r.evaluate(ctx, object, nil)
	if err != nil {
		return nil, err
	}
	template, err := patch.templatePatch()
	if err != nil {
		return nil, err
	}
	raw, err := patch.rawPatch()
	if err != nil {
		return nil, err
	}
	w := newEditor(e)
	w.template, w.raw, w.containers = template, raw, patch.containerPatches()
	if err := w.edit(r, target); err != nil {
		return nil, err
	}
	return w.finish(ctx)
}

// evaluate prepares an object for reading: every component's presence, no pods.
// What is apart keeps its integers as they are, see jq.NewInputApart.
func (r *Resolver) evaluate(ctx context.Context, object map[string]any, apart *jq.Places) (*evaluation, error) {
	if got := kindIn(object); got.Group != r.root.Group || got.Kind != r.root.Kind {
		return nil, &KindError{Definition: r.definition.Name, Want: r.root, Got: got}
	}
	input, err := jq.NewInputApart(object, apart)
	if err != nil {
		return nil, fmt.Errorf("read %s %q: %w", text(object["kind"]), text(child(object, "metadata")["name"]), err)
	}
	e := &evaluation{
		ctx: ctx, root: input,
		presence: make([]presence, len(r.components)),
		onRoot:   map[*jq.Program]outcome{},
	}
	for i, c := range r.components {
		e.presenceOf(c, &e.presence[i])
	}
	return e, nil
}

// editor makes one edit. It writes into object and collects refusals; object
// is handed out only when there are none.
type editor struct {
	*evaluation
	before, object map[string]any
	// template are the typed parts of the patch but the containers, raw is the
	// caller's own part; both in the shape of a pod template.
	template, raw map[string]any
	containers    []map[string]any
	refusals      []Refusal
}

func newEditor(e *evaluation) *editor {
	return &editor{
		evaluation: e,
		before:     object(jsonForm(e.root.Value())),
		object:     object(jsonForm(e.root.Value())),
	}
}

// finish hands out the edited object, unless anything was refused.
func (w *editor) finish(ctx context.Context) (*Edit, error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("edit %s %q: %w", text(w.before["kind"]), text(child(w.before, "metadata")["name"]), err)
	}
	if len(w.refusals) > 0 {
		return nil, &RefusedError{Refusals: w.refusals}
	}
	return &Edit{Object: w.object, Changes: difference(nil, w.before, w.object)}, nil
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
		held := w.presence[c.index]
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
		return nothingTargeted(target, others)
	}
	shared := w.places(others)
	done := map[string]bool{}
	for _, at := range targets {
		w.editPod(at, shared, done)
	}
	if len(w.refusals) == 0 {
		w.verify(others)
	}
	return nil
}

// nothingTargeted says which roles the object has instead.
func nothingTargeted(target Target, others []writable) error {
	names := make([]string, len(others))
	for i, other := range others {
		names[i] = roleName(other)
	}
	wanted := strings.TrimSuffix(target.Component+"/"+target.Instance, "/")
	if len(names) == 0 {
		return fmt.Errorf("edit %s: %w, it has none that the definition knows", wanted, ErrNothingTargeted)
	}
	return fmt.Errorf("edit %s: %w, it has %s", wanted, ErrNothingTargeted, strings.Join(names, ", "))
}

// verify reads the roles outside the target again. Where their places are not
// known, as with paths that compute something, or depend on what was written,
// this is how a change of theirs comes to light.
func (w *editor) verify(others []writable) {
	input, err := jq.NewInput(w.object)
	if err != nil {
		w.refuse(writable{component: &component{}}, "", "the result cannot be read: %v", err)
		return
	}
	after := &evaluation{ctx: w.ctx, root: input, onRoot: map[*jq.Program]outcome{}}
	before := &evaluation{ctx: w.ctx, root: w.root, onRoot: w.onRoot}
	checked := map[*component]bool{}
	for _, at := range others {
		if checked[at.component] {
			continue
		}
		now := after.instancesOf(at.component)
		held := w.presence[at.component.index].in
		same := slices.Equal(now.ids, held.ids)
		for _, x := range at.component.pods.expressions() {
			if !same {
				break
			}
			old, _ := before.perInstance(x, held)
			changed, _ := after.perInstance(x, now)
			same = w.unchanged(at.component, old, changed, held.ids, others)
		}
		if !same {
			w.refuse(at, "", "would change too, and the edit does not name it")
		}
		checked[at.component] = true
	}
}

// unchanged compares what an expression gives for those instances of a
// component that are outside the target.
func (w *editor) unchanged(c *component, old, changed []any, ids []string, others []writable) bool {
	if len(old) != len(changed) {
		return false
	}
	for i := range old {
		outside := slices.ContainsFunc(others, func(at writable) bool { return at.component == c && at.id == ids[i] })
		if outside && !same(old[i], changed[i]) {
			return false
		}
	}
	return true
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
	in := w.presence[at.component.index].in
	input := w.root
	var entry *jq.Entry
	if in.views != nil && x.program.Mentions(in.base) {
		entry = &in.views[at.instance]
		input = entry.Alone
	}
	paths, err := x.program.Paths(w.ctx, input)
	if err != nil {
		return nil, unwritable(x, err)
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

// unwritable explains why an expression stands for no place.
func unwritable(x *expression, err error) error {
	if x.program.Assignable() {
		return fmt.Errorf("%s %s", x.program, messageOf(err))
	}
	return fmt.Errorf("%s can only be read, not written", x.program)
}

// jsonForm copies a value of the engine into the form that Kubernetes' own
// tools take: int64 for integers, json.Number for what is larger.
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
	case *big.Int:
		return json.Number(value.String())
	default:
		return value
	}
}
