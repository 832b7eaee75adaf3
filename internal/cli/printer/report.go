package printer

import (
	"fmt"
	"strings"

	"github.com/workloadmap/wm/testkit"
)

// Report lists the failed cases with what was expected and what came, and
// closes with a count, also when everything passed.
func Report(report *testkit.Report) string {
	var text strings.Builder
	for _, outcome := range report.Cases {
		if len(outcome.Failures) == 0 {
			continue
		}
		fmt.Fprintf(&text, "FAIL %s\n", outcome.Name)
		for _, failure := range outcome.Failures {
			text.WriteString(indent(failureText(failure)))
		}
	}
	for _, orphan := range report.Orphans {
		fmt.Fprintf(&text, "FAIL %s belongs to no case: its folder has no case.yaml\n", orphan)
	}
	if report.Updated > 0 {
		fmt.Fprintf(&text, "%d golden files written\n", report.Updated)
	}
	fmt.Fprintf(&text, "%d passed, %d failed\n", report.Passed, report.Failed+len(report.Orphans))
	return Visible(text.String(), "\n\t")
}

func failureText(failure testkit.Failure) string {
	var text strings.Builder
	if failure.Where != "" {
		fmt.Fprintf(&text, "%s: ", failure.Where)
	}
	fmt.Fprintf(&text, "%s\n", failure)
	text.WriteString(failure.Diff)
	return text.String()
}

func indent(text string) string {
	var indented strings.Builder
	for line := range strings.Lines(text) {
		indented.WriteString("  " + line)
	}
	return indented.String()
}
