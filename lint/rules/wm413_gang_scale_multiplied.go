package rules

import (
	"fmt"
	"slices"

	"github.com/workloadmap/wm/lint"
)

func gangScaleMultiplied() lint.Rule {
	return lint.Rule{
		ID: "WM413", Name: "gang-scale-multiplied", Severity: lint.Info,
		Summary: "The KAI scheduler multiplies the scale of a gang's member with those below it.",
		Check: func(d *lint.Definition, report lint.Report) {
			family, ok := familyOf(d)
			if !ok {
				return
			}
			all := members(d, family)
			if len(all) == 0 {
				return
			}
			products := productsOf(d, family)
			for _, m := range all {
				if p := products[m.component]; p.factor >= 0 {
					level, factor := d.Components[p.level].Name, d.Components[p.factor].Name
					report(d.Mark(m.at("componentName")),
						fmt.Sprintf("the KAI scheduler sizes this gang by the scale of `%s` times that of `%s`, which counts the pods of the whole workload already", level, factor),
						fmt.Sprintf("leave the scale of `%s` out where nothing else needs it; the gangs that wm shows are not multiplied", level))
				}
			}
		},
	}
}

// product is the first level, of a component and what is below it, whose scale
// is multiplied, and the component that it is multiplied with; -1 when none is.
type product struct{ level, factor int }

func productsOf(d *lint.Definition, f *family) []product {
	products := make([]product, len(d.Components))
	// scaled is the first component that states a scale, of each and what is below.
	scaled := make([]int, len(d.Components))
	order := f.below(0)
	for _, at := range slices.Backward(order) {
		products[at], scaled[at] = product{-1, -1}, -1
		for _, child := range slices.Backward(f.children[at]) {
			if scaled[child] >= 0 {
				scaled[at] = scaled[child]
			}
			if products[child].factor >= 0 {
				products[at] = products[child]
			}
		}
		if hasScale(d.Components[at]) {
			if scaled[at] >= 0 {
				products[at] = product{at, scaled[at]}
			}
			scaled[at] = at
		}
	}
	return products
}
