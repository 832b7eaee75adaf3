package printer

import (
	"fmt"
	"strings"

	"github.com/workloadmap/wm/testkit/importer"
)

// Scrubbed tells in one line what an import replaced: how many different values
// of each kind, and in how many places.
func Scrubbed(counts []importer.Count) string {
	if len(counts) == 0 {
		return "scrubbed: nothing"
	}
	parts := make([]string, len(counts))
	for i, count := range counts {
		parts[i] = fmt.Sprintf("%d %s", count.Values, count.What)
		if count.Places != count.Values {
			parts[i] += fmt.Sprintf(" in %d places", count.Places)
		}
	}
	return "scrubbed: " + strings.Join(parts, ", ")
}
