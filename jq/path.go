package jq

import (
	"slices"
	"strconv"
	"strings"
)

// StepKind is the kind of one step of a path.
type StepKind int

// The kinds of steps.
const (
	_ StepKind = iota
	// StepField reads an object's field.
	StepField
	// StepIndex reads one element of an array.
	StepIndex
	// StepIterate reads every element of an array, or every value of an
	// object in the order of its sorted keys.
	StepIterate
)

// Step is one step of a path.
type Step struct {
	Kind StepKind
	// Field is the name for StepField; any string, also the empty one.
	Field string
	// Index is the position for StepIndex, from 0; negative counts from the end.
	Index int
	// Optional is a "?" after the step: where it does not apply, nothing
	// comes out instead of an error.
	Optional bool
}

// Path is a plain jq path: fields, elements and iterations, in order. The
// empty path is ".".
type Path []Step

// String is the jq spelling, such as .spec["a-b"][].name[-1]?.
func (p Path) String() string {
	if len(p) == 0 {
		return "."
	}
	var text strings.Builder
	for i, step := range p {
		switch {
		case step.Kind == StepField && isIdentifier(step.Field):
			text.WriteString("." + step.Field)
		case i == 0:
			text.WriteByte('.')
			text.WriteString(step.brackets())
		default:
			text.WriteString(step.brackets())
		}
		if step.Optional {
			text.WriteByte('?')
		}
	}
	return text.String()
}

func (s Step) brackets() string {
	switch s.Kind {
	case StepField:
		return "[" + quote(s.Field) + "]"
	case StepIndex:
		return "[" + strconv.Itoa(s.Index) + "]"
	default:
		return "[]"
	}
}

// HasPrefix tells whether p starts with all steps of prefix. A "?" does not
// make a difference: .a[]? reads the same list as .a[].
func (p Path) HasPrefix(prefix Path) bool {
	if len(p) < len(prefix) {
		return false
	}
	for i, step := range prefix {
		if step.required() != p[i].required() {
			return false
		}
	}
	return true
}

// Iterates tells whether the path has an iteration, and so any number of results.
func (p Path) Iterates() bool {
	return slices.ContainsFunc(p, func(s Step) bool { return s.Kind == StepIterate })
}

func (s Step) required() Step {
	s.Optional = false
	return s
}

// then gives a new path with one more step; it never writes into p.
func (p Path) then(step Step) Path {
	return append(slices.Clip(slices.Clone(p)), step)
}

// isIdentifier tells whether a field can be written without quotes.
func isIdentifier(name string) bool {
	for i := range len(name) {
		if !isLetter(name[i]) && (i == 0 || !isDigit(name[i])) {
			return false
		}
	}
	return name != ""
}

func isLetter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_' }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
