package rules

import "github.com/workloadmap/wm/lint"

// matcherWithoutCase leaves a definition without any case to WM502.
func matcherWithoutCase() lint.Rule {
	return lint.Rule{
		ID: "WM503", Name: "matcher-without-case", Severity: lint.Warning,
		Summary: "No golden case needs a status matcher.",
		Check: func(d *lint.Definition, report lint.Report) {
			if d.Exercise == nil || d.Exercise.Cases == 0 {
				return
			}
			for _, where := range d.Exercise.Unused {
				report(where, "no case needs this matcher: all of them pass without it",
					"add a case with an object in this state, or remove the matcher")
			}
		},
	}
}
