package rules

import "github.com/workloadmap/wm/lint"

func conditionMatcherWithoutConditions() lint.Rule {
	return lint.Rule{
		ID: "WM302", Name: "condition-matcher-without-conditions-definition", Severity: lint.Error,
		Summary: "A matcher asks for conditions, but nothing says where the conditions are.",
		Check: func(d *lint.Definition, report lint.Report) {
			for _, m := range matchers(d) {
				if len(m.ByConditions) > 0 && d.Lacks(m.status("conditionsDefinition")) {
					report(d.Key(m.at("byConditions")), "`byConditions` never matches without `conditionsDefinition`",
						"add `conditionsDefinition.path` to the status definition")
				}
			}
		},
	}
}
