package resolver

import (
	"fmt"
	"math"
	"strconv"
)

// scale holds the compiled scaleDefinition; each expression may be nil.
type scale struct {
	replicas, min, max *expression
}

// stated reports whether the definition gives any count at all.
func (s scale) stated() bool { return s.replicas != nil || s.min != nil || s.max != nil }

// replicasOf reads the counts of every instance. A component that states only
// a minimum wants that many.
func (e *evaluation) replicasOf(s scale, in *instances) []InstanceReplicas {
	counts := make([]InstanceReplicas, len(in.ids))
	e.counts(s.replicas, in, func(i int, n *int64) { counts[i].Desired = n })
	e.counts(s.min, in, func(i int, n *int64) { counts[i].Min = n })
	e.counts(s.max, in, func(i int, n *int64) { counts[i].Max = n })
	for i := range counts {
		if s.replicas == nil && counts[i].Desired == nil {
			counts[i].Desired = counts[i].Min
		}
	}
	return counts
}

func (e *evaluation) counts(x *expression, in *instances, set func(i int, n *int64)) {
	if x == nil {
		return
	}
	values, ok := e.perInstance(x, in)
	if !ok {
		return
	}
	for i, value := range values {
		if value == nil {
			continue
		}
		n, err := countOf(value)
		if err != nil {
			e.problem(x, "%s%v", where{in, i}, err)
			continue
		}
		set(i, &n)
	}
}

// where says of which instance a problem is, put into words only when there is one.
type where struct {
	in       *instances
	instance int
}

func (w where) String() string {
	if w.in.repeated {
		return fmt.Sprintf("instance %q: ", w.in.ids[w.instance])
	}
	return ""
}

// countOf reads a number of replicas. Numeric strings are accepted, since
// annotations (Knative's min-scale) can hold nothing else.
func countOf(value any) (int64, error) {
	var n int64
	switch value := value.(type) {
	case int:
		n = int64(value)
	case float64:
		if value != math.Trunc(value) || math.Abs(value) > math.MaxInt32 {
			return 0, fmt.Errorf("%v is not a number of replicas", value)
		}
		n = int64(value)
	case string:
		parsed, err := strconv.ParseInt(value, 10, 32)
		if err != nil {
			return 0, fmt.Errorf("%q is not a number of replicas", value)
		}
		n = parsed
	default:
		return 0, fmt.Errorf("gives %s, a number of replicas is needed", describe(value))
	}
	if n < 0 || n > math.MaxInt32 {
		return 0, fmt.Errorf("%d is not a number of replicas", n)
	}
	return n, nil
}
