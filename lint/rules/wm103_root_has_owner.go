package rules

import (
	"fmt"

	"github.com/workloadmap/wm/lint"
)

func rootHasOwner() lint.Rule {
	return lint.Rule{
		ID: "WM103", Name: "root-has-owner", Severity: lint.Error,
		Summary: "The root component has an owner.",
		Check: func(d *lint.Definition, report lint.Report) {
			for _, c := range d.Components {
				if c.Root && c.OwnerRef != nil {
					report(d.Key(c.At("ownerRef")), fmt.Sprintf("%s has an owner, but it is the top of the tree", c), "remove `ownerRef`")
				}
			}
		},
	}
}
