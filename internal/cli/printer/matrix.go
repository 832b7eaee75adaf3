package printer

import (
	"fmt"
	"io"
	"strings"

	"github.com/workloadmap/wm/catalog"
)

// MatrixRow is what a definition can do and how many cases it has.
type MatrixRow struct {
	catalog.Capabilities
	// Cases is null when cases were not counted.
	Cases *int `json:"cases"`
}

var matrixHeader = []string{"Kind", "Checked against", "Live-verified", "Roles", "Counts", "Phases", "Suspend", "Selectors", "Gangs", "Requests and accelerators from", "Editable", "Cases"}

func (r MatrixRow) cells() []string {
	counts := r.Scale
	if r.Bounds {
		counts += ", bounds"
	}
	phases := make([]string, len(r.Phases))
	for i, phase := range r.Phases {
		phases[i] = string(phase)
	}
	suspend, cases, editable, live := "", "", "", ""
	if r.LiveVerified != nil {
		live = *r.LiveVerified
	}
	if r.Suspend {
		suspend = "yes"
	}
	if r.Cases != nil {
		cases = fmt.Sprint(*r.Cases)
	}
	if r.Paths > 0 {
		editable = fmt.Sprintf("%d/%d", r.Writable, r.Paths)
	}
	list := func(words []string) string { return strings.Join(words, ", ") }
	cells := []string{r.Kind.Kind + " " + r.Kind.APIVersion(), r.CheckedAgainst, live, list(r.Roles), counts, list(phases), suspend,
		list(r.Selectors), list(r.Gangs), list(r.Requests), editable, cases}
	for i, cell := range cells {
		if cell == "" {
			cells[i] = "-"
		}
	}
	return cells
}

// Matrix writes a table. Phases are counted: their names are wider than a terminal.
func Matrix(out io.Writer, rows []MatrixRow) error {
	t := &table{words: true}
	header := make([]string, len(matrixHeader))
	for i, title := range matrixHeader {
		header[i] = strings.ToUpper(title)
	}
	t.add(header...)
	for _, row := range rows {
		cells := row.cells()
		cells[5] = fmt.Sprint(len(row.Phases))
		t.add(cells...)
	}
	return t.write(out)
}

// MatrixMarkdown writes the page of the documentation that shows the matrix.
func MatrixMarkdown(out io.Writer, rows []MatrixRow) error {
	var page strings.Builder
	page.WriteString("# The catalog\n\n" +
		"What each built-in definition can tell about a workload, and what can be done through it. " +
		"This page is written by `wm catalog matrix -o markdown --cases fixtures`.\n\n" +
		"Counts says for which roles the number of pods is known from the object. " +
		"Editable is how many of the places that hold pod data can be written to. " +
		"What an object of a kind cannot tell stands at the head of its definition: `wm catalog show NAME`.\n\n")
	line := func(cells []string) { page.WriteString("| " + strings.Join(cells, " | ") + " |\n") }
	line(matrixHeader)
	line(strings.Split(strings.Repeat("---,", len(matrixHeader)-1)+"---", ","))
	for _, row := range rows {
		cells := row.cells()
		cells[0] = "[" + cells[0] + "](../catalog/" + row.Name + ".yaml)"
		line(cells)
	}
	_, err := io.WriteString(out, page.String())
	return err
}
