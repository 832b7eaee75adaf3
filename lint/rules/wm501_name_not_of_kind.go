package rules

import (
	"fmt"

	"github.com/workloadmap/wm/api/v1alpha1"
	"github.com/workloadmap/wm/lint"
)

func nameNotOfKind() lint.Rule {
	return lint.Rule{
		ID: "WM501", Name: "name-not-of-kind", Severity: lint.Warning,
		Summary: "A definition of a catalog is not named after the kind that it is for.",
		Check: func(d *lint.Definition, report lint.Report) {
			root := d.Map.Spec.StructureDefinition.RootComponent.Kind
			if d.Exercise == nil || root == nil || root.Version == "" || root.Kind == "" || !isReadable(d) {
				return
			}
			at := []any{"metadata", "name"}
			if name, want := d.Node(at).Text(), v1alpha1.Slug(*root); name != want {
				report(d.Mark(at), fmt.Sprintf("the definition of this root kind is named `%s`, not `%s`", want, name),
					"rename it, and the folder of its cases with it")
			}
		},
	}
}
