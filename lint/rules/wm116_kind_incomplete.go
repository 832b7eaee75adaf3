package rules

import "github.com/workloadmap/wm/lint"

func kindIncomplete() lint.Rule {
	return lint.Rule{
		ID: "WM116", Name: "kind-incomplete", Severity: lint.Error,
		Summary: "The kind of a child component or an additional kind is not complete.",
		Check: func(d *lint.Definition, report lint.Report) {
			for _, c := range d.Components {
				if !c.Root && c.Kind != nil {
					kindFaults(d, c.At("kind"), *c.Kind, isCoreKind, report)
				}
			}
			for i, kind := range d.Map.Spec.StructureDefinition.AdditionalChildKinds {
				kindFaults(d, additionalKind(i), kind, isCoreKind, report)
			}
		},
	}
}

func additionalKind(i int, below ...any) []any {
	return append([]any{"spec", "structureDefinition", "additionalChildKinds", i}, below...)
}
