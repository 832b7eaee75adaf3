package jq

import (
	"errors"
	"fmt"
	"strings"

	"github.com/itchyny/gojq"
)

// syntaxError turns the parser's error into one that says what to write.
func syntaxError(expression string, failure error) *Error {
	err := whole(Syntax, expression, "jq cannot read the expression")
	text := lex(expression)
	var parse *gojq.ParseError
	if errors.As(failure, &parse) {
		err.Start, err.End = max(0, min(parse.Offset-len(parse.Token), len(expression))), min(parse.Offset, len(expression))
		err.Message = parseProblem(parse, expression[err.Start:err.End])
	}
	switch {
	case text.openQuote >= 0:
		err.Start, err.End = text.openQuote, text.openQuote+1
		err.Message, err.Help = "the string that starts here has no end", `close it with "`
	case err.Start == len(expression) && text.openBracket >= 0:
		open := text.openBracket
		err.Start, err.End = open, open+1
		err.Message, err.Help = fmt.Sprintf("%q has no counterpart", expression[open]), "close it or remove it"
	}
	foreign(err, text)
	return err
}

func parseProblem(parse *gojq.ParseError, found string) string {
	switch {
	case strings.HasPrefix(parse.Error(), "invalid escape"):
		return fmt.Sprintf("%s is not an escape sequence of a string", found)
	case found == "":
		return "the expression ends too early"
	default:
		return fmt.Sprintf("%q cannot stand here", found)
	}
}

// foreignSyntax is what people write who know another language, and what jq
// calls it.
type foreignSyntax struct{ text, message, help string }

func foreignSyntaxes() []foreignSyntax {
	return []foreignSyntax{
		{"{{", "{{ is template syntax, not jq", "write the path alone, such as .spec.replicas"},
		{"“", "“ is a typographic quote", `write "`},
		{"”", "” is a typographic quote", `write "`},
		{"‘", "‘ is a typographic quote", `write "`},
		{"’", "’ is a typographic quote", `write "`},
		{"&&", "&& is not jq", "write and"},
		{"||", "|| is not jq", "write or, or // for a default"},
		{"===", "=== is not jq", "write =="},
		{"!==", "!== is not jq", "write !="},
		{"=~", "=~ is not jq", `write test("...")`},
		{"[*]", "[*] is JSONPath, not jq", "write []"},
		{"'", "jq has no single quotes", `write "`},
		{"!", "! is not jq", "write ... | not"},
	}
}

// foreign replaces the message when the text uses another language's syntax
// at or before the place where the parser gave up.
func foreign(err *Error, text *lexed) {
	limit := err.End
	if text.openQuote >= 0 {
		limit = len(text.source)
	}
	for _, f := range foreignSyntaxes() {
		at := outsideStrings(text, f.text)
		if at < 0 || at > limit {
			continue
		}
		err.Start, err.End = at, at+len(f.text)
		err.Message, err.Help = f.message, f.help
		return
	}
	switch found := text.source[err.Start:err.End]; {
	case found == "$" && strings.HasPrefix(strings.TrimSpace(text.source), "$"):
		err.Help = "the object itself is ., so drop the $"
	case len(found) > 1 && found[0] == '.' && isDigit(found[1]):
		err.Help = fmt.Sprintf("write [%s] for an element of an array", found[1:])
	case found == "else" && strings.HasPrefix(strings.TrimSpace(text.source[err.End:]), "if"):
		err.Help = "write elif"
	}
}

// outsideStrings finds the first occurrence of a text that does not start
// within a string literal or a comment; -1 when there is none.
func outsideStrings(text *lexed, wanted string) int {
	for _, t := range text.tokens {
		if t.kind != tokenString && t.kind != tokenField && strings.HasPrefix(text.source[t.start:], wanted) {
			return t.start
		}
	}
	return -1
}

// explain adds help to a name that is unknown because of how jq reads the
// characters around it.
func (c *checker) explain(err *Error) {
	if err.Kind != Name {
		return
	}
	before, name := c.text.source[:err.Start], c.text.source[err.Start:err.End]
	if help := splitField(before, c.text.source[err.Start:]); help != "" {
		err.Help = help
		return
	}
	after := c.text.source[err.End:]
	starts := after != "" && (after[0] == '.' || after[0] == '[')
	if isIdentifier(name) && strings.TrimSpace(before) == "" && (starts || after == "" && err.Help == "") {
		err.Help = fmt.Sprintf("a path starts with a dot: .%s", strings.TrimSpace(c.text.source))
	}
}

// splitField finds a field with a "-" or "/" in its name, which jq reads as
// subtraction or division, and says how to write it.
func splitField(before, from string) string {
	start := len(before)
	for start > 0 && isFieldByte(before[start-1]) {
		start--
	}
	written := before[start:]
	if len(written) < 3 || strings.IndexByte("-/", written[len(written)-1]) < 0 || written[0] != '.' {
		return ""
	}
	end := 0
	for end < len(from) && isFieldByte(from[end]) && from[end] != '.' {
		end++
	}
	written = strings.TrimRight(written+from[:end], "-/")
	path, key := fieldStart(written)
	if path == "" {
		path = "."
	}
	return fmt.Sprintf("a field with - or / in its name needs quotes: write %s[%s]", path, quote(key))
}

func isFieldByte(c byte) bool {
	return isLetter(c) || isDigit(c) || c == '-' || c == '/' || c == '.'
}

// fieldStart splits a chain such as .metadata.labels.ray.io/group before the
// field that contains the special character. Keys of labels and annotations
// start with a domain name, whose dots belong to the key.
func fieldStart(written string) (path, key string) {
	for _, parent := range []string{".labels.", ".annotations.", ".matchLabels.", ".nodeSelector."} {
		if at := strings.Index(written, parent); at >= 0 {
			cut := at + len(parent)
			return written[:cut-1], written[cut:]
		}
	}
	cut := strings.LastIndexByte(written[:strings.IndexAny(written, "-/")], '.')
	return written[:cut], written[cut+1:]
}
