package lsp

import (
	"context"
	"fmt"
	"strings"

	"github.com/workloadmap/wm/lint"
	"github.com/workloadmap/wm/source"
)

const kindQuickFix = "quickfix"

// syntaxErrors is the rule that no comment can silence.
const syntaxErrors = "WM001"

// actions lists what can be done about the findings in a range. It is never nil.
func (s *server) actions(ctx context.Context, d *document, where textRange) []codeAction {
	a := s.analyze(ctx, d)
	actions := []codeAction{}
	for _, f := range a.findings {
		if !overlap(rangeOf(d.text, f), where) {
			continue
		}
		if f.Fix != nil {
			fix := s.action(d, f, "Fix: "+fixWords(f), fixEdits(d.text, f))
			fix.IsPreferred = true
			actions = append(actions, fix)
		}
		if f.Rule != syntaxErrors {
			title := fmt.Sprintf("Ignore %s (%s) here", f.Rule, f.Name)
			actions = append(actions, s.action(d, f, title, []textEdit{ignoreEdit(a, f)}))
		}
	}
	return actions
}

func (s *server) action(d *document, f lint.Finding, title string, edits []textEdit) codeAction {
	return codeAction{
		Title: title, Kind: kindQuickFix, Diagnostics: []diagnostic{diagnosticOf(d.text, f)},
		Edit: workspaceEdit{Changes: map[string][]textEdit{d.uri: edits}},
	}
}

// fixWords says what a fix does: the help of its finding is about that.
func fixWords(f lint.Finding) string {
	if f.Help != "" {
		return f.Help
	}
	return f.Message
}

func fixEdits(t text, f lint.Finding) []textEdit {
	edits := make([]textEdit, len(f.Fix.Edits))
	for i, edit := range f.Fix.Edits {
		edits[i] = textEdit{Range: t.textRange(edit.Range), NewText: edit.Text}
	}
	return edits
}

// ignoreEdit puts a comment above the line that a finding is on. Within a text
// of several lines a comment would be part of the text; there it goes above the
// line that the text begins on.
func ignoreEdit(a *analysis, f lint.Finding) textEdit {
	at := a.text.fromColumn(f.Line, f.Column)
	line := at.Line
	for _, definition := range a.definitions() {
		node, onKey := nodeAt(definition.Root, a.text.offset(at))
		if first := node.Range().Start.Line - 1; !onKey && node.Kind() == source.Scalar && first < line {
			line = first
		}
	}
	content := a.text.line(line)
	indent := content[:len(content)-len(strings.TrimLeft(content, " "))]
	start := position{Line: line}
	return textEdit{
		Range:   textRange{start, start},
		NewText: fmt.Sprintf("%s# wm:ignore %s -- reason%s", indent, f.Rule, a.lineBreak()),
	}
}

// lineBreak is the one that the text uses.
func (a *analysis) lineBreak() string {
	if strings.Contains(a.text.content, "\r\n") {
		return "\r\n"
	}
	return "\n"
}
