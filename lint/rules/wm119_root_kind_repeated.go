package rules

import (
	"fmt"
	"slices"

	"github.com/workloadmap/wm/api/v1alpha1"
	"github.com/workloadmap/wm/lint"
)

func rootKindRepeated() lint.Rule {
	return lint.Rule{
		ID: "WM119", Name: "root-kind-repeated", Severity: lint.Warning,
		Summary: "A child component or an additional kind has the kind of the root.",
		Check: func(d *lint.Definition, report lint.Report) {
			root := d.Map.Spec.StructureDefinition.RootComponent.Kind
			if root == nil || root.Kind == "" || root.Version == "" {
				return
			}
			check := func(kind v1alpha1.GroupVersionKind, path []any) {
				if kind == *root {
					report(d.Mark(slices.Concat(path, []any{"kind"})), fmt.Sprintf("`%s` is the kind of the root component", kind.Kind),
						"name the kind of the objects that the workload makes; leave `kind` out of a level that is only logical")
				}
			}
			for _, c := range d.Components {
				if !c.Root && c.Kind != nil {
					check(*c.Kind, c.At("kind"))
				}
			}
			for i, kind := range d.Map.Spec.StructureDefinition.AdditionalChildKinds {
				check(kind, additionalKind(i))
			}
		},
	}
}
