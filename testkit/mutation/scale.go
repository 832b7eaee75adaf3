package mutation

import (
	"fmt"

	"github.com/workloadmap/wm/api/v1alpha1"
)

// bounds are the expressions of a scaleDefinition.
var bounds = []struct {
	field string
	words string
	of    func(*v1alpha1.ScaleDefinition) *string
}{
	{"replicasPath", "replicas", func(s *v1alpha1.ScaleDefinition) *string { return s.ReplicasPath }},
	{"minReplicasPath", "minimum", func(s *v1alpha1.ScaleDefinition) *string { return s.MinReplicasPath }},
	{"maxReplicasPath", "maximum", func(s *v1alpha1.ScaleDefinition) *string { return s.MaxReplicasPath }},
}

func droppedScales(o *original) []candidate {
	var proposed []candidate
	for _, c := range o.components {
		if c.ScaleDefinition == nil {
			continue
		}
		for _, bound := range bounds {
			if bound.of(c.ScaleDefinition) != nil {
				proposed = append(proposed, o.drop("drop-scale", c.Name, "scaleDefinition."+bound.field, below(c.Path, "scaleDefinition", bound.field),
					fmt.Sprintf("the %s of %s: not read", bound.words, c.Name)))
			}
		}
	}
	return proposed
}

// swappedScales read one bound where another is meant.
func swappedScales(o *original) []candidate {
	var proposed []candidate
	for _, c := range o.components {
		if c.ScaleDefinition == nil {
			continue
		}
		for _, bound := range bounds {
			for _, other := range bounds {
				from, to := bound.of(c.ScaleDefinition), other.of(c.ScaleDefinition)
				if bound.field == other.field || from == nil || to == nil || *from == *to {
					continue
				}
				proposed = append(proposed, o.replace("swap-scale", c.Name, "scaleDefinition."+bound.field, below(c.Path, "scaleDefinition", bound.field), *to,
					fmt.Sprintf("the %s of %s: read from its %s", bound.words, c.Name, other.words)))
			}
		}
	}
	return proposed
}
