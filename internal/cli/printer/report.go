package printer

import (
	"fmt"
	"path"
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
		fmt.Fprintf(&text, "FAIL %s\n", orphanText(orphan))
	}
	if report.Updated > 0 {
		fmt.Fprintf(&text, "%d golden files written\n", report.Updated)
	}
	fmt.Fprintf(&text, "%d passed, %d failed\n", report.Passed, report.Failed+len(report.Orphans))
	return Visible(text.String(), "\n\t")
}

// orphanText says what to think of a file that belongs to no case. A golden of
// a case that is gone is only ever deleted by a person.
func orphanText(name string) string {
	if path.Base(name) == "golden.yaml" {
		return name + " is obsolete: its folder has no case.yaml; delete it, or bring the case back"
	}
	return name + " belongs to no case: its folder has no case.yaml"
}

func failureText(failure testkit.Failure) string {
	var text strings.Builder
	if failure.Where != "" {
		fmt.Fprintf(&text, "%s: ", failure.Where)
	}
	text.WriteString(comparedText(failure))
	for _, place := range failure.Places {
		text.WriteString(indent(place.String()))
	}
	text.WriteString(failure.Diff)
	return text.String()
}

// comparedText puts what was expected and what came beside each other: on one line, or
// below each other where that would be too long to compare.
func comparedText(failure testkit.Failure) string {
	const most = 72
	if failure.Message != "" || len(failure.Expected)+len(failure.Actual) <= most {
		return failure.String() + "\n"
	}
	what, _, _ := strings.Cut(failure.String(), ": expected ")
	return fmt.Sprintf("%s:\n  expected %s\n  got      %s\n", what, failure.Expected, failure.Actual)
}

func indent(text string) string {
	var indented strings.Builder
	for line := range strings.Lines(text) {
		indented.WriteString("  " + line)
	}
	return indented.String()
}
