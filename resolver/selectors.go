package resolver

import (
	"encoding/json"
	"fmt"
	"math"
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
		compiled.labels = by.MatchLabels
		compiled.key = c.optional(component, "podSelector.componentTypeSelector.keyPath", by.KeyPath)
		compiled.value = by.Value
	}
	if by := d.ComponentInstanceSelector; by != nil {
		compiled.instance = c.expression(component, "podSelector.componentInstanceSelector.idPath", by.IDPath)
	}
	if by := d.ReplicaSelector; by != nil {
		compiled.unit = c.expression(component, "podSelector.replicaSelector.keyPath", by.KeyPath)
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
	results, err := s.key.program.RunShared(e.ctx, pod.input)
	if err != nil {
		return false
	}
	for _, result := range results {
		switch {
		case s.value == nil && result != nil:
			return true
		case s.value != nil && result == *s.value:
			return true
		}
	}
	return false
}

// podKey evaluates an expression that has to give one value for a pod: an
// instance ID, a unit, a gang key. Anything else is no key.
func (e *evaluation) podKey(x *expression, pod *podInput) (string, bool) {
	results, err := x.program.RunShared(e.ctx, pod.input)
	if err != nil || len(results) != 1 {
		return "", false
	}
	return keyText(results[0])
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

// podInput is one candidate pod, prepared once for all expressions.
type podInput struct {
	value  map[string]any
	labels map[string]any
	input  jq.Input
	state  Pod
	// counts is whether the pod is current: neither finished nor being deleted.
	counts bool
}

func newPodInput(value map[string]any) (*podInput, error) {
	input, err := jq.NewInput(value)
	if err != nil {
		return nil, fmt.Errorf("read pod: %w", err)
	}
	metadata, _ := value["metadata"].(map[string]any)
	labels, _ := metadata["labels"].(map[string]any)
	state, counts := podState(value)
	return &podInput{value: value, labels: labels, input: input, state: state, counts: counts}, nil
}
