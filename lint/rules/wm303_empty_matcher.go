package rules

import (
	"fmt"

	"github.com/workloadmap/wm/lint"
	"github.com/workloadmap/wm/source"
)

func emptyMatcher() lint.Rule {
	return lint.Rule{
		ID: "WM303", Name: "empty-matcher", Severity: lint.Error,
		Summary: "A matcher asks for nothing and so always matches.",
		Check: func(d *lint.Definition, report lint.Report) {
			for _, m := range matchers(d) {
				if asksNothing(d.Node(m.at())) {
					report(d.Mark(m.at()), fmt.Sprintf("this matcher is empty, so every workload is `%s`", m.phase.Key()),
						"say what it must match with `byPhase`, `byConditions` or `byExpression`, or remove it")
				}
			}
		},
	}
}

// asksNothing looks at the document itself: a matcher whose parts are unknown or
// of the wrong kind is not empty, and reported elsewhere.
func asksNothing(node source.Node) bool {
	for key, value := range node.Fields() {
		emptyText := key.Text() == "byPhase" && value.Tag() == "!!str" && value.Text() == ""
		emptyList := key.Text() == "byConditions" && value.Kind() == source.Sequence
		for range value.Items() {
			emptyList = false
		}
		if !emptyText && !emptyList {
			return false
		}
	}
	return true
}
