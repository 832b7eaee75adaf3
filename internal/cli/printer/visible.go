package printer

import (
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Visible is text without characters that a terminal obeys instead of showing:
// each is written as its Go escape, such as \x1b. Names in files and clusters
// come from anybody. Line breaks and tabs are escaped too unless kept.
func Visible(text string, kept string) string {
	var shown strings.Builder
	for _, r := range text {
		if strconv.IsGraphic(r) || strings.ContainsRune(kept, r) {
			shown.WriteRune(r)
			continue
		}
		escaped := strconv.QuoteRune(r)
		shown.WriteString(escaped[1 : len(escaped)-1])
	}
	return shown.String()
}

// line writes one line of Visible text.
func line(out io.Writer, format string, arguments ...any) {
	fmt.Fprintln(out, Visible(fmt.Sprintf(format, arguments...), ""))
}

// visible makes what is written through it Visible, line breaks and tabs kept.
func visible(out io.Writer) io.Writer { return visibleWriter{out} }

type visibleWriter struct{ out io.Writer }

func (w visibleWriter) Write(content []byte) (int, error) {
	if _, err := io.WriteString(w.out, Visible(string(content), "\n\t")); err != nil {
		return 0, err
	}
	return len(content), nil
}
