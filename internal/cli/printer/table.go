package printer

import (
	"io"
	"strings"
	"unicode/utf8"
)

// table is aligned text. The first column aligns left; the others do so only
// when they are words, numbers align right.
type table struct {
	words bool
	rows  [][]string
}

func (t *table) add(cells ...string) {
	row := make([]string, len(cells))
	for i, cell := range cells {
		row[i] = Visible(cell, "")
	}
	t.rows = append(t.rows, row)
}

func (t *table) write(out io.Writer) error {
	var widths []int
	for _, row := range t.rows {
		for i, cell := range row {
			// A row of one cell is a line of its own and widens nothing.
			if len(row) == 1 {
				break
			}
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	var text strings.Builder
	for _, row := range t.rows {
		var line strings.Builder
		for i, cell := range row {
			if len(row) == 1 {
				line.WriteString(cell)
				break
			}
			padding := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
			switch {
			case i > 0 && !t.words:
				line.WriteString("  " + padding + cell)
			case i > 0:
				line.WriteString("  " + cell + padding)
			default:
				line.WriteString(cell + padding)
			}
		}
		text.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	_, err := io.WriteString(out, text.String())
	return err
}
