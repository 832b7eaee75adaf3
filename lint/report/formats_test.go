package report

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/workloadmap/wm/lint"
)

// hostileName is a file name with everything that a format has to escape.
const hostileName = "a b/100%,c:d\"<&>'\n::error::x.yaml"

var hostileFinding = lint.Finding{
	Rule: "WM101", Name: "component-name-not-unique", Severity: lint.Warning, File: hostileName,
	Line: 3, Column: 4, EndLine: 5, EndColumn: 1,
	Message: "100% of <a> & \"b\": c, d\r\n::set-output name=x::y\x01", Help: "]]>",
}

var someRules = []lint.Rule{
	{ID: "WM001", Name: "syntax-error", Severity: lint.Error, Summary: "First.", Explanation: "## Why\n"},
	{ID: "WM101", Name: "component-name-not-unique", Severity: lint.Error, Summary: "Second.", Explanation: "## Why\n"},
}

func written(t *testing.T, reporter interface {
	Report(io.Writer, *lint.Result) error
}, result *lint.Result) string {
	t.Helper()
	var out bytes.Buffer
	if err := reporter.Report(&out, result); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

type sarifDocument struct {
	Version string
	Runs    []struct {
		ColumnKind string
		Tool       struct {
			Driver struct {
				Rules []struct{ ID, HelpURI string }
			}
		}
		Results []sarifResult
	}
}

func readSARIF(t *testing.T, text string) sarifDocument {
	t.Helper()
	var document sarifDocument
	if err := json.Unmarshal([]byte(text), &document); err != nil {
		t.Fatal(err)
	}
	return document
}

func TestSARIFFollowsItsSchema(t *testing.T) {
	reporter := SARIF{Rules: someRules, Version: "v1.2.3"}
	for name, schema := range schemas(t) {
		for _, result := range []*lint.Result{
			{},
			{Findings: []lint.Finding{hostileFinding}},
			{Findings: []lint.Finding{{Rule: "WM001", Severity: lint.Info, File: "-", Line: 1, Column: 1, EndLine: 1, EndColumn: 1, Message: "m"}}},
			{Findings: []lint.Finding{{Rule: "WM001", Severity: lint.Error, File: "\xff\xfe.yaml", Line: 1, Column: 1, EndLine: 1, EndColumn: 1, Message: "m"}}},
		} {
			var value any
			if err := json.Unmarshal([]byte(written(t, reporter, result)), &value); err != nil {
				t.Fatal(err)
			}
			for _, fault := range validate(schema, value) {
				t.Errorf("%s: %s", name, fault)
			}
		}
	}
	clean := written(t, reporter, &lint.Result{})
	if !strings.Contains(clean, `"results": []`) {
		t.Errorf("a clean run has no list of results:\n%s", clean)
	}
	if err := reporter.Report(io.Discard, &lint.Result{Findings: []lint.Finding{{Rule: "WM999"}}}); err == nil {
		t.Error("a finding of a rule that is not described was written")
	}
}

func TestSARIFResults(t *testing.T) {
	got := readSARIF(t, written(t, SARIF{Rules: someRules}, &lint.Result{Findings: []lint.Finding{hostileFinding}}))
	run := got.Runs[0]
	if run.ColumnKind != "unicodeCodePoints" {
		t.Errorf("columns are %s, ours count code points", run.ColumnKind)
	}
	result := run.Results[0]
	if got := run.Tool.Driver.Rules[result.RuleIndex].ID; got != "WM101" || result.RuleID != got {
		t.Errorf("the rule is %s, its index leads to %s", result.RuleID, got)
	}
	if result.Level != "warning" {
		t.Errorf("level %s", result.Level)
	}
	want := sarifPhysical{
		Artifact: sarifArtifact{URI: "a%20b/100%25,c:d%22%3C&%3E%27%0A::error::x.yaml", Base: "%SRCROOT%"},
		Region:   sarifRegion{StartLine: 3, StartColumn: 4, EndLine: 5, EndColumn: 1},
	}
	if diff := cmp.Diff(want, result.Locations[0].Physical); diff != "" {
		t.Errorf("place (-want +got):\n%s", diff)
	}
}

func TestAddresses(t *testing.T) {
	for name, want := range map[string][2]string{
		"a.yaml":                 {"a.yaml", "%SRCROOT%"},
		"./a/../b.yaml":          {"b.yaml", "%SRCROOT%"},
		"../a.yaml":              {"../a.yaml", "%SRCROOT%"},
		"a:b.yaml":               {"./a:b.yaml", "%SRCROOT%"},
		"é#?.yaml":               {"%C3%A9%23%3F.yaml", "%SRCROOT%"},
		"\xff.yaml":              {"%FF.yaml", "%SRCROOT%"},
		"/tmp/a b.yaml":          {"file:///tmp/a%20b.yaml", ""},
		"/home/me/repo/a/b.yaml": {"a/b.yaml", "%SRCROOT%"},
		"/home/me/repos/b.yaml":  {"file:///home/me/repos/b.yaml", ""},
		"//host/a.yaml":          {"file:///host/a.yaml", ""},
		"-":                      {"stdin", ""},
		"%2e%2e/a.yaml":          {"%252e%252e/a.yaml", "%SRCROOT%"},
		"http://x/a.yml":         {"./http:/x/a.yml", "%SRCROOT%"},
	} {
		uri, base := address("/home/me/repo", name)
		if diff := cmp.Diff(want, [2]string{uri, base}); diff != "" {
			t.Errorf("%q (-want +got):\n%s", name, diff)
		}
	}
}

// A fingerprint stays when lines come above and when messages are reworded, and
// no two findings of a file share one.
func TestFingerprints(t *testing.T) {
	of := func(text, message string) string {
		document := readSARIF(t, written(t, SARIF{Rules: someRules}, result(t, "f.yaml", text, message, "")))
		return document.Runs[0].Results[0].Fingerprints["workloadMap/v1"]
	}
	first := of("a: 1\nb: <x>\n", "m")
	for name, other := range map[string]string{
		"moved down":       of("# new\n\na: 1\nb: <x>\n", "m"),
		"indented":         of("a:\n  b: <x>\n", "m"),
		"reworded":         of("a: 1\nb: <x>\n", "another message"),
		"another line end": of("a: 1\r\nb: <x>\r\n", "m"),
	} {
		if other != first {
			t.Errorf("%s: %s, was %s", name, other, first)
		}
	}
	if of("a: 1\nb: <y>\n", "m") == first {
		t.Error("another line has the same fingerprint")
	}

	same := lint.Finding{Rule: "WM001", Severity: lint.Error, File: "a", Line: 1, Column: 1, EndLine: 1, EndColumn: 2, Message: "m"}
	again, elsewhere, other := same, same, same
	again.Line, elsewhere.File, other.Rule = 2, "b", "WM101"
	document := readSARIF(t, written(t, SARIF{Rules: someRules}, &lint.Result{Findings: []lint.Finding{same, again, elsewhere, other}}))
	seen := map[string]bool{}
	for _, r := range document.Runs[0].Results {
		seen[r.Fingerprints["workloadMap/v1"]] = true
	}
	if len(seen) != 4 {
		t.Errorf("4 findings have %d fingerprints", len(seen))
	}
}

func TestGitHub(t *testing.T) {
	result := &lint.Result{Files: 1, Findings: []lint.Finding{
		hostileFinding,
		{Rule: "WM001", Name: "syntax-error", Severity: lint.Error, File: "./a.yaml", Line: 2, Column: 3, EndLine: 2, EndColumn: 7, Message: "m: a, b"},
		{Rule: "WM001", Name: "syntax-error", Severity: lint.Info, File: "a.yaml", Line: 2, Column: 3, EndLine: 2, EndColumn: 3, Message: "m"},
	}}
	want := `::warning file=a b/100%25%2Cc%3Ad"<&>'%0A%3A%3Aerror%3A%3Ax.yaml,line=3,endLine=5,title=WM101 component-name-not-unique::100%25 of <a> & "b": c, d%0D%0A::set-output name=x::y` + "\x01" + `%0A]]>
::error file=a.yaml,line=2,endLine=2,col=3,endColumn=6,title=WM001 syntax-error::m: a, b
::notice file=a.yaml,line=2,endLine=2,col=3,endColumn=3,title=WM001 syntax-error::m
1 file, 0 definitions, 2 problems (1 error, 1 warning), 1 note
`
	if diff := cmp.Diff(want, written(t, GitHub{}, result)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// The log of a CI run with text must not hold commands that a file brought.
func TestTextHoldsNoCommands(t *testing.T) {
	for _, line := range []string{"<::stop-commands::x>", "  \t <::error::x>", "a: \"##[add-mask]<x>\"", "\"<##[endgroup]>\""} {
		text := written(t, Text{}, result(t, "::error::f.yaml", line+"\n", "##[group]m", "::h ##[x]"))
		for printed := range strings.Lines(text) {
			if strings.HasPrefix(strings.TrimSpace(printed), "::") || strings.Contains(printed, "##[") {
				t.Errorf("%q holds a command: %q", line, printed)
			}
		}
	}
}

func TestCheckstyle(t *testing.T) {
	got := written(t, Checkstyle{}, &lint.Result{Findings: []lint.Finding{
		{Rule: "WM001", Severity: lint.Error, File: "a.yaml", Line: 1, Column: 2, EndLine: 1, EndColumn: 3, Message: "m", Help: "h"},
		{Rule: "WM002", Severity: lint.Info, File: "a.yaml", Line: 4, Column: 5, EndLine: 4, EndColumn: 6, Message: "n"},
		{Rule: "WM003", Severity: lint.Warning, File: "b.yaml", Line: 7, Column: 8, EndLine: 7, EndColumn: 9, Message: "<&\x01>"},
	}})
	want := `<?xml version="1.0" encoding="UTF-8"?>
<checkstyle version="4.3">
  <file name="a.yaml">
    <error line="1" column="2" severity="error" message="m (h)" source="wm.WM001"></error>
    <error line="4" column="5" severity="info" message="n" source="wm.WM002"></error>
  </file>
  <file name="b.yaml">
    <error line="7" column="8" severity="warning" message="&lt;&amp;` + "\ufffd" + `&gt;" source="wm.WM003"></error>
  </file>
</checkstyle>
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestJUnit(t *testing.T) {
	result := &lint.Result{Findings: []lint.Finding{
		{Rule: "WM001", Name: "syntax-error", Severity: lint.Error, File: "a.yaml", Line: 1, Column: 2, EndLine: 1, EndColumn: 3, Message: "m", Help: "h"},
		{Rule: "WM304", Name: "existence", Severity: lint.Warning, File: "a.yaml", Line: 4, Column: 5, EndLine: 4, EndColumn: 6, Message: "n"},
	}}
	want := `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="wm lint" tests="2" failures="1">
  <testsuite name="a.yaml" tests="2" failures="1">
    <testcase classname="a.yaml" name="WM001 syntax-error at 1:2" file="a.yaml" line="1">
      <failure message="m" type="WM001">a.yaml:1:2: error: m&#xA;help: h</failure>
    </testcase>
    <testcase classname="a.yaml" name="WM304 existence at 4:5" file="a.yaml" line="4">
      <system-out>a.yaml:4:5: warning: n</system-out>
    </testcase>
  </testsuite>
</testsuites>
`
	if diff := cmp.Diff(want, written(t, JUnit{FailOn: lint.Error}, result)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := written(t, JUnit{FailOn: lint.Warning}, result); !strings.Contains(got, `tests="2" failures="2"`) {
		t.Errorf("a warning does not fail:\n%s", got)
	}
	clean := written(t, JUnit{}, &lint.Result{Files: 2, Definitions: 2})
	if !strings.Contains(clean, `<testcase classname="wm lint" name="2 files, 2 definitions, 0 problems"></testcase>`) {
		t.Errorf("a clean run is\n%s", clean)
	}
}

func TestXMLCanBeRead(t *testing.T) {
	for _, reporter := range []interface {
		Report(io.Writer, *lint.Result) error
	}{Checkstyle{}, JUnit{}, JUnit{FailOn: lint.Error}} {
		decoder := xml.NewDecoder(strings.NewReader(written(t, reporter, &lint.Result{Findings: []lint.Finding{hostileFinding}})))
		for {
			if _, err := decoder.Token(); err == io.EOF {
				break
			} else if err != nil {
				t.Fatal(err)
			}
		}
	}
}

var escape = regexp.MustCompile("\x1b\\[[0-9;]*m")

// Colours add nothing but colours, and severities differ in theirs.
func TestColours(t *testing.T) {
	plain := result(t, "f.yaml", "a: 1\nb: <two>\n", "m", "h")
	coloured := written(t, Text{Colour: true}, plain)
	if got := escape.ReplaceAllString(coloured, ""); got != written(t, Text{}, plain) {
		t.Errorf("without colours it reads\n%s", got)
	}
	for _, part := range []string{"\x1b[1mf.yaml:2:4:\x1b[0m", "\x1b[1;31merror:\x1b[0m", "     \x1b[1;31m^^^\x1b[0m\n"} {
		if !strings.Contains(coloured, part) {
			t.Errorf("%q is not in %q", part, coloured)
		}
	}
	colours := []string{severityColour(lint.Error), severityColour(lint.Warning), severityColour(lint.Info)}
	if len(slices.Compact(slices.Sorted(slices.Values(colours)))) != 3 {
		t.Errorf("two severities have the same colour: %q", colours)
	}
}

// The regular expression of the problem matcher finds what text says.
func TestProblemMatcher(t *testing.T) {
	content, err := os.ReadFile("../../.github/problem-matcher.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		ProblemMatcher []struct {
			Owner   string
			Pattern []struct {
				Regexp                                      string
				File, Line, Column, Severity, Message, Code int
			}
		}
	}
	if err := json.Unmarshal(content, &file); err != nil {
		t.Fatal(err)
	}
	if len(file.ProblemMatcher) != 1 || len(file.ProblemMatcher[0].Pattern) != 1 {
		t.Fatalf("%d matchers", len(file.ProblemMatcher))
	}
	p := file.ProblemMatcher[0].Pattern[0]
	matcher, err := regexp.Compile(p.Regexp)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, message string }{
		{"f.yaml", "m"},
		{"a b/c:1:2: x.yaml", "an [index] and: a colon"},
	} {
		var matched [][]string
		for line := range strings.Lines(written(t, Text{}, result(t, c.name, "a: 1\nb: <two> # x:1:2: error: y\n", c.message, "h"))) {
			if groups := matcher.FindStringSubmatch(strings.TrimSuffix(line, "\n")); groups != nil {
				matched = append(matched, []string{groups[p.File], groups[p.Line], groups[p.Column], groups[p.Severity], groups[p.Message], groups[p.Code]})
			}
		}
		want := [][]string{{c.name, "2", "4", "error", c.message, "WM101"}}
		if diff := cmp.Diff(want, matched); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}
