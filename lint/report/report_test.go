package report

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/workloadmap/wm/lint"
	"github.com/workloadmap/wm/source"
)

// result lints a file with one rule that reports the bytes between < and >, which
// are not part of the file.
func result(t *testing.T, name, text, message, help string) *lint.Result {
	t.Helper()
	before, rest, _ := strings.Cut(text, "<")
	marked, after, _ := strings.Cut(rest, ">")
	content := before + marked + after
	file := source.NewFile(name, []byte(content))
	rule := lint.Rule{
		ID: "WM101", Name: "component-name-not-unique", Severity: lint.Error,
		CheckFile: func(_ *lint.File, report lint.Report) {
			report(source.Range{Start: file.Position(len(before)), End: file.Position(len(before) + len(marked))}, message, help)
		},
	}
	got, err := lint.Run(context.Background(), lint.Options{
		Files: fstest.MapFS{name: {Data: []byte(content)}}, Paths: []string{name}, Rules: []lint.Rule{rule},
	})
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func TestText(t *testing.T) {
	for _, c := range []struct {
		name, text, want string
	}{
		{"plain", "a: 1\nb: <two> # c\n", "f.yaml:2:4: error: m [WM101 component-name-not-unique]\n  b: two # c\n     ^^^\n  help: h\n"},
		{"start of line", "<a>: 1\n", "f.yaml:1:1: error: m [WM101 component-name-not-unique]\n  a: 1\n  ^\n  help: h\n"},
		{"nothing there", "a:<>\n", "f.yaml:1:3: error: m [WM101 component-name-not-unique]\n  a:\n    ^\n  help: h\n"},
		{"more lines", "a: <|\n  x\n  y>\n", "f.yaml:1:4: error: m [WM101 component-name-not-unique]\n  a: |\n     ^\n  help: h\n"},
		{"wide", "日本: [<本>, x]\n", "f.yaml:1:6: error: m [WM101 component-name-not-unique]\n  日本: [本, x]\n         ^^\n  help: h\n"},
		{"tabs", "{\"a\":\t\t<1>}\n", "f.yaml:1:8: error: m [WM101 component-name-not-unique]\n  {\"a\":\t\t1}\n       \t\t^\n  help: h\n"},
		{"windows", "a: 1\r\nb: <2>\r\n", "f.yaml:2:4: error: m [WM101 component-name-not-unique]\n  b: 2\n     ^\n  help: h\n"},
		{"mark of byte order", "\ufeffa: <1>\n", "f.yaml:1:4: error: m [WM101 component-name-not-unique]\n  a: 1\n     ^\n  help: h\n"},
		{"accents", "é: <1>\n", "f.yaml:1:4: error: m [WM101 component-name-not-unique]\n  é: 1\n     ^\n  help: h\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var out bytes.Buffer
			if err := (Text{}).Report(&out, result(t, "f.yaml", c.text, "m", "h")); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want+"\n1 file, 0 definitions, 1 problem\n", out.String()); diff != "" {
				t.Errorf("text (-want +got):\n%s", diff)
			}
		})
	}
}

// A long line is cut so that the mark stays in sight, and stays right.
func TestLongLines(t *testing.T) {
	x := strings.Repeat("x", 500)
	for name, text := range map[string]string{
		"start":        "<MARK>" + x,
		"middle":       x + "<MARK>" + x,
		"end":          x + "<MARK>",
		"wide":         strings.Repeat("日", 300) + "<MARK>" + x,
		"short before": "a: " + "<MARK>" + x,
	} {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			if err := (Text{}).Report(&out, result(t, "f.yaml", text, "m", "")); err != nil {
				t.Fatal(err)
			}
			lines := strings.Split(out.String(), "\n")
			shown, marks := []rune(lines[1]), lines[2]
			if got := columns(shown) - 2; got > maxWidth || got < maxWidth-4 {
				t.Errorf("the line takes %d columns", got)
			}
			// Every rune before the mark is one of x, a, the cut sign (one column)
			// or a wide one (two).
			at := 0
			for i := range shown {
				if strings.HasPrefix(string(shown[i:]), "MARK") {
					at = columns(shown[:i])
				}
			}
			if want := strings.Repeat(" ", at) + "^^^^"; marks != want {
				t.Errorf("marks\n%s\n%s", string(shown), marks)
			}
			if strings.ContainsRune(string(shown), cut) != true {
				t.Error("nothing shows that the line is cut")
			}
		})
	}
	var out bytes.Buffer
	if err := (Text{}).Report(&out, result(t, "f.yaml", "a<"+x+">b", "m", "")); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(out.String(), "\n")
	if marks := lines[2]; len(marks) > maxWidth+2 || !strings.HasPrefix(marks, "   ^^^") {
		t.Errorf("a mark over the whole line: %q", marks)
	}
}

