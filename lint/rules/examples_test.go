package rules

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/workloadmap/wm/lint"
	"github.com/workloadmap/wm/source"
)

// An example is a definition with marks. A mark is a line of its own below the
// line that it is about, and no part of the example:
//
//	#       ^^^^^ message
//
// says that the rule reports these characters with this message. Marks in the
// first columns do without the #. Where characters cannot be marked (nothing is
// there, or more than one line), the mark counts them in the example without
// marks:
//
//	# -> 7:1-9:5 message
//
// A message that starts with another rule's id is that rule's. A first line
// "# dialects: A, B" allows only these dialects; "# cases: 2, unused 13:20-13:40"
// says how many cases the definition has, and which matchers none of them needs.
var (
	mark      = regexp.MustCompile(`^(#? *)(\^+) (.+)$`)
	placed    = regexp.MustCompile(`^ *# -> (\d+):(\d+)-(\d+):(\d+) (.+)$`)
	otherRule = regexp.MustCompile(`^(WM\d{3}): (.+)$`)
)

// finding is what marks speak about: `WM101 3:5-3:9 message`.
type finding string

// readExample takes the marks out of an example.
func readExample(t *testing.T, rule, text string) (content string, want []finding) {
	t.Helper()
	var lines []string
	for line := range strings.Lines(text) {
		bare := strings.TrimRight(line, "\r\n")
		var message, at string
		if m := mark.FindStringSubmatch(bare); m != nil {
			start := len([]rune(m[1])) + 1
			message = m[3]
			at = fmt.Sprintf("%d:%d-%d:%d", len(lines), start, len(lines), start+len(m[2]))
		} else if m := placed.FindStringSubmatch(bare); m != nil {
			message = m[5]
			at = fmt.Sprintf("%s:%s-%s:%s", m[1], m[2], m[3], m[4])
		} else {
			lines = append(lines, line)
			continue
		}
		id := rule
		if m := otherRule.FindStringSubmatch(message); m != nil {
			id, message = m[1], m[2]
		}
		want = append(want, finding(id+" "+at+" "+message))
	}
	return strings.Join(lines, ""), want
}

// lintExample checks a file that is named on the command line with all rules.
func lintExample(t *testing.T, content string) []finding {
	t.Helper()
	var dialects []string
	if policy, ok := strings.CutPrefix(content, "# dialects: "); ok {
		line, _, _ := strings.Cut(policy, "\n")
		dialects = strings.Split(line, ", ")
	}
	result, err := lint.Run(context.Background(), lint.Options{
		Files: fstest.MapFS{"example.yaml": {Data: []byte(content)}},
		Paths: []string{"example.yaml"},
		Rules: All(), Schemas: lint.BuiltIn(), Dialects: dialects, Cases: casesIn(content),
	})
	if err != nil {
		t.Fatal(err)
	}
	var got []finding
	for _, f := range result.Findings {
		got = append(got, finding(fmt.Sprintf("%s %d:%d-%d:%d %s", f.Rule, f.Line, f.Column, f.EndLine, f.EndColumn, f.Message)))
	}
	return got
}

func checkExample(t *testing.T, rule, text string, wrong bool) {
	t.Helper()
	content, want := readExample(t, rule, text)
	if wrong && !strings.Contains(fmt.Sprint(want), rule) {
		t.Errorf("a wrong example expects nothing of %s", rule)
	}
	if !wrong && len(want) > 0 {
		t.Errorf("a right example has marks: %v", want)
	}
	if diff := cmp.Diff(byPlace(want), byPlace(lintExample(t, content))); diff != "" {
		t.Errorf("findings (-want +got):\n%s\nexample:\n%s", diff, numbered(content))
	}
}

// byPlace makes marks and findings comparable whatever the order of marks below
// one line.
func byPlace(findings []finding) map[finding]int {
	set := map[finding]int{}
	for _, f := range findings {
		set[f]++
	}
	return set
}

func numbered(content string) string {
	var text strings.Builder
	number := 0
	for line := range strings.Lines(content) {
		number++
		text.WriteString(strconv.Itoa(number) + "\t" + line)
	}
	return text.String()
}

// exampleCases is what an example says of its cases.
type exampleCases lint.Exercise

func (e *exampleCases) Of(string, string) (*lint.Exercise, error) { return (*lint.Exercise)(e), nil }

// casesIn reads the first line of an example; nil when it is not about cases.
func casesIn(content string) lint.Cases {
	rest, ok := strings.CutPrefix(content, "# cases: ")
	if !ok {
		return nil
	}
	line, _, _ := strings.Cut(rest, "\n")
	parts := strings.Split(line, ", unused ")
	var found exampleCases
	fmt.Sscan(parts[0], &found.Cases)
	for _, part := range parts[1:] {
		var at source.Range
		fmt.Sscanf(part, "%d:%d-%d:%d", &at.Start.Line, &at.Start.Column, &at.End.Line, &at.End.Column)
		found.Unused = append(found.Unused, at)
	}
	return &found
}
