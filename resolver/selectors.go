package resolver

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"

	"github.com/workloadmap/wm/api/v1alpha1"
	"github.com/workloadmap/wm/jq"
)

// selectors are the compiled podSelector of one component. All expressions are
// evaluated on a pod.
type selectors struct {
	labels map[string]string
	key    *expression
	value  *string

	instance *expression
	// unit is the component's own replica selector or the one it inherits from
	// the nearest owner that has one.
	unit *expression
	// unitOwner is the component that declares unit.
	unitOwner *component
}

// typed reports whether the component tells its pods by a type selector.
func (s *selectors) typed() bool { return s.key != nil || len(s.labels) > 0 }

func (c *compiler) selectors(component string, d *v1alpha1.PodSelector) selectors {
	compiled := selectors{}
	if d == nil {
		return compiled
	}
	if by := d.ComponentTypeSelector; by != nil {
		compiled.labels = maps.Clone(by.MatchLabels)
		if by.KeyPath != nil {
			compiled.key = c.podExpression(component, "podSelector.componentTypeSelector.keyPath", *by.KeyPath)
		}
		compiled.value = by.Value
	}
	if by := d.ComponentInstanceSelector; by != nil {
		compiled.instance = c.podExpression(component, "podSelector.componentInstanceSelector.idPath", by.IDPath)
	}
	if by := d.ReplicaSelector; by != nil {
		compiled.unit = c.podExpression(component, "podSelector.replicaSelector.keyPath", by.KeyPath)
	}
	return compiled
}

// inheritUnits hands every replica selector down to the components below.
func inheritUnits(c *component) {
	if c.selectors.unit != nil && c.selectors.unitOwner == nil {
		c.selectors.unitOwner = c
	}
	for _, child := range c.children {
		if child.selectors.unit == nil {
			child.selectors.unit = c.selectors.unit
			child.selectors.unitOwner = c.selectors.unitOwner
		}
		inheritUnits(child)
	}
}

// matchesType evaluates the type selector. The key is an expression in its own
// right: each of its results is compared with the value, so that a key found
// through either side of // counts. A failing key matches nothing.
func (e *evaluation) matchesType(s *selectors, pod *podInput) bool {
	for name, value := range s.labels {
		if held, ok := pod.labels[name].(string); !ok || held != value {
			return false
		}
	}
	if s.key == nil {
		return len(s.labels) > 0
	}
	if value, ok := s.key.plainly(pod.value); ok {
		return s.wants(value)
	}
	results, err := s.key.program.RunShared(e.ctx, pod.input())
	return err == nil && slices.ContainsFunc(results, s.wants)
}

// wants compares one result of the key.
func (s *selectors) wants(result any) bool {
	if s.value == nil {
		return result != nil
	}
	return result == *s.value
}

// podKey evaluates an expression that has to give one value for a pod: an
// instance ID, a unit, a gang key. Anything else is no key.
func (e *evaluation) podKey(x *expression, pod *podInput) (string, bool) {
	if value, ok := x.plainly(pod.value); ok {
		return keyText(value)
	}
	results, err := x.program.RunShared(e.ctx, pod.input())
	if err != nil || len(results) != 1 {
		return "", false
	}
	return keyText(results[0])
}

// plainly reads a path that is nothing but fields, as nearly all keys are,
// without a normalised input, which would take longer to make than all else
// that is done with a pod. It answers only for what is the same in any input:
// strings and what is not there.
func (x *expression) plainly(value any) (read any, ok bool) {
	if x.fields == nil {
		return nil, false
	}
	for _, field := range x.fields {
		held, isObject := value.(map[string]any)
		if !isObject {
			return nil, value == nil
		}
		value = held[field]
	}
	_, isText := value.(string)
	return value, isText || value == nil
}

// fieldsOf are the steps of a path that is nothing but fields, else nil.
func fieldsOf(program *jq.Program) []string {
	path, plain := program.Path()
	if !plain {
		return nil
	}
	var fields []string
	for _, step := range path {
		if step.Kind != jq.StepField {
			return nil
		}
		fields = append(fields, step.Field)
	}
	return fields
}

// keyText writes a key as text: strings as they are, whole numbers without exponent.
func keyText(value any) (string, bool) {
	switch value := value.(type) {
	case string:
		return value, value != ""
	case int:
		return strconv.Itoa(value), true
	case float64:
		if value == math.Trunc(value) && math.Abs(value) < 1<<53 {
			return strconv.FormatInt(int64(value), 10), true
		}
		return strconv.FormatFloat(value, 'g', -1, 64), true
	case bool:
		return strconv.FormatBool(value), true
	case nil:
		return "", false
	default:
		content, err := json.Marshal(value)
		return string(content), err == nil
	}
}

// podInput is one candidate pod.
type podInput struct {
	value  map[string]any
	labels map[string]any
	state  Pod
	// counts is whether the pod is current: neither finished nor being deleted.
	counts bool
	// made is the pod as programs read it, when one needed it; err why it cannot be.
	made *jq.Input
	err  error
}

// newPodInput reads a pod. The parts that are read directly must be plain JSON
// objects; a pod that holds them in other Go types is normalised first.
func newPodInput(value map[string]any) (*podInput, error) {
	pod := &podInput{value: value}
	if !plainPod(value) {
		in, err := jq.NewInput(value)
		if err != nil {
			return nil, fmt.Errorf("read pod %q: %w", text(child(value, "metadata")["name"]), err)
		}
		pod.value, pod.made = object(in.Value()), &in
	}
	pod.state, pod.counts = podState(pod.value)
	pod.labels = child(child(pod.value, "metadata"), "labels")
	return pod, nil
}

func plainPod(value map[string]any) bool {
	isObject := func(value any) bool {
		_, ok := value.(map[string]any)
		return ok || value == nil
	}
	return isObject(value["metadata"]) && isObject(value["spec"]) && isObject(value["status"]) &&
		isObject(child(value, "metadata")["labels"]) && isObject(child(value, "metadata")["annotations"])
}

// input is the pod as programs read it; null, which has no keys, and err for a
// pod that is not JSON.
func (p *podInput) input() jq.Input {
	if p.made == nil {
		in, err := jq.NewInput(p.value)
		p.made, p.err = &in, err
	}
	return *p.made
}
