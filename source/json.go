package source

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"
)

// jsonValue is one value of a JSON stream, as tree and as value.
type jsonValue struct {
	tree  *tree
	start int
	value reading
}

// jsonBody is the part of a chunk that JSON may be in.
func (p *parser) jsonBody(c chunk) (start, end int) {
	src := p.file.content
	start, end = c.body, c.bodyEnd
	if c.marked {
		// A comment may follow the `---`.
		if line := lineEnd(src, start); isBlank(src[start:line]) {
			start = line
		}
	}
	for start < end && strings.IndexByte(" \t\r\n", src[start]) >= 0 {
		start++
	}
	return start, end
}

// looksLikeJSON reports whether a chunk is worth reading as JSON.
func (p *parser) looksLikeJSON(c chunk) bool {
	start, end := p.jsonBody(c)
	return start < end && (p.file.content[start] == '{' || p.file.content[start] == '[')
}

// surelyJSON tells, of a chunk that is neither valid JSON nor valid YAML, that
// its author meant JSON.
func (p *parser) surelyJSON(c chunk) bool {
	if strings.HasSuffix(p.file.name, ".json") {
		return true
	}
	start, end := p.jsonBody(c)
	rest := bytes.TrimLeft(p.file.content[start+1:end], " \t\r\n")
	return p.file.content[start] == '{' && len(rest) > 0 && (rest[0] == '"' || rest[0] == '}')
}

// json reads a chunk as a stream of JSON values, up to the first mistake.
func (p *parser) json(c chunk) ([]jsonValue, *Error) {
	at, end := p.jsonBody(c)
	var values []jsonValue
	for {
		s := jsonScanner{parser: p, src: p.file.content[:end], at: at}
		s.space()
		if s.at == end {
			return values, nil
		}
		v := s.document()
		if s.fault != nil {
			return values, s.fault
		}
		values = append(values, v)
		at = s.at
	}
}

// jsonStream reads a chunk that has mistakes: each stops one value, and reading
// goes on at the next line that starts with an opening bracket.
func (p *parser) jsonStream(c chunk) {
	for {
		values, fault := p.json(c)
		p.jsonDocuments(values)
		if fault == nil {
			return
		}
		p.claim(fault.Range.Start.Offset)
		p.faults = append(p.faults, fault)
		next := p.nextBracketLine(fault.Range.Start.Offset, c.bodyEnd)
		if next < 0 || p.count > MaxDocuments {
			return
		}
		c.body, c.marked = next, false
	}
}

func (p *parser) nextBracketLine(from, end int) int {
	src := p.file.content
	for at := lineEnd(src, from); at < end; at = lineEnd(src, at) {
		n, _ := lineBreak(src[at:])
		at += n
		if at < end && (src[at] == '{' || src[at] == '[') {
			return at
		}
	}
	return -1
}

func (p *parser) jsonDocuments(values []jsonValue) {
	for _, v := range values {
		p.add(v.tree, p.claim(v.start), v.value)
	}
}

// jsonScanner reads JSON (RFC 8259) into a tree.
type jsonScanner struct {
	*parser
	src        []byte
	at         int
	nodes      int
	duplicates []Duplicate
	fault      *Error
}

func (s *jsonScanner) document() jsonValue {
	start := s.at
	root := s.value(nil, 1)
	v := jsonValue{tree: &tree{root: root}, start: start}
	if s.fault == nil {
		v.tree.duplicates = s.duplicates
		v.value = decodeJSON(s.src[start:s.at])
	}
	return v
}

func (s *jsonScanner) stop(start, end int, message, help string) {
	if s.fault == nil {
		s.fault = s.parser.fault(start, end, message, help)
	}
}

func (s *jsonScanner) space() {
	for s.at < len(s.src) {
		switch s.src[s.at] {
		case ' ', '\t', '\r', '\n':
			s.at++
		default:
			return
		}
	}
}

// next skips white space and reports the byte there, 0 at the end.
func (s *jsonScanner) next() byte {
	s.space()
	if s.at == len(s.src) {
		return 0
	}
	return s.src[s.at]
}

func (s *jsonScanner) unexpected(want string) {
	if s.at == len(s.src) {
		s.stop(s.at, s.at, "the JSON ends too early: "+want+" is needed", "")
		return
	}
	r, size := utf8.DecodeRune(s.src[s.at:])
	s.stop(s.at, s.at+size, fmt.Sprintf("this is not valid JSON: %s is needed, not %q", want, r), "")
}

