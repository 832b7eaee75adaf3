package lsp

import (
	"regexp"
	"slices"
	"strings"

	"github.com/workloadmap/wm/source"
)

// place is where the cursor is in a document, as far as its layout tells.
type place struct {
	// path leads to the value that is being written; for a key, to the object
	// that it belongs to. Fields are strings, positions in lists ints.
	path []any
	// key says that a field's name is expected.
	key bool
	// written is what stands there before the cursor, without quotes.
	written string
	// quote is ' or " within quotes, | within a block scalar, 0 otherwise.
	quote byte
	// start is the offset where the name or value begins, a quote included.
	start int
	// item says that an item of a list begins here, which may be an object's
	// first key as well as a text.
	item bool
}

// placeAt finds out where an offset of a text is. It reads only what stands
// before it and takes any text.
func placeAt(content string, offset int) place {
	start, _ := documentAround(content, offset)
	s := scanner{text: content[:offset], pos: start}
	s.scan()
	return s.found
}

// keysAround lists the fields that the object at a path has in the document
// around an offset, except one that begins at the offset except.
func keysAround(content string, offset int, path []any, except int) map[string]bool {
	start, end := documentAround(content, offset)
	s := scanner{text: content[:end], pos: start, object: path, except: except, keys: map[string]bool{}}
	s.scan()
	return s.keys
}

// documentAround finds the document of a stream that an offset is in.
func documentAround(content string, offset int) (start, end int) {
	end = len(content)
	for at := 0; at < len(content); {
		next := len(content)
		if i := strings.IndexByte(content[at:], '\n'); i >= 0 {
			next = at + i + 1
		}
		if strings.HasPrefix(content[at:], "---") {
			if at > offset {
				return start, at
			}
			start = next
		}
		at = next
	}
	return min(start, offset), end
}

// level is a key or a list item that a line can belong to.
type level struct {
	indent int
	// segment is a string for a key, an int for an item.
	segment any
	// valued says that the value began on the key's own line.
	valued bool
}

// scanner walks over the layout of a YAML or JSON document.
type scanner struct {
	text   string
	pos    int
	levels []level
	found  place

	// keys are those of the object, without the one at except.
	object []any
	except int
	keys   map[string]bool
}

func (s *scanner) scan() {
	s.found = place{key: true, start: len(s.text)}
	if s.pos == 0 && strings.HasPrefix(s.text, "\ufeff") {
		s.pos = len("\ufeff")
	}
	for s.pos < len(s.text) {
		s.line()
	}
	// Behind a line break a key may follow, wherever the editor puts it.
	if n := len(s.text); n > 0 && s.text[n-1] == '\n' && s.found.quote == 0 {
		s.levels = nil
		s.found = place{key: true, start: n}
	}
}

// line reads a line, or several when a value goes on over them.
func (s *scanner) line() {
	rest := s.rest()
	indent := len(rest) - len(strings.TrimLeft(rest, " "))
	s.pos += indent
	rest = rest[indent:]
	for (rest == "-" || strings.HasPrefix(rest, "- ")) && len(s.levels) < source.MaxDepth {
		s.item(indent)
		skip := 1 + len(rest[1:]) - len(strings.TrimLeft(rest[1:], " "))
		indent, rest = indent+skip, rest[skip:]
		s.pos += skip
		s.found = place{path: s.path(), key: true, item: true, start: s.pos}
	}
	switch {
	case strings.HasPrefix(rest, "#"):
		s.found = place{path: s.path(), start: s.pos, quote: '#'}
		s.endLine()
	case strings.HasPrefix(rest, "{") || strings.HasPrefix(rest, "["):
		s.pop(indent)
		s.flow()
		s.endLine()
	default:
		s.entry(indent, rest)
	}
}

// entry reads a line that is `key: value`, a part of it, or a text.
func (s *scanner) entry(indent int, rest string) {
	isItem := s.found.item && s.found.start == s.pos
	name, length, isKey := keyOf(rest)
	if !isKey {
		if !isItem && len(s.levels) > 0 && s.top().valued && indent > s.top().indent && rest != "" {
			// The next line of a text: not where a field can be.
			s.found = place{path: s.path(), start: s.pos, written: rest}
			s.endLine()
			return
		}
		s.pop(indent)
		s.found = place{path: s.path(), key: true, written: rest, start: s.pos, item: isItem}
		if rest != "" && (rest[0] == '"' || rest[0] == '\'') {
			s.quoted()
			s.found.key, s.found.item = true, isItem
		}
		s.endLine()
		return
	}
	s.pop(indent)
	if s.keys != nil && len(s.levels) == len(s.object) {
		s.note(s.path(), name, s.pos)
	}
	s.levels = append(s.levels, level{indent: indent, segment: name})
	s.pos += length
	s.value(indent)
}

