package printer

import (
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/workloadmap/wm/testkit/mutation"
)

// Mutation prints the mistakes that no case catches, each as a diff with its
// meaning, and closes with a table of the definitions.
func Mutation(out io.Writer, format Format, report *mutation.Report, minScore float64) error {
	if format != Text {
		return Document(out, format, report)
	}
	w := visible(out)
	for _, name := range report.Failing {
		fmt.Fprintf(w, "FAIL %s: fails without any mistake and is left out; see wm test\n", name)
	}
	for i := range report.Definitions {
		d := &report.Definitions[i]
		for j := range d.Survivors {
			fmt.Fprint(w, survivor(&d.Survivors[j]))
		}
	}
	rows := &table{}
	rows.add("DEFINITION", "CASES", "MUTANTS", "EQUIVALENT", "BY EXPECT", "BY GOLDEN", "SURVIVED", "SCORE")
	for i := range report.Definitions {
		d := &report.Definitions[i]
		score := percent(d.Score())
		if d.Score() < minScore {
			score += fmt.Sprintf(" below %s", percent(minScore))
		}
		rows.add(d.Name, fmt.Sprint(d.Cases), fmt.Sprint(d.Total), fmt.Sprint(d.Equivalent),
			fmt.Sprint(d.ByExpect), fmt.Sprint(d.ByGolden), fmt.Sprint(len(d.Survivors)), score)
	}
	return rows.write(out)
}

func survivor(m *mutation.Mutant) string {
	var text strings.Builder
	fmt.Fprintf(&text, "%s: SURVIVED %s\n", m.Place, m.ID)
	for line := range strings.Lines(m.Diff()) {
		text.WriteString("  " + line)
	}
	fmt.Fprintf(&text, "  %s\n\n", m.Meaning)
	return text.String()
}

// percent is rounded down: 89.96 is not 90.
func percent(score float64) string {
	return fmt.Sprintf("%.1f %%", math.Floor(score*10)/10)
}
