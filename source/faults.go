package source

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"
)

// syntax is a syntax error of the YAML parser with what is needed to explain
// it: the place it gave up at, and the place where the construct began.
type syntax struct {
	*parser
	chunk   chunk
	message string
	at      int // offset
	context string
	began   int // offset, at when the parser names none
}

// syntaxFault explains a syntax error in the words of an author.
func (p *parser) syntaxFault(c chunk, err error) *Error {
	var load *yaml.LoadError
	if !errors.As(err, &load) {
		return p.fault(c.start, c.start, "this is not valid YAML: "+err.Error(), "")
	}
	first := p.firstLine(c)
	s := &syntax{parser: p, chunk: c, message: load.Message, context: load.ContextMsg, at: c.start}
	if load.Mark.Line > 0 {
		s.at = p.offset(c, first, load.Mark.Line, load.Mark.Column)
	}
	s.began = s.at
	if load.ContextMark.Line > 0 {
		s.began = p.offset(c, first, load.ContextMark.Line, load.ContextMark.Column)
	}
	for _, explain := range []func() *Error{s.depth, s.tab, s.quotes, s.alias, s.flow, s.scalar, s.block} {
		if fault := explain(); fault != nil {
			return fault
		}
	}
	message := strings.Replace(s.message, "did not find expected", "expected", 1)
	return s.token("this is not valid YAML: "+message, "")
}

func (s *syntax) says(part string) bool { return strings.Contains(s.message, part) }

// byteAt is the byte where the parser gave up, 0 at the end of the document.
func (s *syntax) byteAt(offset int) byte {
	if offset >= s.chunk.end {
		return 0
	}
	return s.file.content[offset]
}

// lineStart is the offset of the line that an offset is in.
func (s *syntax) lineStart(offset int) int {
	return s.file.lines[s.file.Position(offset).Line-1]
}

// token is a fault at the word where the parser gave up.
func (s *syntax) token(message, help string) *Error {
	end := s.at
	for end < s.chunk.end && strings.IndexByte(" \t\r\n", s.file.content[end]) < 0 {
		end++
	}
	return s.fault(s.at, end, message, help)
}

// char is a fault at one character.
func (s *syntax) char(offset int, message, help string) *Error {
	_, size := utf8.DecodeRune(s.file.content[offset:s.chunk.end])
	return s.fault(offset, offset+size, message, help)
}

func (s *syntax) depth() *Error {
	if s.says("exceeded max depth") {
		return s.char(s.at, tooDeep(), "")
	}
	return nil
}

// tab finds a tab in the indentation of the lines the parser names.
func (s *syntax) tab() *Error {
	for _, offset := range []int{s.at, s.began} {
		for i := s.lineStart(offset); i < s.chunk.end; i++ {
			switch s.file.content[i] {
			case ' ':
				continue
			case '\t':
				return s.fault(i, i+1, "a tab is used as indentation; YAML needs spaces", "")
			}
			break
		}
	}
	return nil
}

func (s *syntax) quotes() *Error {
	if s.context != "while scanning a quoted scalar" {
		return nil
	}
	quote := s.byteAt(s.began)
	switch {
	case s.says("unexpected end of stream"), s.says("unexpected document indicator"):
		return s.char(s.began, fmt.Sprintf("this %c is never closed", quote), "")
	case s.says("unknown escape"):
		end := min(s.at+1+runeLength(s.file.content, s.at+1), s.chunk.end)
		return s.fault(s.at, end, fmt.Sprintf("%s is not an escape of YAML", visible(s.file.content[s.at:end])), `in double quotes a backslash is written as \\; in single quotes it stands for itself`)
	}
	return s.char(s.at, "this escape is not valid: "+s.message, "")
}

func (s *syntax) alias() *Error {
	switch {
	case strings.HasPrefix(s.message, "unknown anchor '"):
		name := strings.TrimSuffix(strings.TrimPrefix(s.message, "unknown anchor '"), "' referenced")
		return s.fault(s.at, s.at+1+len(name), fmt.Sprintf("the alias *%s has no anchor &%s before it", short(name), short(name)), "quote the value if it is text")
	case s.context == "while scanning an alias", s.context == "while scanning an anchor":
		return s.char(s.began, fmt.Sprintf("`%c` needs a name behind it: it starts an alias or an anchor", s.byteAt(s.began)), "quote the value if it is text")
	}
	return nil
}

