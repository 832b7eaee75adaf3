package rules

import (
	"fmt"

	"github.com/workloadmap/wm/lint"
)

func rootStatusMissing() lint.Rule {
	return lint.Rule{
		ID: "WM104", Name: "root-status-missing", Severity: lint.Error,
		Summary: "The root component has no status definition.",
		Check: func(d *lint.Definition, report lint.Report) {
			for _, c := range d.Components {
				if c.Root && d.Lacks(c.At("statusDefinition")) {
					report(d.Place(c), fmt.Sprintf("%s has no `statusDefinition`", c), "say how the framework's status translates to phases")
				}
			}
		},
	}
}
