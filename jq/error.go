package jq

import (
	"strconv"
	"strings"
)

// Kind says which rule an expression broke.
type Kind int

// The kinds of errors. The first three are found by [Compile], the last two by
// a run; Forbidden can be both.
const (
	_ Kind = iota
	// Syntax is text that is not jq.
	Syntax
	// Name is a function, variable, label or format that does not exist.
	Name
	// Forbidden is jq that is valid but not accepted in a definition.
	Forbidden
	// Runtime is an operation that the input does not allow, such as
	// iterating over null.
	Runtime
	// Bound is a run that exceeded one of the Max constants or its context.
	Bound
)

// String is one lower-case word.
func (k Kind) String() string {
	switch k {
	case Syntax:
		return "syntax"
	case Name:
		return "name"
	case Forbidden:
		return "forbidden"
	case Runtime:
		return "runtime"
	case Bound:
		return "bound"
	default:
		return "unknown"
	}
}

// Error is what is wrong with an expression or with one run of it.
type Error struct {
	Kind Kind
	// Expression is the whole source text.
	Expression string
	// Start and End are byte offsets into Expression, End exclusive. When the
	// place within the expression is not known they span all of it. Equal
	// offsets mark a place between two characters, usually the end of the text.
	Start, End int
	// Message is one clause in lower case, without the expression.
	Message string
	// Help says what to write instead; empty when that cannot be guessed.
	Help string

	cause error
}

// Error is the message, the expression it is about and the help.
func (e *Error) Error() string {
	var text strings.Builder
	text.WriteString(e.Message)
	text.WriteString(" in ")
	text.WriteString(strconv.Quote(shorten(e.Expression, 120)))
	if e.Help != "" {
		text.WriteString(": ")
		text.WriteString(e.Help)
	}
	return text.String()
}

// Unwrap gives the context's error when the context ended a run.
func (e *Error) Unwrap() error { return e.cause }

// whole makes an error about an expression as a whole.
func whole(kind Kind, expression, message string) *Error {
	return &Error{Kind: kind, Expression: expression, End: len(expression), Message: message}
}

// shorten cuts text to about limit bytes, at a character border.
func shorten(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	for limit > 0 && !isRuneStart(text[limit]) {
		limit--
	}
	return text[:limit] + "..."
}

func isRuneStart(b byte) bool { return b&0xC0 != 0x80 }
