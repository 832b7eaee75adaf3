package resolver

import (
	"context"
	"fmt"

	"github.com/workloadmap/wm/api/v1alpha1"
)

// Why is what made a definition report one phase for an object.
type Why struct {
	Phase v1alpha1.Phase `json:"phase"`
	// Field is the definition's field, such as statusMappings.running[0]; "" for
	// Undefined, which no matcher gives.
	Field string `json:"field"`
	// NativePhase is the framework's word that the matcher asked for, "" when it asked for none.
	NativePhase string `json:"nativePhase,omitempty"`
	// Conditions are those of the object that the matcher asked for.
	Conditions []Condition `json:"conditions,omitempty"`
	// Expression gave Result; both are "" when the matcher has none.
	Expression string `json:"expression,omitempty"`
	Result     string `json:"result,omitempty"`
}

// Why tells for each matched phase of an object, in the order of
// Workload.MatchedPhases, the first matcher that holds. Errors are those of Resolve.
func (r *Resolver) Why(ctx context.Context, object map[string]any) ([]Why, error) {
	w := newWorkload(object)
	e, err := r.evaluate(ctx, object, r.apart)
	if err != nil {
		return nil, err
	}
	e.statusOf(r.status, w)
	var reasons []Why
	for _, mapping := range r.status.mappings {
		for i, matcher := range mapping.matchers {
			if e.matches(matcher, w) {
				reasons = append(reasons, matcher.why(mapping.phase, i, w))
				break
			}
		}
	}
	if len(reasons) == 0 {
		reasons = []Why{{Phase: v1alpha1.PhaseUndefined}}
	}
	return reasons, ctx.Err()
}

// why describes a matcher that holds.
func (m matcher) why(phase v1alpha1.Phase, i int, w *Workload) Why {
	reason := Why{Phase: phase, Field: fmt.Sprintf("statusMappings.%s[%d]", phase.Key(), i), NativePhase: m.phase}
	for _, wanted := range m.conditions {
		for at := len(w.Conditions) - 1; at >= 0; at-- {
			if w.Conditions[at].Type == wanted.Type {
				reason.Conditions = append(reason.Conditions, w.Conditions[at])
				break
			}
		}
	}
	if m.expression != nil {
		reason.Expression, reason.Result = m.expression.program.String(), m.expected
	}
	return reason
}
