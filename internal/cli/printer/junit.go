package printer

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"github.com/workloadmap/wm/testkit"
)

// The elements of a JUnit report, in the form that CI systems agree on.
type (
	junitSuites struct {
		XMLName  xml.Name     `xml:"testsuites"`
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
		ClassName string         `xml:"classname,attr"`
		Name      string         `xml:"name,attr"`
		Failures  []junitFailure `xml:"failure"`
	}
	junitFailure struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr"`
		Text    string `xml:",chardata"`
	}
)

// JUnitReport writes a run as JUnit XML: a suite for each definition, in order
// of the cases. Files that belong to no case are failed tests of a suite
// "files". A case has one failure element that holds all its failures, since
// many readers look at the first only. Without times, two runs are the same.
func JUnitReport(out io.Writer, report *testkit.Report) error {
	all := junitSuites{Suites: []junitSuite{}}
	for _, outcome := range report.Cases {
		name := strings.TrimPrefix(outcome.Name, outcome.Definition+"/")
		all.add(outcome.Definition, junitCase{ClassName: outcome.Definition, Name: name, Failures: junitFailures(outcome.Failures)})
	}
	for _, orphan := range report.Orphans {
		message := orphanText(orphan)
		all.add("files", junitCase{ClassName: "files", Name: orphan, Failures: []junitFailure{{Message: message, Type: "files", Text: message}}})
	}
	if _, err := io.WriteString(out, xml.Header); err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	encoder := xml.NewEncoder(out)
	encoder.Indent("", "  ")
	if err := encoder.Encode(all); err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	_, err := io.WriteString(out, "\n")
	return err
}

func (s *junitSuites) add(suite string, c junitCase) {
	if len(s.Suites) == 0 || s.Suites[len(s.Suites)-1].Name != suite {
		s.Suites = append(s.Suites, junitSuite{Name: suite})
	}
	held := &s.Suites[len(s.Suites)-1]
	held.Cases = append(held.Cases, c)
	held.Tests++
	s.Tests++
	if len(c.Failures) > 0 {
		held.Failures++
		s.Failures++
	}
}

func junitFailures(failures []testkit.Failure) []junitFailure {
	if len(failures) == 0 {
		return nil
	}
	var text strings.Builder
	for _, failure := range failures {
		text.WriteString(failureText(failure))
	}
	return []junitFailure{{Message: failures[0].String(), Type: failures[0].Check, Text: text.String()}}
}
