package lsp

import (
	"context"
	"time"

	"github.com/workloadmap/wm/lint"
)

// publish sends the findings of a document.
func (s *server) publish(ctx context.Context, d *document) error {
	d.due = time.Time{}
	return s.notify("textDocument/publishDiagnostics", publishDiagnosticsParams{
		URI: d.uri, Version: d.version, Diagnostics: s.diagnostics(s.analyze(ctx, d)),
	})
}

// diagnostics are the findings of a text in the protocol's words. The result is
// never nil: no findings are sent as an empty list.
func (s *server) diagnostics(a *analysis) []diagnostic {
	list := make([]diagnostic, len(a.findings))
	for i, f := range a.findings {
		list[i] = diagnosticOf(a.text, f)
	}
	return list
}

func diagnosticOf(t text, f lint.Finding) diagnostic {
	d := diagnostic{
		Range:    rangeOf(t, f),
		Severity: severityError,
		Code:     f.Rule,
		Source:   "wm",
		Message:  f.Message,
	}
	switch f.Severity {
	case lint.Warning:
		d.Severity = severityWarning
	case lint.Info:
		d.Severity = severityInformation
	}
	if f.Help != "" {
		d.Message += "\nhelp: " + f.Help
	}
	return d
}

func rangeOf(t text, f lint.Finding) textRange {
	return textRange{t.fromColumn(f.Line, f.Column), t.fromColumn(f.EndLine, f.EndColumn)}
}
