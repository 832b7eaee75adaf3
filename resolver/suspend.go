package resolver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/workloadmap/wm/api/v1alpha1"
)

// suspension is the compiled suspendDefinition of one component.
type suspension struct {
	suspend, resume []action
}

// action writes one value to every place that a path stands for.
type action struct {
	path  *expression
	value any
}

func (c *compiler) suspension(component string, d *v1alpha1.SuspendDefinition) *suspension {
	if d == nil {
		return nil
	}
	return &suspension{
		suspend: c.actions(component, "suspendDefinition.suspendActions", d.SuspendActions),
		resume:  c.actions(component, "suspendDefinition.resumeActions", d.ResumeActions),
	}
}

func (c *compiler) actions(component, field string, declared []v1alpha1.SuspendAction) []action {
	var actions []action
	for i, d := range declared {
		compiled := action{path: c.expression(component, fmt.Sprintf("%s[%d].path", field, i), d.Path)}
		decoder := json.NewDecoder(strings.NewReader(d.Value))
		decoder.UseNumber()
		if err := decoder.Decode(&compiled.value); err != nil || !json.Valid([]byte(d.Value)) {
			c.fault(component, "%s[%d].value: %q is not a JSON value (text needs its own quotes)", field, i, d.Value)
		}
		compiled.value = plainNumbers(compiled.value)
		actions = append(actions, compiled)
	}
	return actions
}

// plainNumbers turns decoded numbers into int64 or float64.
func plainNumbers(value any) any {
	switch value := value.(type) {
	case json.Number:
		if whole, err := value.Int64(); err == nil {
			return whole
		}
		float, _ := value.Float64()
		return float
	case map[string]any:
		for key, held := range value {
			value[key] = plainNumbers(held)
		}
	case []any:
		for i, held := range value {
			value[i] = plainNumbers(held)
		}
	}
	return value
}

// ErrNoSuspend says that a definition knows no native suspend for its kind.
var ErrNoSuspend = errors.New("the definition has no suspendDefinition: this kind cannot be suspended natively")

// Suspend makes the object ask its controller to hold the workload back, as
// the definition says: roles before the roles that own them, the root last.
// All actions are made or none; the error is ErrNoSuspend, a *RefusedError, or
// one of Resolve's.
func (r *Resolver) Suspend(ctx context.Context, object map[string]any) (*Edit, error) {
	order := rootFirst(nil, r.components[0])
	slices.Reverse(order)
	return r.suspendOrResume(ctx, object, order, func(s *suspension) []action { return s.suspend })
}

// Resume is the reverse of Suspend, with the root first. Errors are the same.
func (r *Resolver) Resume(ctx context.Context, object map[string]any) (*Edit, error) {
	return r.suspendOrResume(ctx, object, rootFirst(nil, r.components[0]), func(s *suspension) []action { return s.resume })
}

// rootFirst lists a component and all below it, owners before what they own,
// in whatever order they were declared.
func rootFirst(order []*component, c *component) []*component {
	order = append(order, c)
	for _, child := range c.children {
		order = rootFirst(order, child)
	}
	return order
}

func (r *Resolver) suspendOrResume(ctx context.Context, object map[string]any, order []*component, actionsOf func(*suspension) []action) (*Edit, error) {
	e, err := r.evaluate(ctx, object, nil)
	if err != nil {
		return nil, err
	}
	w := newEditor(e)
	any := false
	for _, c := range order {
		if c.suspension == nil {
			continue
		}
		any = true
		for _, action := range actionsOf(c.suspension) {
			w.act(c, action)
		}
	}
	if !any {
		return nil, ErrNoSuspend
	}
	return w.finish(ctx)
}

// act makes one action. A path that iterates over nothing has nothing to do; a
// value of another type than the one it replaces is refused.
func (w *editor) act(c *component, action action) {
	at := writable{component: c}
	paths, err := action.path.program.Paths(w.ctx, w.root)
	if err != nil {
		w.refuse(at, action.path.field, "%v", unwritable(action.path, err))
		return
	}
	for _, path := range paths {
		held, _ := valueAt(w.object, path)
		if held != nil && action.value != nil && jsonType(held) != jsonType(action.value) {
			w.refuse(at, action.path.field, "%s holds %s, the action writes %s", jsonPointer(path), describe(held), describe(action.value))
			continue
		}
		if len(path) == 0 {
			w.refuse(at, action.path.field, "%s stands for the whole object", action.path.program)
			continue
		}
		if err := setAt(w.object, path, runtime.DeepCopyJSONValue(action.value)); err != nil {
			w.refuse(at, action.path.field, "%v", err)
		}
	}
}

func jsonType(value any) string {
	switch value.(type) {
	case string:
		return "string"
	case bool:
		return "boolean"
	case []any:
		return "list"
	case map[string]any:
		return "object"
	default:
		return "number"
	}
}
