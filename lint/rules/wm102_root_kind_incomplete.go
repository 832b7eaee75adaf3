package rules

import (
	"fmt"

	"github.com/workloadmap/wm/lint"
)

func rootKindIncomplete() lint.Rule {
	return lint.Rule{
		ID: "WM102", Name: "root-kind-incomplete", Severity: lint.Error,
		Summary: "The root component does not say which kind of object it is.",
		Check: func(d *lint.Definition, report lint.Report) {
			for _, c := range d.Components {
				if !c.Root {
					continue
				}
				if d.Lacks(c.At("kind")) {
					report(d.Place(c), fmt.Sprintf("%s has no `kind`", c),
						"add `kind: {group: ..., version: ..., kind: ...}` of the workload's own object")
				}
				if c.Kind != nil {
					kindFaults(d, c.At("kind"), *c.Kind, rootCoreKind, report)
				}
			}
		},
	}
}

// rootCoreKind follows the published validator: the only workload of the core
// group is the Pod.
func rootCoreKind(kind string) bool { return kind == "Pod" }
