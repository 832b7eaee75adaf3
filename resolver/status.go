package resolver

import (
	"fmt"

	"github.com/workloadmap/wm/api/v1alpha1"
	"github.com/workloadmap/wm/jq"
)

// status is the compiled statusDefinition of the root component.
type status struct {
	phase      *expression
	conditions *expression
	fields     v1alpha1.ConditionsDefinition
	// mappings are in match order.
	mappings []mapping
}

type mapping struct {
	phase    v1alpha1.Phase
	matchers []matcher
}

// matcher holds when all of its parts do. The zero matcher always holds.
type matcher struct {
	phase      string
	conditions []v1alpha1.ConditionMatcher
	expression *expression
	expected   string
}

// expressions lists all that the status is read with; some may be nil.
func (s *status) expressions() []*expression {
	all := []*expression{s.phase, s.conditions}
	for _, mapping := range s.mappings {
		for _, matcher := range mapping.matchers {
			all = append(all, matcher.expression)
		}
	}
	return all
}

func (c *compiler) status(root *v1alpha1.Component) *status {
	d := root.StatusDefinition
	if d == nil {
		c.fault(root.Name, "the root component needs a statusDefinition")
		return nil
	}
	compiled := &status{}
	if d.PhaseDefinition != nil {
		compiled.phase = c.expression(root.Name, "statusDefinition.phaseDefinition.path", d.PhaseDefinition.Path)
	}
	if d.ConditionsDefinition != nil {
		compiled.fields = *d.ConditionsDefinition
		compiled.fields.SetDefaults()
		compiled.conditions = c.expression(root.Name, "statusDefinition.conditionsDefinition.path", d.ConditionsDefinition.Path)
	}
	for _, phase := range v1alpha1.MatchPhases() {
		m := mapping{phase: phase}
		for i, declared := range d.StatusMappings.For(phase) {
			m.matchers = append(m.matchers, c.matcher(root.Name, phase, i, declared))
		}
		compiled.mappings = append(compiled.mappings, m)
	}
	return compiled
}

func (c *compiler) matcher(component string, phase v1alpha1.Phase, i int, declared v1alpha1.StatusMatcher) matcher {
	compiled := matcher{phase: declared.ByPhase, conditions: declared.ByConditions}
	if by := declared.ByExpression; by != nil {
		field := fmt.Sprintf("statusDefinition.statusMappings.%s[%d].byExpression.expression", phase.Key(), i)
		compiled.expression = c.expression(component, field, by.Expression)
		compiled.expected = by.ExpectedResult
	}
	return compiled
}

// statusOf fills in the workload's phase, native phase and conditions.
func (e *evaluation) statusOf(s *status, w *Workload) {
	w.Conditions = []Condition{}
	if s.phase != nil {
		if results, ok := e.runRoot(s.phase); ok && len(results) > 0 {
			w.NativePhase = e.nativePhase(s.phase, results[0])
		}
	}
	if s.conditions != nil {
		if conditions := e.conditionsOf(s); conditions != nil {
			w.Conditions = conditions
		}
	}
	for _, mapping := range s.mappings {
		for _, matcher := range mapping.matchers {
			if e.matches(matcher, w) {
				w.MatchedPhases = append(w.MatchedPhases, mapping.phase)
				break
			}
		}
	}
	if len(w.MatchedPhases) == 0 {
		w.MatchedPhases = []v1alpha1.Phase{v1alpha1.PhaseUndefined}
	}
	w.Phase = headline(w.MatchedPhases)
}

func (e *evaluation) nativePhase(x *expression, value any) *string {
	switch value := value.(type) {
	case nil:
		return nil
	case string:
		return &value
	default:
		e.problem(x, "gives %s, a phase is a string", describe(value))
		return nil
	}
}

// conditionsOf reads the list of conditions. Fields that are not strings are
// read as empty, as the first implementation does.
func (e *evaluation) conditionsOf(s *status) []Condition {
	var conditions []Condition
	results, _ := e.runRoot(s.conditions)
	for _, result := range results {
		if result == nil {
			continue
		}
		list, ok := result.([]any)
		if !ok {
			e.problem(s.conditions, "gives %s, a list of conditions is needed", describe(result))
			continue
		}
		for i, item := range list {
			condition, ok := item.(map[string]any)
			if !ok {
				e.problem(s.conditions, "entry %d is %s, a condition is an object", i, describe(item))
				continue
			}
			text := func(field string) string {
				value, _ := condition[field].(string)
				return value
			}
			if conditions == nil {
				conditions = make([]Condition, 0, len(list))
			}
			conditions = append(conditions, Condition{
				Type:    text(s.fields.TypeFieldName),
				Status:  text(s.fields.StatusFieldName),
				Reason:  text(s.fields.ReasonFieldName),
				Message: text(s.fields.MessageFieldName),
			})
		}
	}
	return conditions
}

func (e *evaluation) matches(m matcher, w *Workload) bool {
	if m.phase != "" && (w.NativePhase == nil || *w.NativePhase != m.phase) {
		return false
	}
	for _, wanted := range m.conditions {
		if !hasCondition(w.Conditions, wanted) {
			return false
		}
	}
	return m.expression == nil || e.gives(m.expression, m.expected)
}

// hasCondition tests the last condition of the wanted type, since a later
// entry replaces an earlier one. An absent condition never matches.
func hasCondition(conditions []Condition, wanted v1alpha1.ConditionMatcher) bool {
	for i := len(conditions) - 1; i >= 0; i-- {
		held := conditions[i]
		if held.Type != wanted.Type {
			continue
		}
		return (wanted.Status == "" || held.Status == wanted.Status) &&
			(wanted.Reason == "" || held.Reason == wanted.Reason)
	}
	return false
}

// gives compares the first result of an expression, as jq's tostring writes
// it, with the expected text.
func (e *evaluation) gives(x *expression, expected string) bool {
	results, ok := e.runRoot(x)
	if !ok || len(results) == 0 {
		return false
	}
	text, err := jq.Text(results[0])
	if err != nil {
		e.problem(x, "%v", err)
		return false
	}
	return text == expected
}

func headline(matched []v1alpha1.Phase) v1alpha1.Phase {
	for _, phase := range v1alpha1.HeadlinePhases() {
		for _, held := range matched {
			if held == phase {
				return phase
			}
		}
	}
	return v1alpha1.PhaseUndefined
}
