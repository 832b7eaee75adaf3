package rules

import (
	"fmt"

	"github.com/workloadmap/wm/lint"
)

func ownerMissing() lint.Rule {
	return lint.Rule{
		ID: "WM111", Name: "owner-missing", Severity: lint.Error,
		Summary: "A child component has no owner.",
		Check: func(d *lint.Definition, report lint.Report) {
			for _, c := range d.Components {
				if c.Root {
					continue
				}
				const help = "add `ownerRef`, the name of the component above it"
				switch {
				case d.Lacks(c.At("ownerRef")):
					report(d.Place(c), fmt.Sprintf("%s has no `ownerRef`", c), help)
				case c.OwnerRef != nil && *c.OwnerRef == "":
					report(d.Mark(c.At("ownerRef")), fmt.Sprintf("%s has an empty `ownerRef`", c), help)
				}
			}
		},
	}
}
