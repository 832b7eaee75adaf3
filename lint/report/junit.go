package report

import (
	"encoding/xml"
	"fmt"
	"io"

	"github.com/workloadmap/wm/lint"
)

// JUnit writes the XML that CI systems show test results from: a suite for each
// file that has findings, a test for each finding. A run without findings is one
// test that passes, since many readers take an empty report for a failed run.
type JUnit struct {
	// FailOn is the least severity that makes a test fail.
	FailOn lint.Severity
}

type (
	junitSuites struct {
		XMLName  xml.Name     `xml:"testsuites"`
		Name     string       `xml:"name,attr"`
		Tests    int          `xml:"tests,attr"`
		Failures int          `xml:"failures,attr"`
		Suites   []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Cases    []junitCase `xml:"testcase"`
	}
	junitCase struct {
		ClassName string        `xml:"classname,attr"`
		Name      string        `xml:"name,attr"`
		File      string        `xml:"file,attr,omitempty"`
		Line      int           `xml:"line,attr,omitempty"`
		Failure   *junitFailure `xml:"failure"`
		Output    string        `xml:"system-out,omitempty"`
	}
	junitFailure struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr"`
		Text    string `xml:",chardata"`
	}
)

// Report writes the result.
func (j JUnit) Report(out io.Writer, result *lint.Result) error {
	all := junitSuites{Name: "wm lint"}
	for _, f := range result.Findings {
		text := fmt.Sprintf("%s:%d:%d: %s: %s", f.File, f.Line, f.Column, f.Severity, f.Message)
		if f.Help != "" {
			text += "\nhelp: " + f.Help
		}
		test := junitCase{
			ClassName: f.File, Name: fmt.Sprintf("%s %s at %d:%d", f.Rule, f.Name, f.Line, f.Column), File: f.File, Line: f.Line,
		}
		if f.Severity >= j.FailOn {
			test.Failure = &junitFailure{Message: f.Message, Type: f.Rule, Text: text}
		} else {
			test.Output = text
		}
		all.add(f.File, test)
	}
	if len(result.Findings) == 0 {
		all.add("wm lint", junitCase{ClassName: "wm lint", Name: Summary(result)})
	}
	return writeXML(out, all)
}

func (s *junitSuites) add(suite string, test junitCase) {
	if n := len(s.Suites); n == 0 || s.Suites[n-1].Name != suite {
		s.Suites = append(s.Suites, junitSuite{Name: suite})
	}
	held := &s.Suites[len(s.Suites)-1]
	held.Cases = append(held.Cases, test)
	held.Tests++
	s.Tests++
	if test.Failure != nil {
		held.Failures++
		s.Failures++
	}
}
