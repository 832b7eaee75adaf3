package rules

import (
	"fmt"

	"github.com/workloadmap/wm/lint"
)

func metadataWithoutPodSpec() lint.Rule {
	return lint.Rule{
		ID: "WM114", Name: "metadata-without-pod-spec", Severity: lint.Warning,
		Summary: "metadataPath is given without the podSpecPath that it belongs to.",
		Check: func(d *lint.Definition, report lint.Report) {
			for _, c := range d.Components {
				metadata := c.At("specDefinition", "metadataPath")
				if c.SpecDefinition == nil || c.SpecDefinition.MetadataPath == nil || !d.Lacks(c.At("specDefinition", "podSpecPath")) {
					continue
				}
				message := fmt.Sprintf("`metadataPath` of %s describes no pods without `podSpecPath`", c)
				help := "add `podSpecPath`, or remove `metadataPath`"
				switch {
				case c.SpecDefinition.PodTemplateSpecPath != nil:
					message = fmt.Sprintf("`metadataPath` of %s is not needed: the pod template holds the metadata", c)
					help = "remove `metadataPath`"
				case c.SpecDefinition.FragmentedPodSpecDefinition != nil:
					message = fmt.Sprintf("`metadataPath` of %s does not go with `fragmentedPodSpecDefinition`", c)
					help = "use `labelsPath` and `annotationsPath` in `fragmentedPodSpecDefinition` instead"
				}
				report(d.Key(metadata), message, help)
			}
		},
	}
}
