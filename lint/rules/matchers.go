package rules

import (
	"slices"

	"github.com/workloadmap/wm/api/v1alpha1"
	"github.com/workloadmap/wm/lint"
)

// matcher is one status matcher and its place.
type matcher struct {
	v1alpha1.StatusMatcher
	component lint.Component
	phase     v1alpha1.Phase
	index     int
}

func (m matcher) status(below ...any) []any {
	return m.component.At(slices.Concat([]any{"statusDefinition"}, below)...)
}

func (m matcher) at(below ...any) []any {
	return m.status(slices.Concat([]any{"statusMappings", m.phase.Key(), m.index}, below)...)
}

// matchers lists the matchers of all status definitions that are objects.
func matchers(d *lint.Definition) []matcher {
	var all []matcher
	for _, c := range d.Components {
		if c.StatusDefinition == nil {
			continue
		}
		for _, phase := range v1alpha1.Phases() {
			for i, m := range c.StatusDefinition.StatusMappings.For(phase) {
				placed := matcher{StatusMatcher: m, component: c, phase: phase, index: i}
				if d.IsObject(placed.at()) {
					all = append(all, placed)
				}
			}
		}
	}
	return all
}
