package printer

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/workloadmap/wm/lint"
	"github.com/workloadmap/wm/testkit/review"
)

// Markdown is text for a comment on a pull request.
const Markdown Format = "markdown"

const (
	// mostReview bounds the text: a comment on GitHub holds 65,536 characters, and
	// whoever posts it may add a few.
	mostReview = 60_000
	// mostListed bounds each list of the text.
	mostListed = 20
)

// Review writes what a change does.
func Review(out io.Writer, format Format, report *review.Report) error {
	if format == JSON {
		return Document(out, format, report)
	}
	_, err := io.WriteString(out, reviewText(report, mostReview))
	return err
}

// reviewText is the report in at most the given number of characters. What has to
// give way first are views that change, then whole definitions; both are counted.
func reviewText(report *review.Report, most int) string {
	const closing = 200 // what the last lines, that count what is left out, may take
	sections := make([]*section, len(report.Definitions))
	text := "## wm review\n\n" + verdict(report)
	left := most - utf8.RuneCountInString(text) - closing
	omitted := 0
	for i := range report.Definitions {
		made := sectionOf(&report.Definitions[i])
		if size := made.size(); size <= left {
			sections[i] = made
			left -= size
		} else {
			omitted++
		}
	}
	for round := 0; ; round++ {
		more := false
		for _, s := range sections {
			if s != nil && !s.full && round < len(s.views) {
				size := utf8.RuneCountInString(s.views[round])
				s.full = size > left
				if !s.full {
					left -= size
					s.shown++
					more = true
				}
			}
		}
		if !more {
			break
		}
	}
	for _, s := range sections {
		if s != nil {
			text += s.String()
		}
	}
	if omitted > 0 {
		text += fmt.Sprintf("\n%s left out, this text would be too long; `wm review -o json` tells all.\n", definitions(omitted))
	}
	return text
}

// verdict says in a paragraph what there is, and what stands against it.
func verdict(report *review.Report) string {
	var breaks, excused, failing, findings, views int
	for i := range report.Definitions {
		d := &report.Definitions[i]
		breaks += len(d.Unexcused())
		excused += len(d.Breaks) - len(d.Unexcused())
		failing += len(d.Cases.Failing)
		views += changedViews(d)
		for _, finding := range d.Lint.New {
			if finding.Severity > lint.Info {
				findings++
			}
		}
	}
	text := fmt.Sprintf("%s touched, %d as before.", definitions(len(report.Definitions)), report.Unchanged)
	if views > 0 {
		text += fmt.Sprintf(" %s.", of(views, "view changes", "views change"))
	}
	var against []string
	for _, each := range []struct {
		n         int
		one, more string
	}{
		{breaks, "break without a reason", "breaks without a reason"},
		{failing, "case fails", "cases fail"},
		{findings, "new lint finding", "new lint findings"},
		{len(report.Faults), "file cannot be read", "files cannot be read"},
	} {
		if each.n > 0 {
			against = append(against, of(each.n, each.one, each.more))
		}
	}
	switch {
	case len(against) > 0:
		text += " **" + strings.Join(against, ", ") + ".**"
	case excused > 0:
		text += fmt.Sprintf(" %s.", of(excused, "break, with a reason", "breaks, all with a reason"))
	}
	text += "\n"
	if len(report.Faults) > 0 {
		text += "\n" + bullets(report.Faults, func(fault string) string { return prose(fault) })
	}
	return text
}

func changedViews(d *review.Definition) int {
	n := 0
	for _, view := range d.Views {
		n += len(view.Cases)
	}
	return n
}

// section is the text about one definition.
type section struct {
	head, tail string
	// views are the tables, of which the first shown ones fit.
	views   []string
	changed []int
	shown   int
	full    bool
}

func (s *section) size() int {
	const counting = 60 // the line that counts views which are left out
	return utf8.RuneCountInString(s.head) + utf8.RuneCountInString(s.tail) + counting
}

func (s *section) String() string {
	text := s.head + strings.Join(s.views[:s.shown], "")
	left := 0
	for _, n := range s.changed[s.shown:] {
		left += n
	}
	if left > 0 {
		text += fmt.Sprintf("\n%s not shown.\n", of(left, "more view changes,", "more views change,"))
	}
	return text + s.tail
}

func sectionOf(d *review.Definition) *section {
	var head strings.Builder
	fmt.Fprintf(&head, "\n### %s %s\n\n%s\n", code(d.Name), changeWord(d.Change), code(d.File))
	if d.Fault != "" {
		fmt.Fprintf(&head, "\n**It cannot be used:** %s\n", prose(d.Fault))
	}
	breaksText(&head, d)
	differencesText(&head, d)
	scoresText(&head, d)
	casesText(&head, &d.Cases)
	lintText(&head, &d.Lint)
	s := &section{}
	if len(d.Views) > 0 {
		fmt.Fprintf(&head, "\n**%s of %d**\n", of(changedViews(d), "view changes", "views change"), d.Replayed)
	}
	for _, view := range d.Views {
		s.views = append(s.views, viewText(view))
		s.changed = append(s.changed, len(view.Cases))
	}
	s.head, s.tail = head.String(), exampleText(d.Example)
	return s
}

func changeWord(change review.Change) string {
	switch change {
	case review.Added:
		return "is new"
	case review.Removed:
		return "is gone"
	case review.CasesChanged:
		return "has other cases"
	case review.Unreadable:
		return "cannot be used"
	default:
		return "changed"
	}
}