// A file must not be able to write to the terminal.
func TestControlCharactersAreReplaced(t *testing.T) {
	var out bytes.Buffer
	if err := (Text{}).Report(&out, result(t, "f\x1b.yaml", "\x1b[31ma\u202e: <1>\u0085", "name \x1b[2J\n\u2066 x", "h\x07\u2028")); err != nil {
		t.Fatal(err)
	}
	want := "f\ufffd.yaml:1:10: error: name \ufffd[2J \ufffd x [WM101 component-name-not-unique]\n" +
		"  \ufffd[31ma\ufffd: 1\ufffd\n"
	if !strings.HasPrefix(out.String(), want) {
		t.Errorf("got\n%q\nwant it to start with\n%q", out.String(), want)
	}
	if strings.ContainsAny(out.String(), "\x1b\x07\u202e\u2066\u2028\u0085") {
		t.Errorf("a control character came through: %q", out.String())
	}
}

func TestSummary(t *testing.T) {
	finding := func(severities ...lint.Severity) *lint.Result {
		r := &lint.Result{Files: 12, Definitions: 14}
		for _, s := range severities {
			r.Findings = append(r.Findings, lint.Finding{Severity: s})
		}
		return r
	}
	for want, r := range map[string]*lint.Result{
		"12 files, 14 definitions, 0 problems":                               finding(),
		"12 files, 14 definitions, 1 problem":                                finding(lint.Warning),
		"12 files, 14 definitions, 3 problems (2 errors, 1 warning)":         finding(lint.Error, lint.Warning, lint.Error),
		"12 files, 14 definitions, 0 problems, 1 note":                       finding(lint.Info),
		"12 files, 14 definitions, 2 problems (1 error, 1 warning), 2 notes": finding(lint.Info, lint.Warning, lint.Error, lint.Info),
		"1 file, 1 definition, 0 problems":                                   {Files: 1, Definitions: 1},
	} {
		if got := Summary(r); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	var out bytes.Buffer
	if err := (Text{}).Report(&out, finding()); err != nil || out.String() != "12 files, 14 definitions, 0 problems\n" {
		t.Errorf("a clean run says %q, %v", out.String(), err)
	}
}

func TestJSON(t *testing.T) {
	var out bytes.Buffer
	if err := (JSON{}).Report(&out, result(t, "f.yaml", "a: 1\nb: <two>\n", "a < b & `c`", "h")); err != nil {
		t.Fatal(err)
	}
	want := `{
  "findings": [
    {
      "rule": "WM101",
      "name": "component-name-not-unique",
      "severity": "error",
      "file": "f.yaml",
      "line": 2,
      "column": 4,
      "endLine": 2,
      "endColumn": 7,
      "message": "a < b & ` + "`c`" + `",
      "help": "h"
    }
  ],
  "files": 1,
  "definitions": 0
}
`
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("JSON (-want +got):\n%s", diff)
	}
	out.Reset()
	if err := (JSON{}).Report(&out, &lint.Result{}); err != nil || !strings.Contains(out.String(), `"findings": [],`) {
		t.Errorf("a clean run says %s, %v", out.String(), err)
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestWriteErrors(t *testing.T) {
	if err := (Text{}).Report(full{}, &lint.Result{}); err == nil || !strings.Contains(err.Error(), "disk full") {
		t.Errorf("text: %v", err)
	}
	if err := (JSON{}).Report(full{}, &lint.Result{}); err == nil || !strings.Contains(err.Error(), "disk full") {
		t.Errorf("JSON: %v", err)
	}
}