// flow explains what goes wrong between brackets.
func (s *syntax) flow() *Error {
	inFlow := s.context == "while parsing a flow sequence" || s.context == "while parsing a flow mapping"
	if !inFlow || !s.says("did not find expected") {
		return nil
	}
	closing := "`,` or `]`"
	if s.byteAt(s.began) == '{' {
		closing = "`,` or `}`"
	}
	before := byte(' ')
	if s.at > s.began {
		before = s.file.content[s.at-1]
	}
	switch c := s.byteAt(s.at); {
	case c == 0:
		return s.char(s.began, fmt.Sprintf("this `%c` is never closed", s.byteAt(s.began)), "")
	case strings.IndexByte(`[{"'`, c) >= 0 && strings.IndexByte(" \t\r\n,[{", before) < 0:
		start := s.at
		for start > s.began+1 && strings.IndexByte(" \t\r\n,[{", s.file.content[start-1]) < 0 {
			start--
		}
		return s.fault(start, s.at+1, fmt.Sprintf("`%c` inside brackets ends the text before it: quote the expression", c), "put the whole expression in single quotes")
	}
	fault := s.token(closing+" is needed here", "")
	if began, at := s.file.Position(s.began).Line, s.file.Position(s.at).Line; began != at {
		fault.Message += fmt.Sprintf(", or the `%c` of line %d is never closed", s.byteAt(s.began), began)
	}
	return fault
}

// scalar explains words that YAML does not take as text.
func (s *syntax) scalar() *Error {
	switch {
	case s.says("cannot start any token"):
		return s.char(s.at, fmt.Sprintf(`text cannot start with the character "%c"`, s.byteAt(s.at)), "quote the value")
	case s.says("did not find expected node content"):
		if s.byteAt(s.at) == 0 {
			return s.early()
		}
		return s.char(s.at, fmt.Sprintf("a value is needed here, not `%c`", s.byteAt(s.at)), "quote the value if it is text")
	case s.context == "while scanning a block scalar" && s.says("comment or line break"):
		return s.token(fmt.Sprintf("text cannot follow `%c` on the same line", s.byteAt(s.began)), "put the text on the next line, or quote it")
	case s.says("<document start>"):
		return s.token("the document is complete before this", "a stream separates documents by a line ---")
	}
	return nil
}

// early explains a document that ends where a value is needed: at the bracket
// that is left open, which is the usual cause.
func (s *syntax) early() *Error {
	text := s.file.content[s.chunk.start:s.chunk.end]
	open := 0
	for i := len(text) - 1; i >= 0; i-- {
		switch text[i] {
		case ']', '}':
			open++
		case '[', '{':
			if open == 0 {
				at := s.chunk.start + i
				return s.char(at, fmt.Sprintf("this `%c` is never closed", text[i]), "")
			}
			open--
		}
	}
	end := s.chunk.start + len(bytes.TrimRight(text, " \t\r\n"))
	return s.fault(end, end, "the document ends where a value is needed", "")
}

// block explains indentation and colons.
func (s *syntax) block() *Error {
	start := s.lineStart(s.at)
	ahead := s.file.content[start:s.at]
	first := len(bytes.Trim(ahead, " ")) == 0 // nothing stands before on the line
	switch {
	case s.says("mapping values are not allowed"):
		if bytes.Contains(ahead, []byte(": ")) {
			return s.char(s.at, "a second `: ` on one line", "quote the value if it is text")
		}
		key := start + len(ahead) - len(bytes.TrimLeft(ahead, " "))
		return s.fault(key, s.at, "a key cannot stand here: the lines above have no place for it", "check the indentation, and the colon of the line before")
	case s.says("could not find expected ':'"):
		return s.fault(s.began, lineEnd(s.file.content, s.began), "a key needs a colon behind it", "")
	case s.says("block sequence entries are not allowed"):
		return s.char(s.at, "a list cannot start on the line of its key", "put `- ` on the next line, or quote the value if it is text")
	case s.says("did not find expected '-' indicator"):
		return s.token("a list item (`- `) is needed here, as in the lines above", "check the indentation")
	case s.says("did not find expected key") && !first:
		return s.token("the value is complete before this", "quote the whole value if it is text")
	case s.says("did not find expected key"):
		return s.token("the indentation of this line matches no line above", "")
	case s.says("directive"), s.says("incompatible YAML"):
		return s.token("this line starts with %, which only YAML directives do: "+s.message, "quote the value if it is text")
	}
	return nil
}

// runeLength is the number of bytes of the character at an offset, 0 at the end.
func runeLength(src []byte, at int) int {
	if at >= len(src) {
		return 0
	}
	_, size := utf8.DecodeRune(src[at:])
	return size
}

// visible shows text of the file in a message: in backticks when it can be
// seen, and quoted as in Go when it cannot.
func visible(text []byte) string {
	for _, r := range string(text) {
		if !strconv.IsPrint(r) {
			return strconv.Quote(string(text))
		}
	}
	return "`" + string(text) + "`"
}
