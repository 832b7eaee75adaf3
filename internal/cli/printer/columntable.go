package printer

import (
	"context"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/workloadmap/wm/jq"
)

// columnTable is text in columns under headings, some of them aligned right.
type columnTable struct {
	headings []string
	// hidden leaves out the headings.
	hidden bool
	// right names the columns that align right.
	right map[string]bool
	rows  [][]string
}

func (t *columnTable) write(out io.Writer) error {
	var shown [][]string
	if !t.hidden {
		shown = append(shown, t.headings)
	}
	widths := make([]int, len(t.headings))
	for _, row := range t.rows {
		cells := make([]string, len(row))
		for i, cell := range row {
			cells[i] = Visible(cell, "")
		}
		shown = append(shown, cells)
	}
	for _, row := range shown {
		if len(row) == 1 && len(widths) > 1 {
			// A row of one cell is a line of its own and widens nothing.
			continue
		}
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	var text strings.Builder
	for _, row := range shown {
		var line strings.Builder
		for i, cell := range row {
			padding := strings.Repeat(" ", max(0, widths[i]-utf8.RuneCountInString(cell)))
			if i > 0 {
				line.WriteString("  ")
			}
			if t.right[t.headings[i]] {
				line.WriteString(padding + cell)
			} else {
				line.WriteString(cell + padding)
			}
		}
		text.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	_, err := io.WriteString(out, text.String())
	return err
}

// cell is what a column's expression gives: <none> for null and nothing, as
// kubectl writes it, and several results with commas.
func (c column) cell(in jq.Input) string {
	results, err := c.program.RunShared(context.Background(), in)
	if err != nil {
		return "<error>"
	}
	var parts []string
	for _, result := range results {
		if result == nil {
			continue
		}
		text, err := jq.Text(result)
		if err != nil {
			return "<error>"
		}
		parts = append(parts, text)
	}
	if len(parts) == 0 {
		return "<none>"
	}
	return strings.Join(parts, ",")
}
