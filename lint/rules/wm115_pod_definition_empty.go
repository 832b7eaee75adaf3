package rules

import (
	"fmt"

	"github.com/workloadmap/wm/lint"
	"github.com/workloadmap/wm/source"
)

func podDefinitionEmpty() lint.Rule {
	return lint.Rule{
		ID: "WM115", Name: "pod-definition-empty", Severity: lint.Warning,
		Summary: "A component says that its pods are described, but not where.",
		Check: func(d *lint.Definition, report lint.Report) {
			for _, c := range d.Components {
				for _, path := range [][]any{c.At("specDefinition"), c.At("specDefinition", "fragmentedPodSpecDefinition")} {
					if isEmptyObject(d.Node(path)) {
						report(d.Key(path), fmt.Sprintf("`%s` of %s is empty", path[len(path)-1], c),
							"say where the pods are described, or remove it")
					}
				}
			}
		},
	}
}

func isEmptyObject(node source.Node) bool {
	for range node.Fields() {
		return false
	}
	return node.Kind() == source.Mapping
}
