package rules

import "github.com/workloadmap/wm/lint"

// componentNameEmpty also takes the missing name from the schema rule.
func componentNameEmpty() lint.Rule {
	return lint.Rule{
		ID: "WM105", Name: "component-name-empty", Severity: lint.Error,
		Summary: "A component has no name.",
		Check: func(d *lint.Definition, report lint.Report) {
			for _, c := range d.Components {
				name := d.Node(c.At("name"))
				if d.Lacks(c.At("name")) || name.Tag() == "!!str" && name.Text() == "" {
					report(d.Mark(c.At("name")), c.String()+" has no name", "give it a `name` that no other component has")
				}
			}
		},
	}
}
