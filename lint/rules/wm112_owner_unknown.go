package rules

import (
	"fmt"

	"github.com/workloadmap/wm/lint"
)

func ownerUnknown() lint.Rule {
	return lint.Rule{
		ID: "WM112", Name: "owner-unknown", Severity: lint.Error,
		Summary: "The owner of a component does not exist.",
		Check: func(d *lint.Definition, report lint.Report) {
			names, known := componentNames(d)
			if !known {
				return
			}
			for _, c := range d.Components {
				if c.Root || c.OwnerRef == nil || *c.OwnerRef == "" || isIn(*c.OwnerRef, names) {
					continue
				}
				report(d.Mark(c.At("ownerRef")), fmt.Sprintf("the owner `%s` of %s does not exist", *c.OwnerRef, c), didYouMean(*c.OwnerRef, names))
			}
		},
	}
}
