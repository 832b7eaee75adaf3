package rules

import (
	"fmt"

	"github.com/workloadmap/wm/lint"
)

func matcherInTwoPhases() lint.Rule {
	return lint.Rule{
		ID: "WM309", Name: "matcher-in-two-phases", Severity: lint.Warning,
		Summary: "Two phases have the same matcher.",
		Check: func(d *lint.Definition, report lint.Report) {
			all := judged(d)
			for i, m := range all {
				for _, earlier := range all[:i] {
					if m.phase != earlier.phase && m.asked.equal(earlier.asked) {
						report(d.Mark(m.at()), fmt.Sprintf("`%s` has the same matcher, so a workload is in both phases", earlier.phase.Key()),
							"keep it under the phase that is meant")
						break
					}
				}
			}
		},
	}
}

// judgedMatcher is a matcher with what it asks for.
type judgedMatcher struct {
	matcher
	asked constraints
}

// judged lists the matchers of the root, which come first, that can be compared.
func judged(d *lint.Definition) []judgedMatcher {
	var list []judgedMatcher
	for _, m := range matchers(d) {
		if !m.component.Root || len(list) == mostCompared {
			break
		}
		if asked, ok := constraintsOf(d, m); ok {
			list = append(list, judgedMatcher{m, asked})
		}
	}
	return list
}