func (s *jsonScanner) value(key *node, depth int) *node {
	c := s.next()
	n := &node{key: key, start: s.at, end: s.at}
	s.nodes++
	switch {
	case depth > MaxDepth:
		s.stop(s.at, s.at, tooDeep(), "")
		s.fault.limit = true
	case s.nodes > MaxNodes:
		s.stop(s.at, s.at, tooMany(), "")
		s.fault.limit = true
	case c == '{':
		s.object(n, depth)
	case c == '[':
		s.array(n, depth)
	case c == '"':
		s.string(n)
	default:
		s.word(n)
	}
	n.end = s.at
	return n
}

func (s *jsonScanner) object(n *node, depth int) {
	n.kind, n.style = Mapping, styleFlow
	s.at++
	if s.next() == '}' {
		s.at++
		return
	}
	for s.fault == nil {
		if s.next() != '"' {
			s.unexpected("a key in double quotes")
			return
		}
		key := &node{start: s.at}
		s.nodes++
		s.string(key)
		key.end = s.at
		if s.fault == nil && s.next() != ':' {
			s.unexpected("`:` after the key")
		}
		if s.fault != nil {
			return
		}
		s.at++
		n.fields = append(n.fields, field{name: key.text, key: key, value: s.value(key, depth+1)})
		if s.fault != nil {
			return
		}
		switch s.next() {
		case ',':
			s.at++
		case '}':
			s.at++
			s.duplicates = append(s.duplicates, n.finish(s.file)...)
			return
		default:
			s.unclosed(n, "`,` or `}`")
		}
	}
}

func (s *jsonScanner) array(n *node, depth int) {
	n.kind, n.style = Sequence, styleFlow
	s.at++
	if s.next() == ']' {
		s.at++
		return
	}
	for s.fault == nil {
		n.items = append(n.items, s.value(nil, depth+1))
		if s.fault != nil {
			return
		}
		switch s.next() {
		case ',':
			s.at++
		case ']':
			s.at++
			return
		default:
			s.unclosed(n, "`,` or `]`")
		}
	}
}

// unclosed points at the opening bracket when the file ends inside.
func (s *jsonScanner) unclosed(n *node, want string) {
	if s.at == len(s.src) {
		s.stop(n.start, n.start+1, fmt.Sprintf("this `%c` is never closed", s.src[n.start]), "")
		return
	}
	s.unexpected(want)
}

func (s *jsonScanner) string(n *node) {
	n.kind, n.style = Scalar, styleJSON
	for p := n.start + 1; p < len(s.src); p++ {
		switch c := s.src[p]; {
		case c == '\\':
			p++
		case c == '"':
			s.at = p + 1
			s.decode(n, s.at)
			return
		case c < 0x20:
			if c == '\n' || c == '\r' {
				s.stop(n.start, n.start+1, "this string is not closed on its line", "")
				return
			}
			s.stop(p, p+1, fmt.Sprintf("control character U+%04X in a JSON string", c), fmt.Sprintf(`write it as \u%04x`, c))
			return
		}
	}
	s.stop(n.start, n.start+1, "this string is never closed", "")
}

// decode gives a string its text; most have no escape.
func (s *jsonScanner) decode(n *node, end int) {
	raw := s.src[n.start+1 : end-1]
	if bytes.IndexByte(raw, '\\') < 0 {
		n.text = string(raw)
		return
	}
	for i := 0; i < len(raw); i++ {
		if raw[i] != '\\' {
			continue
		}
		i++
		_, ok := hex(raw, i+1, 4)
		if strings.IndexByte(`"\/bfnrtu`, raw[i]) < 0 || raw[i] == 'u' && !ok {
			at := n.start + i
			end := at + 1 + runeLength(s.src, at+1)
			s.stop(at, end, fmt.Sprintf("%s is not an escape of JSON", visible(s.src[at:end])), `a backslash is written as \\`)
			return
		}
	}
	w, ok := doubleText(s.src, n.start, true)
	if !ok {
		s.stop(n.start, end, "this is not a JSON string", "")
		return
	}
	n.text = string(w.text)
}

// word reads a number, true, false or null.
func (s *jsonScanner) word(n *node) {
	n.kind = Scalar
	end := s.at
	for end < len(s.src) && strings.IndexByte(" \t\r\n,:[]{}\"", s.src[end]) < 0 {
		end++
	}
	n.text = string(s.src[s.at:end])
	switch text := n.text; {
	case text == "null":
		n.class = classNull
	case text == "true", text == "false":
		n.class = classBool
	case numberSyntax.MatchString(text):
		n.class = classFloat
		if !strings.ContainsAny(text, ".eE") {
			n.class, _ = classOfNumber(text)
		}
	case text == "":
		s.unexpected("a value")
	default:
		s.stop(s.at, end, fmt.Sprintf("this is not valid JSON: a value is needed, not %s", short(text)), "text needs double quotes")
	}
	s.at = end
}
