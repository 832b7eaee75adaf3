package report

import (
	"bufio"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"strings"

	"github.com/workloadmap/wm/lint"
)

// GitHub writes the commands that GitHub Actions makes annotations of, one line
// for each finding, and closes with the summary.
type GitHub struct{}

// Report writes the result.
func (GitHub) Report(out io.Writer, result *lint.Result) error {
	w := bufio.NewWriter(out)
	for _, f := range result.Findings {
		fmt.Fprintf(w, "::%s file=%s,line=%d", command(f.Severity), property(filepath.ToSlash(path.Clean(f.File))), f.Line)
		if f.EndLine == f.Line {
			// GitHub knows columns only within one line, and counts the last one in.
			fmt.Fprintf(w, ",endLine=%d,col=%d,endColumn=%d", f.EndLine, f.Column, max(f.EndColumn-1, f.Column))
		} else {
			fmt.Fprintf(w, ",endLine=%d", f.EndLine)
		}
		message := f.Message
		if f.Help != "" {
			message += "\n" + f.Help
		}
		fmt.Fprintf(w, ",title=%s::%s\n", property(f.Rule+" "+f.Name), data(message))
	}
	fmt.Fprintln(w, Summary(result))
	if err := w.Flush(); err != nil {
		return fmt.Errorf("write the findings: %w", err)
	}
	return nil
}

func command(s lint.Severity) string {
	if s == lint.Info {
		return "notice"
	}
	return s.String()
}

// data escapes a message: a line break would end the command, and what follows
// it could be another one.
func data(text string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(text)
}

// property escapes what stands between the commas of a command.
func property(text string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C").Replace(text)
}
