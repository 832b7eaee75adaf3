package review

import (
	"fmt"
	"slices"
	"strings"

	"github.com/workloadmap/wm/api/v1alpha1"
)

// status compares what makes a role's phases apply.
func (c *comparison) status(old, now *v1alpha1.Component) {
	var before, after v1alpha1.StatusDefinition
	if old.StatusDefinition != nil {
		before = *old.StatusDefinition
	}
	if now.StatusDefinition != nil {
		after = *now.StatusDefinition
	}
	c.conditionFields(before.ConditionsDefinition, after.ConditionsDefinition)
	workload := "a workload"
	if now.OwnerRef != nil {
		workload = now.Name
	}
	m := mappings{comparison: c, workload: workload}
	for _, phase := range v1alpha1.Phases() {
		m.compare(phase, before.StatusMappings.For(phase), after.StatusMappings.For(phase))
	}
	m.finish()
}

func (c *comparison) conditionFields(before, after *v1alpha1.ConditionsDefinition) {
	if before == nil || after == nil {
		return
	}
	for _, field := range []struct{ name, before, after string }{
		{"type", before.TypeFieldName, after.TypeFieldName},
		{"status", before.StatusFieldName, after.StatusFieldName},
		{"reason", before.ReasonFieldName, after.ReasonFieldName},
		{"message", before.MessageFieldName, after.MessageFieldName},
	} {
		if field.before != field.after {
			c.say(field.before, field.after, "the %s of a condition is read from another field", field.name)
		}
	}
}

// mappings compares matchers of all phases before it says anything, since a
// matcher that moved from one phase to another is one difference, and so is an
// expression that several phases share.
type mappings struct {
	*comparison
	workload  string
	gone, won []placedMatcher
	// rewritten are the expressions that are other ones now, in order.
	rewritten []rewrittenExpression
}

type placedMatcher struct {
	phase v1alpha1.Phase
	text  string
}

type rewrittenExpression struct {
	before, after string
	phases        []string
}

func (m *mappings) compare(phase v1alpha1.Phase, before, after []v1alpha1.StatusMatcher) {
	gone, won := distinct(before, after), distinct(after, before)
	gone = slices.DeleteFunc(gone, func(old v1alpha1.StatusMatcher) bool {
		for i, now := range won {
			if m.sameButExpression(phase, old, now) {
				won = slices.Delete(won, i, i+1)
				return true
			}
		}
		return false
	})
	for len(gone) > 0 && len(won) > 0 && len(before) == len(after) {
		m.say(matcherText(gone[0]), matcherText(won[0]), "%s is %s under another condition", m.workload, phase)
		gone, won = gone[1:], won[1:]
	}
	for _, matcher := range gone {
		m.gone = append(m.gone, placedMatcher{phase, matcherText(matcher)})
	}
	for _, matcher := range won {
		m.won = append(m.won, placedMatcher{phase, matcherText(matcher)})
	}
	if len(before) > 0 && len(after) == 0 {
		m.breaking(PhaseGone, "", "", "the phase %s no longer appears: nothing is mapped to it", phase)
	}
	if len(before) == 0 && len(after) > 0 {
		m.say("", "", "the phase %s appears for the first time", phase)
	}
}

// distinct are the matchers of a that b does not have, each as often as it lacks.
func distinct(a, b []v1alpha1.StatusMatcher) []v1alpha1.StatusMatcher {
	left := map[string]int{}
	for _, matcher := range b {
		left[matcherText(matcher)]++
	}
	var found []v1alpha1.StatusMatcher
	for _, matcher := range a {
		if left[matcherText(matcher)]--; left[matcherText(matcher)] < 0 {
			found = append(found, matcher)
		}
	}
	return found
}

// sameButExpression notes that a matcher only has another expression.
func (m *mappings) sameButExpression(phase v1alpha1.Phase, old, now v1alpha1.StatusMatcher) bool {
	if old.ByExpression == nil || now.ByExpression == nil {
		return false
	}
	before, after := old.ByExpression.Expression, now.ByExpression.Expression
	renamed := *old.DeepCopy()
	renamed.ByExpression.Expression = after
	if matcherText(renamed) != matcherText(now) {
		return false
	}
	for i, each := range m.rewritten {
		if each.before == before && each.after == after {
			m.rewritten[i].phases = append(each.phases, string(phase))
			return true
		}
	}
	m.rewritten = append(m.rewritten, rewrittenExpression{before, after, []string{string(phase)}})
	return true
}

// finish says what is left, and what moved.
func (m *mappings) finish() {
	for _, each := range m.rewritten {
		slices.Sort(each.phases)
		m.say(each.before, each.after, "whether %s is %s is told by another expression", m.workload, list(slices.Compact(each.phases), "or"))
	}
	for _, was := range m.gone {
		at := slices.IndexFunc(m.won, func(is placedMatcher) bool { return is.text == was.text })
		if at < 0 {
			m.say(was.text, "", "%s is no longer %s when", m.workload, was.phase)
			continue
		}
		m.say(was.text, was.text, "%s is %s instead of %s when", m.workload, m.won[at].phase, was.phase)
		m.won = slices.Delete(m.won, at, at+1)
	}
	for _, is := range m.won {
		m.say("", is.text, "%s is %s also when", m.workload, is.phase)
	}
}

// matcherText says when a matcher applies.
func matcherText(m v1alpha1.StatusMatcher) string {
	var parts []string
	if m.ByPhase != "" {
		parts = append(parts, "its phase is "+m.ByPhase)
	}
	for _, condition := range m.ByConditions {
		part := "condition " + condition.Type
		if condition.Status != "" {
			part += " is " + condition.Status
		} else {
			part += " is there"
		}
		if condition.Reason != "" {
			part += " with reason " + condition.Reason
		}
		parts = append(parts, part)
	}
	if m.ByExpression != nil {
		parts = append(parts, fmt.Sprintf("%s gives %q", m.ByExpression.Expression, m.ByExpression.ExpectedResult))
	}
	if len(parts) == 0 {
		return "always"
	}
	return strings.Join(parts, " and ")
}

// suspend compares how a role is suspended and resumed.
func (c *comparison) suspend(old, now *v1alpha1.Component) {
	before, after := old.SuspendDefinition, now.SuspendDefinition
	switch {
	case before == nil && after == nil:
	case after == nil:
		c.breaking(SuspendGone, "", "", "%s can no longer be suspended and resumed", now.Name)
	case before == nil:
		c.say("", "", "%s can be suspended and resumed", now.Name)
	default:
		c.actions("suspending "+now.Name, before.SuspendActions, after.SuspendActions)
		c.actions("resuming "+now.Name, before.ResumeActions, after.ResumeActions)
	}
}

func (c *comparison) actions(what string, before, after []v1alpha1.SuspendAction) {
	texts := func(actions []v1alpha1.SuspendAction) string {
		parts := make([]string, len(actions))
		for i, action := range actions {
			parts[i] = action.Path + " = " + action.Value
		}
		return strings.Join(parts, ", ")
	}
	switch old, now := texts(before), texts(after); {
	case old == now:
	case len(after) == 0:
		c.breaking(SuspendChanged, old, now, "%s writes nothing any more", what)
	default:
		c.breaking(SuspendChanged, old, now, "%s writes something else", what)
	}
}
