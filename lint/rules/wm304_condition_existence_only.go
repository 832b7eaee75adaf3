package rules

import (
	"fmt"

	"github.com/workloadmap/wm/lint"
	"github.com/workloadmap/wm/source"
)

func conditionExistenceOnly() lint.Rule {
	return lint.Rule{
		ID: "WM304", Name: "condition-existence-only", Severity: lint.Info,
		Summary: "A condition matcher asks neither for a status nor for a reason.",
		Check: func(d *lint.Definition, report lint.Report) {
			for _, m := range matchers(d) {
				for i, condition := range m.ByConditions {
					at := func(field string) []any { return m.at("byConditions", i, field) }
					if condition.Type == "" || !unset(d, at("status")) || !unset(d, at("reason")) {
						continue
					}
					report(d.Mark(at("type")), fmt.Sprintf("this matches as soon as the condition `%s` exists, also when its status is False", condition.Type),
						"add `status: \"True\"` if that is meant")
				}
			}
		},
	}
}

// unset reports whether a text is left out or empty, which is the same.
func unset(d *lint.Definition, path []any) bool {
	node := d.Node(path)
	return d.Lacks(path) || node.Kind() == source.Scalar && node.Tag() == "!!str" && node.Text() == ""
}
