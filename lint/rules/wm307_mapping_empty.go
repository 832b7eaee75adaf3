package rules

import (
	"github.com/workloadmap/wm/api/v1alpha1"
	"github.com/workloadmap/wm/lint"
	"github.com/workloadmap/wm/source"
)

func mappingEmpty() lint.Rule {
	return lint.Rule{
		ID: "WM307", Name: "mapping-empty", Severity: lint.Warning,
		Summary: "A phase has an empty list of matchers.",
		Check: func(d *lint.Definition, report lint.Report) {
			for _, c := range d.Components {
				for _, phase := range v1alpha1.Phases() {
					path := c.At("statusDefinition", "statusMappings", phase.Key())
					if node := d.Node(path); node.Kind() == source.Sequence && isEmptyList(node) {
						report(d.Key(path), "no workload is ever `"+phase.Key()+"`: its list is empty", "add a matcher or remove the phase")
					}
				}
			}
		},
	}
}

func isEmptyList(node source.Node) bool {
	for range node.Items() {
		return false
	}
	return true
}