func breaksText(text *strings.Builder, d *review.Definition) {
	if len(d.Breaks) == 0 {
		return
	}
	text.WriteString("\n**Breaks those who use it**")
	switch {
	case d.Reason != "":
		fmt.Fprintf(text, ", because: %s\n\n", prose(d.Reason))
	case d.Change == review.Removed:
		fmt.Fprintf(text, " without a reason; announce it with %s before\n\n", code(review.RemovalAnnotation))
	default:
		fmt.Fprintf(text, " without a reason; give one in the annotation %s\n\n", code(review.BreakingAnnotation))
	}
	text.WriteString(bullets(d.Breaks, func(b review.Break) string { return differenceText(b.Difference) }))
}

// differencesText leaves out what is told as a break already.
func differencesText(text *strings.Builder, d *review.Definition) {
	others := slices.DeleteFunc(slices.Clone(d.Differences), func(difference review.Difference) bool {
		return slices.ContainsFunc(d.Breaks, func(b review.Break) bool { return b.Difference == difference })
	})
	if len(others) > 0 {
		text.WriteString("\n**What it says differently**\n\n" + bullets(others, differenceText))
	}
}

func differenceText(d review.Difference) string {
	before, after := excerpts(d.Before, d.After)
	switch {
	case d.Before == "" && d.After == "":
		return prose(d.Text)
	case d.Before == d.After, d.Before == "":
		return prose(d.Text) + ": " + code(after)
	case d.After == "":
		return prose(d.Text) + ": " + code(before)
	default:
		return prose(d.Text) + ": " + code(before) + " → " + code(after)
	}
}

func scoresText(text *strings.Builder, d *review.Definition) {
	text.WriteString("\n| | before | now |\n|---|---|---|\n")
	passed := func(c *review.CaseCount) string {
		if c == nil {
			return "–"
		}
		if c.Failed == 0 {
			return fmt.Sprintf("%d pass", c.Passed)
		}
		return fmt.Sprintf("%d pass, %d fail", c.Passed, c.Failed)
	}
	fmt.Fprintf(text, "| cases | %s | %s |\n", passed(d.Cases.Before), passed(d.Cases.After))
	score := func(name string, change *review.ScoreChange) {
		if change != nil {
			fmt.Fprintf(text, "| %s | %s | %s |\n", name, scoreText(change.Before), scoreText(change.After))
		}
	}
	score("covered", d.Coverage)
	score("mistakes caught", d.Mutation)
	for _, change := range []*review.ScoreChange{d.Coverage, d.Mutation} {
		if change != nil && change.Fault != "" {
			fmt.Fprintf(text, "\nNot measured: %s\n", prose(change.Fault))
		}
	}
}

func scoreText(s *review.Score) string {
	if s == nil {
		return "–"
	}
	return fmt.Sprintf("%s (%d of %d)", percent(s.Percent()), s.Hit, s.Of)
}

func casesText(text *strings.Builder, c *review.CaseChange) {
	if len(c.Failing) > 0 {
		text.WriteString("\n**Cases that fail**\n\n" + bullets(c.Failing, func(failing review.FailingCase) string {
			was := ""
			if failing.Before {
				was = " (passed before)"
			}
			line := code(failing.Name) + was + ": " + prose(failing.Failures[0])
			if more := len(failing.Failures) - 1; more > 0 {
				line += fmt.Sprintf(" (and %d more)", more)
			}
			return line
		}))
	}
	for _, kind := range []struct {
		word  string
		names []string
	}{{"New cases", c.New}, {"Cases that are gone", c.Gone}, {"Cases that are written anew", c.Rewritten}} {
		if len(kind.names) > 0 {
			fmt.Fprintf(text, "\n%s: %s\n", kind.word, codes(kind.names))
		}
	}
}

func lintText(text *strings.Builder, c *review.LintChange) {
	finding := func(f lint.Finding) string {
		return fmt.Sprintf("%s: %s %s (%s %s)", code(fmt.Sprintf("%s:%d:%d", f.File, f.Line, f.Column)), f.Severity, prose(f.Message), f.Rule, f.Name)
	}
	if len(c.New) > 0 {
		text.WriteString("\n**New lint findings**\n\n" + bullets(c.New, finding))
	}
	if len(c.Gone) > 0 {
		text.WriteString("\n**Lint findings that are gone**\n\n" + bullets(c.Gone, finding))
	}
}

func viewText(view review.View) string {
	var text strings.Builder
	fmt.Fprintf(&text, "\n%s\n\n| | before | now |\n|---|---|---|\n", codes(view.Cases))
	for i, fact := range view.Facts {
		if i == mostListed {
			fmt.Fprintf(&text, "| and %d more | | |\n", len(view.Facts)-mostListed)
			break
		}
		fmt.Fprintf(&text, "| %s | %s | %s |\n", prose(fact.Name), cell(fact.Before), cell(fact.After))
	}
	return text.String()
}

func exampleText(e *review.Example) string {
	if e == nil {
		return ""
	}
	var tree bytes.Buffer
	if err := workload(&tree, e.Workload); err != nil {
		return ""
	}
	const mostLines = 60
	lines := strings.SplitAfter(tree.String(), "\n")
	if len(lines) > mostLines {
		lines = append(lines[:mostLines], fmt.Sprintf("and %d more lines\n", len(lines)-mostLines))
	}
	fence := fenceFor(tree.String(), 3)
	return fmt.Sprintf("\n**An example:** %s\n\n%s\n%s%s\n", code(e.Case), fence, strings.Join(lines, ""), fence)
}

func definitions(n int) string { return of(n, "definition", "definitions") }

func of(n int, one, more string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, more)
}
