package rules

import (
	"fmt"

	"github.com/workloadmap/wm/lint"
)

func replicaSelectorRepeated() lint.Rule {
	return lint.Rule{
		ID: "WM121", Name: "replica-selector-repeated", Severity: lint.Warning,
		Summary: "A component has the replica selector that it inherits from an owner.",
		Check: func(d *lint.Definition, report lint.Report) {
			family, ok := familyOf(d)
			if !ok {
				return
			}
			// nearest is the component, of each and its owners, that declares a selector.
			nearest := make([]int, len(d.Components))
			for _, at := range family.below(0) {
				c, inherited := d.Components[at], -1
				if owner := family.owner[at]; owner >= 0 {
					inherited = nearest[owner]
				}
				nearest[at] = inherited
				own := replicaKey(c)
				if own == "" {
					continue
				}
				nearest[at] = at
				if inherited >= 0 && replicaKey(d.Components[inherited]) == own {
					report(d.Key(c.At("podSelector", "replicaSelector")),
						fmt.Sprintf("%s inherits this `replicaSelector` from %s", c, d.Components[inherited]),
						"declare it once, on the level that is replicated")
				}
			}
		},
	}
}

func replicaKey(c lint.Component) string {
	if c.PodSelector == nil || c.PodSelector.ReplicaSelector == nil {
		return ""
	}
	return c.PodSelector.ReplicaSelector.KeyPath
}
