package mutation

import (
	"fmt"
	"slices"
	"strings"

	"github.com/workloadmap/wm/api/v1alpha1"
)

// matcher is a status matcher and where it stands.
type matcher struct {
	component string
	// mappings leads to statusMappings, path to the matcher.
	mappings, path []any
	phase          v1alpha1.Phase
	held           v1alpha1.StatusMatcher
}

func (m matcher) field(below string) string {
	return "statusDefinition.statusMappings." + m.phase.Key() + below
}

// String is what the matcher looks at.
func (m matcher) String() string {
	switch {
	case m.held.ByPhase != "":
		return "phase " + m.held.ByPhase
	case m.held.ByExpression != nil:
		return fmt.Sprintf("%s giving %s", short(m.held.ByExpression.Expression), m.held.ByExpression.ExpectedResult)
	}
	words := make([]string, len(m.held.ByConditions))
	for i, condition := range m.held.ByConditions {
		words[i] = conditionText(condition)
	}
	return strings.Join(words, " with ")
}

func conditionText(c v1alpha1.ConditionMatcher) string {
	text := "condition " + c.Type
	if c.Status != "" {
		text += "=" + c.Status
	}
	if c.Reason != "" {
		text += " for " + c.Reason
	}
	return text
}

// matchers are those of all components in the order of the format.
func (o *original) matchers() []matcher {
	var all []matcher
	for _, c := range o.components {
		if c.StatusDefinition == nil {
			continue
		}
		mappings := append(slices.Clone(c.Path), "statusDefinition", "statusMappings")
		for _, phase := range v1alpha1.Phases() {
			for i, held := range c.StatusDefinition.StatusMappings.For(phase) {
				all = append(all, matcher{component: c.Name, mappings: mappings, phase: phase, held: held,
					path: append(slices.Clone(mappings), phase.Key(), i)})
			}
		}
	}
	return all
}

func below(path []any, steps ...any) []any { return append(slices.Clone(path), steps...) }

func droppedMatchers(o *original) []candidate {
	var proposed []candidate
	for _, m := range o.matchers() {
		proposed = append(proposed, o.drop("drop-matcher", m.component, m.field(""), m.path,
			fmt.Sprintf("a workload with %s is no longer %s for it", m, m.phase)))
	}
	return proposed
}

// negatedMatchers match exactly when they should not.
func negatedMatchers(o *original) []candidate {
	var proposed []candidate
	for _, m := range o.matchers() {
		meaning := func(what string) string {
			return fmt.Sprintf("a workload is %s when not %s", m.phase, what)
		}
		if x := m.held.ByExpression; x != nil {
			if other, ok := negation(x.ExpectedResult); ok {
				proposed = append(proposed, o.replace("negate-matcher", m.component, m.field(".byExpression.expectedResult"),
					below(m.path, "byExpression", "expectedResult"), other, meaning(short(x.Expression))))
			}
		}
		for i, c := range m.held.ByConditions {
			if other, ok := negation(c.Status); ok {
				proposed = append(proposed, o.replace("negate-matcher", m.component, m.field(".byConditions.status"),
					below(m.path, "byConditions", i, "status"), other, meaning(conditionText(c))))
			}
		}
	}
	return proposed
}

func negation(word string) (string, bool) {
	other, ok := map[string]string{"true": "false", "false": "true", "True": "False", "False": "True"}[word]
	return other, ok
}

// swappedPhases give a matcher to another phase.
func swappedPhases(o *original) []candidate {
	var proposed []candidate
	for _, m := range o.matchers() {
		to := o.otherPhase(m)
		value, ok := o.valueAt(m.path)
		if !ok {
			continue
		}
		c := o.drop("swap-phase", m.component, m.field(""), m.path,
			fmt.Sprintf("a workload with %s is %s instead of %s", m, to, m.phase))
		c.edits = append(c.edits, edit{path: below(m.mappings, to.Key()), value: clone(value), add: true})
		c.shown = o.showMoved(m.path, value, m.phase.Key(), to.Key())
		proposed = append(proposed, c)
	}
	return proposed
}

