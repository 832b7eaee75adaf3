package rules

import (
	"fmt"
	"slices"

	"github.com/workloadmap/wm/api/v1alpha1"
	"github.com/workloadmap/wm/lint"
)

// phaseUnreachable compares what matchers ask for, not what expressions mean: a
// matcher that asks for less matches wherever one that asks for more does.
func phaseUnreachable() lint.Rule {
	return lint.Rule{
		ID: "WM310", Name: "phase-unreachable", Severity: lint.Warning,
		Summary: "A matcher never decides the phase, since another phase that comes before always matches too.",
		Check: func(d *lint.Definition, report lint.Report) {
			all := judged(d)
			for _, m := range all {
				for _, other := range all {
					if comesBefore(other.phase, m.phase) && m.asked.includes(other.asked) && !m.asked.equal(other.asked) {
						report(d.Mark(m.at()), fmt.Sprintf("`%s` never comes of this: a matcher of `%s` asks for less, and `%s` comes first",
							m.phase.Key(), other.phase.Key(), other.phase.Key()),
							fmt.Sprintf("make the matcher of `%s` ask for what tells the two phases apart", other.phase.Key()))
						break
					}
				}
			}
		},
	}
}

// comesBefore reports whether a phase is shown when both match.
func comesBefore(a, b v1alpha1.Phase) bool {
	order := v1alpha1.HeadlinePhases()
	return slices.Index(order, a) < slices.Index(order, b)
}
