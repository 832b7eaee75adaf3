package rules

import (
	"fmt"

	"github.com/workloadmap/wm/lint"
)

func noCases() lint.Rule {
	return lint.Rule{
		ID: "WM502", Name: "no-cases", Severity: lint.Warning,
		Summary: "A definition has no golden case.",
		Check: func(d *lint.Definition, report lint.Report) {
			if d.Exercise != nil && d.Exercise.Cases == 0 {
				at := []any{"metadata", "name"}
				report(d.Mark(at), fmt.Sprintf("no case reads an object through `%s`", d.Node(at).Text()),
					"add a folder with a case.yaml, an object and what is expected of it; wm test import makes one of a recorded object")
			}
		},
	}
}