// value reads what stands behind a key's colon.
func (s *scanner) value(indent int) {
	s.skipSpaces()
	for strings.HasPrefix(s.rest(), "&") || strings.HasPrefix(s.rest(), "!") {
		s.pos += len(strings.SplitN(s.rest(), " ", 2)[0])
		s.skipSpaces()
	}
	rest := s.rest()
	s.found = place{path: s.path(), start: s.pos, written: rest}
	switch {
	case rest == "" || strings.HasPrefix(rest, "#"):
		s.endLine()
	case rest[0] == '|' || rest[0] == '>':
		s.top().valued = true
		s.endLine()
		s.block(indent)
	case rest[0] == '{' || rest[0] == '[':
		s.top().valued = true
		s.flow()
		s.endLine()
	case rest[0] == '"' || rest[0] == '\'':
		s.top().valued = true
		s.quoted()
		s.endLine()
	default:
		s.top().valued = true
		s.endLine()
	}
}

// block reads the lines of a block scalar.
func (s *scanner) block(indent int) {
	start := s.pos
	for s.pos < len(s.text) {
		rest := s.rest()
		bare := strings.TrimLeft(rest, " ")
		atEnd := s.pos+len(rest) >= len(s.text)
		if bare != "" && len(rest)-len(bare) <= indent || bare == "" && atEnd && len(rest) <= indent {
			return
		}
		s.endLine()
		s.found = place{path: s.path(), quote: '|', start: start, written: s.text[start:s.pos]}
	}
}

// nextField is a line that no text in quotes has, but for rare ones.
var nextField = regexp.MustCompile(`^\r?\n *(- +)*[A-Za-z]+:[ \r\n]`)

// quoted reads a text in quotes, which may go on over lines. One that is not
// closed ends where the next field begins: the author is still writing it.
func (s *scanner) quoted() {
	quote, start := s.text[s.pos], s.pos
	for s.pos++; s.pos < len(s.text); s.pos++ {
		switch c := s.text[s.pos]; {
		case c == '\\' && quote == '"':
			s.pos++
		case c == quote && quote == '\'' && strings.HasPrefix(s.text[s.pos:], "''"):
			s.pos++
		case c == quote:
			s.pos++
			s.found = place{path: s.path(), start: s.pos, quote: '#'}
			return
		case (c == '\r' || c == '\n') && nextField.MatchString(s.text[s.pos:min(len(s.text), s.pos+200)]):
			s.found = place{path: s.path(), start: s.pos, quote: '#'}
			return
		}
	}
	s.pos = len(s.text)
	s.found = place{path: s.path(), quote: quote, start: start, written: unquoted(s.text[start+1:], quote)}
}

func unquoted(written string, quote byte) string {
	if quote == '\'' {
		return strings.ReplaceAll(written, "''", "'")
	}
	return strings.NewReplacer(`\"`, `"`, `\\`, `\`).Replace(written)
}

// keyOf reads `name:` at the beginning of a line; length includes the colon.
func keyOf(rest string) (name string, length int, ok bool) {
	if rest == "" {
		return "", 0, false
	}
	if quote := rest[0]; quote == '"' || quote == '\'' {
		end := strings.IndexByte(rest[1:], quote)
		if end < 0 {
			return "", 0, false
		}
		behind := strings.TrimLeft(rest[end+2:], " ")
		if !strings.HasPrefix(behind, ":") {
			return "", 0, false
		}
		return rest[1 : end+1], len(rest) - len(behind) + 1, true
	}
	for i := range len(rest) {
		if rest[i] == ':' && (i+1 == len(rest) || rest[i+1] == ' ' || rest[i+1] == '\t') {
			return strings.TrimRight(rest[:i], " "), i + 1, i > 0
		}
		if rest[i] == '#' && i > 0 && rest[i-1] == ' ' {
			break
		}
	}
	return "", 0, false
}

// item begins an item of the list at an indentation. A list may stand as far
// left as the key that holds it.
func (s *scanner) item(indent int) {
	for len(s.levels) > 0 && s.top().indent > indent {
		s.levels = s.levels[:len(s.levels)-1]
	}
	if len(s.levels) > 0 && s.top().indent == indent {
		if index, isItem := s.top().segment.(int); isItem {
			s.top().segment = index + 1
			return
		}
	}
	s.levels = append(s.levels, level{indent: indent, segment: 0})
}

// pop leaves what a line at an indentation cannot belong to.
func (s *scanner) pop(indent int) {
	for len(s.levels) > 0 && s.top().indent >= indent {
		s.levels = s.levels[:len(s.levels)-1]
	}
}

func (s *scanner) top() *level { return &s.levels[len(s.levels)-1] }

func (s *scanner) path() []any {
	path := make([]any, len(s.levels))
	for i, l := range s.levels {
		path[i] = l.segment
	}
	return path
}

func (s *scanner) note(object []any, key string, at int) {
	if at != s.except && slices.Equal(object, s.object) {
		s.keys[key] = true
	}
}

// rest is what is left of the line.
func (s *scanner) rest() string {
	rest := s.text[s.pos:]
	if i := strings.IndexAny(rest, "\r\n"); i >= 0 {
		rest = rest[:i]
	}
	return rest
}

func (s *scanner) skipSpaces() {
	s.pos += len(s.rest()) - len(strings.TrimLeft(s.rest(), " \t"))
}

func (s *scanner) endLine() {
	s.pos += len(s.rest())
	if strings.HasPrefix(s.text[s.pos:], "\r\n") {
		s.pos++
	}
	s.pos = min(s.pos+1, len(s.text))
}
