package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/workloadmap/wm/lint"
)

// Text writes findings for people, each with its source line and a mark under
// the exact characters, and closes with a count, also when all is well.
//
// What comes from the files is written harmlessly: control characters, with
// which a file could rewrite the terminal, are replaced.
type Text struct{}

// Report writes the result.
func (Text) Report(out io.Writer, result *lint.Result) error {
	// A buffered writer remembers its first error until Flush.
	w := bufio.NewWriter(out)
	for _, finding := range result.Findings {
		writeFinding(w, finding, result.Line(finding.File, finding.Line))
	}
	fmt.Fprintln(w, summary(result))
	if err := w.Flush(); err != nil {
		return fmt.Errorf("write the findings: %w", err)
	}
	return nil
}

func writeFinding(w *bufio.Writer, f lint.Finding, line string) {
	// Colours would go here: place, severity and marks are the parts that have one.
	fmt.Fprintf(w, "%s:%d:%d: %s: %s [%s %s]\n", harmless(f.File), f.Line, f.Column, f.Severity, harmless(f.Message), f.Rule, f.Name)
	text, marks := excerpt(line, f)
	fmt.Fprintf(w, "  %s\n  %s\n", text, marks)
	if f.Help != "" {
		fmt.Fprintf(w, "  help: %s\n", harmless(f.Help))
	}
	w.WriteByte('\n') //nolint:errcheck // Flush reports it
}

// summary counts what was looked at and what was found. Infos are no problems.
func summary(result *lint.Result) string {
	counts := map[lint.Severity]int{}
	for _, finding := range result.Findings {
		counts[finding.Severity]++
	}
	problems := counts[lint.Error] + counts[lint.Warning]
	parts := []string{
		count(result.Files, "file"),
		count(result.Definitions, "definition"),
		count(problems, "problem"),
	}
	if counts[lint.Error] > 0 && counts[lint.Warning] > 0 {
		parts[2] += fmt.Sprintf(" (%s, %s)", count(counts[lint.Error], "error"), count(counts[lint.Warning], "warning"))
	}
	if counts[lint.Info] > 0 {
		parts = append(parts, count(counts[lint.Info], "note"))
	}
	return strings.Join(parts, ", ")
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
