package printer

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/workloadmap/wm/lint"
	"github.com/workloadmap/wm/testkit/review"
)

// TestReviewFitsIntoAComment prints changes far larger than a comment can be.
func TestReviewFitsIntoAComment(t *testing.T) {
	for _, size := range []struct{ definitions, views, facts, text int }{
		{1, 3, 2, 10}, {1, 400, 30, 300}, {40, 12, 8, 40}, {300, 10, 4, 50}, {5, 1, 4, 100_000},
	} {
		report := largeReport(size.definitions, size.views, size.facts, size.text)
		text := reviewText(report, mostReview)
		if n := utf8.RuneCountInString(text); n > mostReview {
			t.Errorf("%+v: %d characters", size, n)
		}
		if again := reviewText(report, mostReview); again != text {
			t.Errorf("%+v: another text the second time", size)
		}
		// Whatever is not there is counted: views, and whole definitions.
		shown, counted := strings.Count(text, "| phase 0 |"), 0
		for line := range strings.Lines(text) {
			var n int
			if _, err := fmt.Sscanf(line, "%d more view", &n); err == nil {
				counted += n
			}
		}
		sections := strings.Count(text, "\n### ")
		left := 0
		if before, _, found := strings.Cut(text, " left out, this text would be too long"); found {
			_, err := fmt.Sscanf(before[strings.LastIndexByte(before, '\n')+1:], "%d", &left)
			if err != nil {
				t.Error(err)
			}
		}
		if sections+left != size.definitions {
			t.Errorf("%+v: %d definitions shown, %d counted", size, sections, left)
		}
		if shown+counted != sections*size.views {
			t.Errorf("%+v: %d views shown, %d counted, in %d definitions", size, shown, counted, sections)
		}
	}
}

func largeReport(definitions, views, facts, text int) *review.Report {
	report := &review.Report{}
	for i := range definitions {
		d := review.Definition{Name: fmt.Sprintf("definition-%d", i), File: "catalog/x.yaml", Change: review.Changed}
		for j := range 50 {
			d.Differences = append(d.Differences, review.Difference{Text: fmt.Sprintf("difference %d", j), Before: strings.Repeat("a", text), After: strings.Repeat("b", text)})
		}
		for j := range views {
			view := review.View{Cases: []string{fmt.Sprintf("case-%d", j)}}
			for k := range facts {
				view.Facts = append(view.Facts, review.Fact{Name: fmt.Sprintf("phase %d", k), Before: strings.Repeat("ü", text), After: "now"})
			}
			d.Views = append(d.Views, view)
		}
		report.Definitions = append(report.Definitions, d)
	}
	return report
}

// hostile are texts that a definition or a case may hold, to act in a comment.
var hostile = []string{
	"@maintainers please merge", "<img src=x onerror=alert(1)>", "<!-- ", "a | b | c", "`code` ``more`` ```", "\n\n# Title\n",
	"[link](https://example.com)", "![x](y)", "line\x1b[31m", "**bold**", "~~~\n", "\\", "| |\n|---|", "&lt;b&gt;", "$x^2$", "#123",
}

// TestReviewShowsTextsAsTheyAre puts such texts everywhere, and looks for what
// they would do.
func TestReviewShowsTextsAsTheyAre(t *testing.T) {
	for _, text := range hostile {
		difference := review.Difference{Text: text, Before: text, After: text + "2"}
		report := &review.Report{Faults: []string{text}, Definitions: []review.Definition{{
			Name: text, File: text, Change: review.Changed, Reason: text, Fault: text,
			Breaks: []review.Break{{Kind: review.RoleGone, Difference: difference}}, Differences: []review.Difference{{Text: text + "3"}},
			Lint:     review.LintChange{New: []lint.Finding{{Rule: "WM101", Severity: lint.Error, File: text, Message: text}}},
			Cases:    review.CaseChange{New: []string{text}, Failing: []review.FailingCase{{Name: text, Failures: []string{text}}}},
			Mutation: &review.ScoreChange{Fault: text},
			Views:    []review.View{{Cases: []string{text}, Facts: []review.Fact{{Name: text, Before: text, After: text}}}},
		}}}
		shown := reviewText(report, mostReview)
		for line := range strings.Lines(shown) {
			bare := withoutCode(line)
			for _, acting := range []string{"@maintainers", "<img", "<!--", "](", "**bold", "\x1b"} {
				if strings.Contains(bare, acting) {
					t.Errorf("%q acts in %q", text, line)
				}
			}
			if strings.HasPrefix(line, "|") && strings.Count(strings.ReplaceAll(line, `\|`, ""), "|") != 4 {
				t.Errorf("%q breaks the table: %q", text, line)
			}
			if strings.HasPrefix(line, "# ") || strings.HasPrefix(line, "~~~") {
				t.Errorf("%q begins a block: %q", text, line)
			}
		}
	}
}

// withoutCode leaves out code spans and what is escaped, as CommonMark reads them.
func withoutCode(line string) string {
	var bare strings.Builder
	for i := 0; i < len(line); {
		switch line[i] {
		case '\\':
			i += 2
		case '`':
			run := 0
			for i+run < len(line) && line[i+run] == '`' {
				run++
			}
			end := closing(line[i+run:], run)
			if end < 0 {
				bare.WriteString(line[i : i+run])
				i += run
				continue
			}
			i += run + end + run
		default:
			bare.WriteByte(line[i])
			i++
		}
	}
	return bare.String()
}

// closing finds a run of exactly so many backticks.
func closing(text string, run int) int {
	for i := 0; i < len(text); i++ {
		n := 0
		for i+n < len(text) && text[i+n] == '`' {
			n++
		}
		if n == run {
			return i
		}
		i += n
	}
	return -1
}

func TestExcerptsShowWhereTextsDiffer(t *testing.T) {
	long := strings.Repeat("x", 300)
	for _, test := range []struct{ before, after, wantBefore, wantAfter string }{
		{"a", "b", "a", "b"},
		{"a  \n b", "", "a b", ""},
		{long + "1" + long, long + "2" + long, "…" + long[:40] + "1" + long[:40] + "…", "…" + long[:40] + "2" + long[:40] + "…"},
		{long + "yes", long, "…" + long[:40] + "yes", "…" + long[:40]},
	} {
		before, after := excerpts(test.before, test.after)
		if before != test.wantBefore || after != test.wantAfter {
			t.Errorf("excerpts(%q, %q) = %q, %q", test.before, test.after, before, after)
		}
	}
}

func TestReviewAsJSON(t *testing.T) {
	var out bytes.Buffer
	if err := Review(&out, JSON, largeReport(300, 5, 2, 10)); err != nil {
		t.Fatal(err)
	}
	var report review.Report
	if err := json.Unmarshal(out.Bytes(), &report); err != nil || len(report.Definitions) != 300 || len(report.Definitions[299].Views) != 5 {
		t.Errorf("the JSON form is cut: %v", err)
	}
}
