package rules

import (
	"fmt"

	"github.com/workloadmap/wm/lint"
	"github.com/workloadmap/wm/source"
)

func componentNameNotUnique() lint.Rule {
	return lint.Rule{
		ID: "WM101", Name: "component-name-not-unique", Severity: lint.Error,
		Summary: "Two components have the same name.",
		Check: func(d *lint.Definition, report lint.Report) {
			first := map[string]source.Range{}
			for _, c := range d.Components {
				if c.Name == "" {
					continue
				}
				at, taken := first[c.Name]
				if !taken {
					first[c.Name] = d.Place(c)
					continue
				}
				report(d.Place(c), fmt.Sprintf("%s is there already, at %s", c, at), "give each component a name of its own")
			}
		},
	}
}
