package lint

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/workloadmap/wm/source"
)

// Severity says how bad a finding is. The zero value is not a severity.
type Severity uint8

// The severities. Errors and warnings make a run fail, infos do not.
const (
	_ Severity = iota
	// Info is worth knowing and may be right.
	Info
	// Warning is accepted by tools and does not do what it says.
	Warning
	// Error keeps the definition, or a part of it, from working.
	Error
)

// String is the severity's word in all outputs.
func (s Severity) String() string {
	switch s {
	case Info:
		return "info"
	case Warning:
		return "warning"
	case Error:
		return "error"
	default:
		return "no severity"
	}
}

// ParseSeverity is the severity of a word; false when it is none.
func ParseSeverity(word string) (Severity, bool) {
	for s := Info; s <= Error; s++ {
		if s.String() == word {
			return s, true
		}
	}
	return 0, false
}

// MarshalText is String; a severity that is none is an error.
func (s Severity) MarshalText() ([]byte, error) {
	if s < Info || s > Error {
		return nil, errors.New("a finding has no severity")
	}
	return []byte(s.String()), nil
}

// Finding is one mistake in a file.
type Finding struct {
	// Rule is the rule's permanent id, "WM101"; Name its name.
	Rule string `json:"rule"`
	Name string `json:"name"`
	// Severity is never the zero value.
	Severity Severity `json:"severity"`
	// File is the file's name as it was given or found; "-" is standard input.
	File string `json:"file"`
	// Line and Column start at 1; columns count Unicode code points. The end is
	// right behind the last character: equal to the start where something is
	// missing and there is no character to point at.
	Line      int `json:"line"`
	Column    int `json:"column"`
	EndLine   int `json:"endLine"`
	EndColumn int `json:"endColumn"`
	// Message says what is wrong, in one line of at most 500 characters.
	Message string `json:"message"`
	// Help says what to do; often empty.
	Help string `json:"help"`

	// Fix removes the finding; nil when that needs a decision.
	Fix *Fix `json:"-"`
}

func newFinding(rule Rule, file string, where source.Range, message, help string, edits []source.TextEdit) Finding {
	var fix *Fix
	if len(edits) > 0 {
		fix = &Fix{Edits: edits}
	}
	return Finding{
		Fix:  fix,
		Rule: rule.ID, Name: rule.Name, Severity: rule.Severity,
		File: file,
		Line: where.Start.Line, Column: where.Start.Column,
		EndLine: where.End.Line, EndColumn: where.End.Column,
		Message: oneLine(message), Help: oneLine(help),
	}
}

// oneLine makes what a rule says fit for one line: names and values in it come
// from the file and can be anything.
func oneLine(text string) string {
	const most = 500
	text = strings.NewReplacer("\r\n", " ", "\n", " ", "\r", " ").Replace(text)
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return text
}

func compareFindings(a, b Finding) int {
	return cmp.Or(
		strings.Compare(a.File, b.File),
		cmp.Compare(a.Line, b.Line),
		cmp.Compare(a.Column, b.Column),
		strings.Compare(a.Rule, b.Rule),
		cmp.Compare(a.EndLine, b.EndLine),
		cmp.Compare(a.EndColumn, b.EndColumn),
		strings.Compare(a.Message, b.Message),
	)
}

// sorted orders findings by place and drops repetitions: a text that several
// aliases lead to is one mistake.
func sorted(findings []Finding) []Finding {
	slices.SortFunc(findings, compareFindings)
	return slices.CompactFunc(findings, func(a, b Finding) bool {
		a.Fix, b.Fix = nil, nil
		return a == b
	})
}
