package printer

import (
	"fmt"
	"io"
	"strings"

	"github.com/workloadmap/wm/testkit/coverage"
)

// Annotated is the format of coverage that copies definitions with comments.
const Annotated Format = "annotated"

// Coverage prints what no case exercises, each with its place, and closes with a
// table of the definitions.
func Coverage(out io.Writer, format Format, report *coverage.Report, least float64) error {
	switch format {
	case Text:
	case Annotated:
		return annotated(out, report)
	default:
		return Document(out, format, report)
	}
	w := visible(out)
	for i := range report.Definitions {
		d := &report.Definitions[i]
		for _, name := range d.Failing {
			fmt.Fprintf(w, "FAIL %s: the case fails, so it covers nothing; see wm test\n", name)
		}
		for j := range d.Items {
			if item := &d.Items[j]; !item.Covered() {
				fmt.Fprintf(w, "%s:%d:%d: NOT COVERED %s\n", d.File, item.Place.Line, item.Place.Column, itemText(item))
			}
		}
	}
	groups := []struct {
		title string
		kinds []coverage.Kind
	}{
		{"EXPRESSIONS", []coverage.Kind{coverage.Expression}},
		{"BRANCHES", []coverage.Kind{coverage.Branch}},
		{"MATCHERS", []coverage.Kind{coverage.Matcher}},
		{"SELECTORS", []coverage.Kind{coverage.Selector}},
		{"GANGS", []coverage.Kind{coverage.Filter, coverage.GangMember}},
		{"SUSPEND", []coverage.Kind{coverage.SuspendAction}},
		{"ENUMS", []coverage.Kind{coverage.EnumValue}},
		{"ALL", nil},
	}
	titles := []string{"DEFINITION", "CASES"}
	for _, group := range groups {
		titles = append(titles, group.title)
	}
	rows := &table{}
	rows.add(append(titles, "COVERED")...)
	for i := range report.Definitions {
		d := &report.Definitions[i]
		row := []string{d.Name, fmt.Sprint(d.Cases)}
		for _, group := range groups {
			row = append(row, share(d.Covered(group.kinds...), d.Total(group.kinds...)))
		}
		covered := percent(d.Percent())
		if d.Percent() < least {
			covered += " below " + percent(least)
		}
		rows.add(append(row, covered)...)
	}
	return rows.write(out)
}

func share(covered, total int) string {
	if total == 0 {
		return "-"
	}
	return fmt.Sprintf("%d/%d", covered, total)
}

// itemText names an item with the jq that it is about, on one line.
func itemText(item *coverage.Item) string {
	text := item.String()
	if item.Expression != "" {
		text += ": " + strings.Join(strings.Fields(item.Expression), " ")
	}
	return text
}

// annotated prints copies of the files, as one stream of YAML documents.
func annotated(out io.Writer, report *coverage.Report) error {
	files, err := report.Annotated()
	if err != nil {
		return err
	}
	w := visible(out)
	for i, file := range files {
		if i > 0 {
			fmt.Fprintln(w, "---")
		}
		if len(files) > 1 {
			fmt.Fprintf(w, "# %s\n", file.Name)
		}
		if _, err := io.WriteString(w, file.Content); err != nil {
			return fmt.Errorf("write the annotated definition: %w", err)
		}
	}
	return nil
}
