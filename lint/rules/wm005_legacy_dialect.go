package rules

import (
	"fmt"

	"github.com/workloadmap/wm/api/v1alpha1"
	"github.com/workloadmap/wm/lint"
)

// legacyDialect speaks of the first dialect alone: Karta is what is published
// today and never a finding by itself.
func legacyDialect() lint.Rule {
	return lint.Rule{
		ID: "WM005", Name: "legacy-dialect", Severity: lint.Info,
		Summary: "The definition has the format's first kind, which today's tools do not look for.",
		Check: func(d *lint.Definition, report lint.Report) {
			kind := d.Node([]any{"kind"})
			dialect, _ := v1alpha1.DialectOf(d.Node([]any{"apiVersion"}).Text(), kind.Text())
			if dialect.Name == v1alpha1.DialectResourceInterface {
				report(d.Mark([]any{"kind"}), fmt.Sprintf("`%s` is the format's first kind, which today's tools do not look for", kind.Text()),
					"wm convert --to workloadmap or --to karta rewrites the header and nothing else")
			}
		},
	}
}
