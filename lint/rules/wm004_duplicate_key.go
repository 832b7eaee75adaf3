package rules

import (
	"fmt"
	"sort"

	"github.com/workloadmap/wm/lint"
)

// duplicateKey reports the second of two equal keys, which silently hides the
// first.
func duplicateKey() lint.Rule {
	return lint.Rule{
		ID: "WM004", Name: "duplicate-key", Severity: lint.Error,
		Summary: "A mapping has the same key twice; only the last one counts.",
		Check: func(d *lint.Definition, report lint.Report) {
			whole := d.Root.Range()
			all := d.Document.Duplicates()
			first := sort.Search(len(all), func(i int) bool { return all[i].Second.Start.Offset >= whole.Start.Offset })
			for _, duplicate := range all[first:] {
				if duplicate.Second.Start.Offset >= whole.End.Offset {
					break
				}
				report(duplicate.Second,
					fmt.Sprintf("`%s` is in this mapping already, at %s", duplicate.Key, duplicate.First), "keep one of them")
			}
		},
	}
}
