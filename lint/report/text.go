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
type Text struct {
	// Colour marks place, severity and help with the colours of terminals.
	Colour bool
}

// The colours, as SGR sequences; none depends on a dark or bright background.
const (
	bold   = "\x1b[1m"
	red    = "\x1b[1;31m"
	yellow = "\x1b[1;33m"
	blue   = "\x1b[1;34m"
	reset  = "\x1b[0m"
)

// Report writes the result.
func (t Text) Report(out io.Writer, result *lint.Result) error {
	// A buffered writer remembers its first error until Flush.
	w := bufio.NewWriter(out)
	for _, finding := range result.Findings {
		t.writeFinding(w, finding, result.Line(finding.File, finding.Line))
	}
	fmt.Fprintln(w, Summary(result))
	if err := w.Flush(); err != nil {
		return fmt.Errorf("write the findings: %w", err)
	}
	return nil
}

func (t Text) writeFinding(w *bufio.Writer, f lint.Finding, line string) {
	colour := severityColour(f.Severity)
	place := fmt.Sprintf("%s:%d:%d:", noCommand(harmless(f.File)), f.Line, f.Column)
	fmt.Fprintf(w, "%s %s %s [%s %s]\n",
		t.paint(bold, place), t.paint(colour, f.Severity.String()+":"), noCommand(harmless(f.Message)), f.Rule, f.Name)
	text, marks := excerpt(line, f)
	indent := marks[:len(marks)-len(strings.TrimLeft(marks, " \t"))]
	fmt.Fprintf(w, "  %s\n  %s%s\n", text, indent, t.paint(colour, marks[len(indent):]))
	if f.Help != "" {
		fmt.Fprintf(w, "  %s %s\n", t.paint(bold, "help:"), noCommand(harmless(f.Help)))
	}
	w.WriteByte('\n') //nolint:errcheck // Flush reports it
}

func (t Text) paint(colour, text string) string {
	if !t.Colour {
		return text
	}
	return colour + text + reset
}

func severityColour(s lint.Severity) string {
	switch s {
	case lint.Error:
		return red
	case lint.Warning:
		return yellow
	default:
		return blue
	}
}

// Summary counts what was looked at and what was found, in the line that closes
// a report. Infos are no problems.
func Summary(result *lint.Result) string {
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
	if result.Ignored > 0 {
		parts = append(parts, fmt.Sprintf("%d ignored", result.Ignored))
	}
	return strings.Join(parts, ", ")
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
