package rules

import (
	"fmt"

	"github.com/workloadmap/wm/lint"
)

// unusedIgnore reports comments that silence nothing: what they were written
// for is gone, or they stand in the wrong place.
func unusedIgnore() lint.Rule {
	return lint.Rule{
		ID: "WM008", Name: "unused-ignore", Severity: lint.Warning,
		Summary: "A comment silences a rule that finds nothing there.",
		CheckIgnores: func(ignores []lint.Ignore, report lint.Report) {
			for _, ignore := range ignores {
				// A rule that was not asked might have found something.
				if !ignore.Valid() || !ignore.Asked || ignore.Used {
					continue
				}
				place := "on this line"
				if ignore.WholeFile() {
					place = "in this file"
				}
				report(ignore.Where, fmt.Sprintf("`%s` finds nothing %s that could be ignored", ignore.Rule, place),
					"remove it; a comment that stands alone is about the next line")
			}
		},
	}
}
