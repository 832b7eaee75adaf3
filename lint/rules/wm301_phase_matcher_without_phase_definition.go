package rules

import (
	"github.com/workloadmap/wm/lint"
)

func phaseMatcherWithoutPhase() lint.Rule {
	return lint.Rule{
		ID: "WM301", Name: "phase-matcher-without-phase-definition", Severity: lint.Error,
		Summary: "A matcher compares the framework's phase, but nothing says where that phase is.",
		Check: func(d *lint.Definition, report lint.Report) {
			for _, m := range matchers(d) {
				if m.ByPhase != "" && d.Lacks(m.status("phaseDefinition")) {
					report(d.Key(m.at("byPhase")), "`byPhase` never matches without `phaseDefinition`",
						"add `phaseDefinition.path` to the status definition")
				}
			}
		},
	}
}