// otherPhase is the phase that is most easily confused with a matcher's.
func (o *original) otherPhase(m matcher) v1alpha1.Phase {
	return map[v1alpha1.Phase]v1alpha1.Phase{
		v1alpha1.PhaseInitializing: v1alpha1.PhaseRunning,
		v1alpha1.PhaseRunning:      v1alpha1.PhaseDegraded,
		v1alpha1.PhaseCompleted:    v1alpha1.PhaseFailed,
		v1alpha1.PhaseFailed:       v1alpha1.PhaseCompleted,
		v1alpha1.PhaseDegraded:     v1alpha1.PhaseRunning,
		v1alpha1.PhaseSuspended:    v1alpha1.PhaseSuspending,
		v1alpha1.PhaseSuspending:   v1alpha1.PhaseSuspended,
		v1alpha1.PhaseResuming:     v1alpha1.PhaseInitializing,
	}[m.phase]
}

// valueAt is a value of the document.
func (o *original) valueAt(path []any) (any, bool) {
	value := o.document.Value()
	for _, step := range path {
		var ok bool
		if value, ok = child(value, step); !ok {
			return nil, false
		}
	}
	return value, true
}

// droppedConditions forget one of several conditions, or a part of one.
func droppedConditions(o *original) []candidate {
	var proposed []candidate
	for _, m := range o.matchers() {
		for i, c := range m.held.ByConditions {
			path := below(m.path, "byConditions", i)
			if len(m.held.ByConditions) > 1 {
				proposed = append(proposed, o.drop("drop-condition", m.component, m.field(".byConditions"), path,
					fmt.Sprintf("a workload is %s whether or not it has %s", m.phase, conditionText(c))))
			}
			for _, part := range []struct{ field, value string }{{"status", c.Status}, {"reason", c.Reason}} {
				if part.value != "" {
					proposed = append(proposed, o.drop("drop-condition", m.component, m.field(".byConditions."+part.field), below(path, part.field),
						fmt.Sprintf("a workload is %s with any %s of condition %s, not only %s", m.phase, part.field, c.Type, part.value)))
				}
			}
		}
	}
	return proposed
}

// changedWords match another phase, type, reason or result.
func changedWords(o *original) []candidate {
	var proposed []candidate
	words := o.words()
	for _, m := range o.matchers() {
		change := func(kind, was, below1 string, path []any) {
			if was == "" {
				return
			}
			other, ok := mostSimilar(was, slices.DeleteFunc(slices.Clone(words[kind]), func(word string) bool { return word == was }))
			if !ok {
				other = was + "-other"
			}
			proposed = append(proposed, o.replace("change-word", m.component, m.field(below1), path, other,
				fmt.Sprintf("a workload is %s for %s %s instead of %s", m.phase, kind, other, was)))
		}
		change("phase", m.held.ByPhase, ".byPhase", below(m.path, "byPhase"))
		if x := m.held.ByExpression; x != nil {
			if _, boolean := negation(x.ExpectedResult); !boolean {
				change("result", x.ExpectedResult, ".byExpression.expectedResult", below(m.path, "byExpression", "expectedResult"))
			}
		}
		for i, c := range m.held.ByConditions {
			change("type", c.Type, ".byConditions.type", below(m.path, "byConditions", i, "type"))
			change("reason", c.Reason, ".byConditions.reason", below(m.path, "byConditions", i, "reason"))
		}
	}
	return proposed
}

// words are those that the definition's matchers use, by kind.
func (o *original) words() map[string][]string {
	words := map[string][]string{}
	for _, m := range o.matchers() {
		words["phase"] = append(words["phase"], m.held.ByPhase)
		if m.held.ByExpression != nil {
			words["result"] = append(words["result"], m.held.ByExpression.ExpectedResult)
		}
		for _, c := range m.held.ByConditions {
			words["type"], words["reason"] = append(words["type"], c.Type), append(words["reason"], c.Reason)
		}
	}
	for kind := range words {
		words[kind] = slices.DeleteFunc(words[kind], func(word string) bool { return word == "" })
		slices.Sort(words[kind])
		words[kind] = slices.Compact(words[kind])
	}
	return words
}
