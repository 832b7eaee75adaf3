package report

import (
	"encoding/xml"
	"fmt"
	"io"

	"github.com/workloadmap/wm/lint"
)

// Checkstyle writes the XML of the Java tool of this name, which many services
// read: an element for each file that has findings.
type Checkstyle struct{}

type (
	checkstyleLog struct {
		XMLName xml.Name         `xml:"checkstyle"`
		Version string           `xml:"version,attr"`
		Files   []checkstyleFile `xml:"file"`
	}
	checkstyleFile struct {
		Name   string            `xml:"name,attr"`
		Errors []checkstyleError `xml:"error"`
	}
	checkstyleError struct {
		Line     int    `xml:"line,attr"`
		Column   int    `xml:"column,attr"`
		Severity string `xml:"severity,attr"`
		Message  string `xml:"message,attr"`
		Source   string `xml:"source,attr"`
	}
)

// Report writes the result.
func (Checkstyle) Report(out io.Writer, result *lint.Result) error {
	// The version is that of the format, which readers look at.
	log := checkstyleLog{Version: "4.3"}
	for _, f := range result.Findings {
		if n := len(log.Files); n == 0 || log.Files[n-1].Name != f.File {
			log.Files = append(log.Files, checkstyleFile{Name: f.File})
		}
		file := &log.Files[len(log.Files)-1]
		message := f.Message
		if f.Help != "" {
			message += " (" + f.Help + ")"
		}
		file.Errors = append(file.Errors, checkstyleError{
			Line: f.Line, Column: f.Column, Severity: f.Severity.String(), Message: message, Source: "wm." + f.Rule,
		})
	}
	return writeXML(out, log)
}

// writeXML writes one element as a document. Characters that XML cannot hold
// become the replacement character.
func writeXML(out io.Writer, document any) error {
	content, err := xml.MarshalIndent(document, "", "  ")
	if err != nil {
		return fmt.Errorf("write the findings: %w", err)
	}
	if _, err := fmt.Fprintf(out, "%s%s\n", xml.Header, content); err != nil {
		return fmt.Errorf("write the findings: %w", err)
	}
	return nil
}
