package rules

import (
	"fmt"

	"github.com/workloadmap/wm/api/v1alpha1"
	"github.com/workloadmap/wm/lint"
)

// additionalKindRepeated compares by kind alone, as the API server does: it is
// the key of the list.
func additionalKindRepeated() lint.Rule {
	return lint.Rule{
		ID: "WM117", Name: "additional-kind-repeated", Severity: lint.Error,
		Summary: "Two additional child kinds have the same kind.",
		Check: func(d *lint.Definition, report lint.Report) {
			first := map[string]v1alpha1.GroupVersionKind{}
			for i, kind := range d.Map.Spec.StructureDefinition.AdditionalChildKinds {
				if kind.Kind == "" {
					continue
				}
				earlier, taken := first[kind.Kind]
				if !taken {
					first[kind.Kind] = kind
					continue
				}
				help := "remove the repetition"
				if earlier.Group != kind.Group {
					help = "the API server tells them apart by `kind` alone and refuses the second, even of another group"
				}
				report(d.Mark(additionalKind(i, "kind")), fmt.Sprintf("the additional kind `%s` is in the list already", kind.Kind), help)
			}
		},
	}
}
