// Package report writes the result of a lint run in the formats of wm lint.
//
// Each format is a type with one method, so that a new one is a new file.
package report

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/workloadmap/wm/lint"
)

// JSON writes one object for programs: the findings, and how many files and
// definitions were looked at.
type JSON struct{}

// Report writes the result as indented JSON; findings is never null.
func (JSON) Report(out io.Writer, result *lint.Result) error {
	document := struct {
		Findings    []lint.Finding `json:"findings"`
		Files       int            `json:"files"`
		Definitions int            `json:"definitions"`
	}{result.Findings, result.Files, result.Definitions}
	if document.Findings == nil {
		document.Findings = []lint.Finding{}
	}
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(document); err != nil {
		return fmt.Errorf("write the findings: %w", err)
	}
	return nil
}
