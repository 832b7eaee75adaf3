package rules

import (
	"github.com/workloadmap/wm/lint"
)

func replicaSelectorWithoutUnits() lint.Rule {
	return lint.Rule{
		ID: "WM120", Name: "replica-selector-without-units", Severity: lint.Info,
		Summary: "A component tells its replicas apart but does not say how many there are.",
		Check: func(d *lint.Definition, report lint.Report) {
			for _, c := range d.Components {
				selector := c.At("podSelector", "replicaSelector")
				if !d.IsObject(selector) {
					continue
				}
				scale := func(field string) bool { return d.Lacks(c.At("scaleDefinition", field)) }
				if scale("replicasPath") && scale("minReplicasPath") {
					report(d.Key(selector), c.String()+" has a `replicaSelector` but no number of replicas",
						"declare it on the level that is replicated, beside `scaleDefinition.replicasPath`; what is below inherits it")
				}
			}
		},
	}
}
