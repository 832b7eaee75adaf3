package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/workloadmap/wm/lint"
)

// dialectNotAllowed reports definitions in a dialect that this project does not
// want. Without such a wish all dialects are right.
func dialectNotAllowed() lint.Rule {
	return lint.Rule{
		ID: "WM015", Name: "dialect-not-allowed", Severity: lint.Error,
		Summary: "The definition is written in a dialect that `.wm.yaml` does not allow.",
		Check: func(d *lint.Definition, report lint.Report) {
			kind := d.Node([]any{"kind"})
			if d.Dialects == nil || slices.Contains(d.Dialects, kind.Text()) {
				return
			}
			help := "wm convert rewrites the header of a definition"
			if len(d.Dialects) > 0 {
				help = "allowed: " + strings.Join(d.Dialects, ", ") + "; " + help
			}
			report(kind.Range(), fmt.Sprintf("definitions of kind `%s` are not allowed here", kind.Text()), help)
		},
	}
}
