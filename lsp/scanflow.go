package lsp

import (
	"regexp"
	"slices"
	"strings"
)

// fieldBegins is a last line with nothing but a part of a field's name.
var fieldBegins = regexp.MustCompile(`^\r?\n *(- +)*[A-Za-z]+:?$`)

// frame is an open bracket.
type frame struct {
	list bool
	// index counts the items of a list; key is that of an object, once its colon
	// is there.
	index int
	key   string
	keyed bool
}

// flow reads a collection in brackets, over as many lines as it takes.
func (s *scanner) flow() {
	var frames []frame
	base := s.path()
	token := s.pos // where the name or value begins
	for s.pos < len(s.text) {
		c := s.text[s.pos]
		switch {
		case c == '{' || c == '[':
			frames = append(frames, frame{list: c == '['})
			token = s.pos + 1
		case c == '}' || c == ']':
			frames = frames[:len(frames)-1]
			if len(frames) == 0 {
				s.pos++
				s.found = place{path: base, start: s.pos, quote: '#'}
				return
			}
			token = s.pos + 1
		case c == ',':
			top := &frames[len(frames)-1]
			top.index++
			top.keyed = false
			token = s.pos + 1
		case c == ':' && s.isColon(frames[len(frames)-1], token):
			top := &frames[len(frames)-1]
			top.key, top.keyed = strings.Trim(s.text[token:s.pos], " \t\r\n\"'"), true
			// Paths are only made where they can be the right one: brackets can be
			// nested as deep as the document is long.
			if s.keys != nil && len(base)+len(frames)-1 == len(s.object) {
				s.note(flowPath(base, frames[:len(frames)-1]), top.key, skipBlank(s.text, token))
			}
			token = s.pos + 1
		case (c == '\r' || c == '\n') && s.leftFlow():
			s.found = place{path: base, start: s.pos, quote: '#'}
			return
		case c == '#' && s.pos > 0 && strings.ContainsRune(" \t\n", rune(s.text[s.pos-1])):
			s.pos += len(s.rest()) - 1
		case (c == '"' || c == '\'') && strings.TrimSpace(s.text[token:s.pos]) == "":
			s.quoted()
			if s.found.quote != '#' {
				s.foundInFlow(base, frames)
				return
			}
			continue
		}
		s.pos++
	}
	token = skipBlank(s.text, token)
	s.found = place{written: s.text[token:], start: token}
	s.foundInFlow(base, frames)
}

// leftFlow reports whether a field begins on the next line, as far left as the
// one that the brackets belong to: they were not closed.
func (s *scanner) leftFlow() bool {
	if len(s.levels) == 0 {
		return false
	}
	behind := s.text[s.pos:min(len(s.text), s.pos+200)]
	next := strings.TrimLeft(behind, "\r\n")
	indent := len(next) - len(strings.TrimLeft(next, " "))
	return indent <= s.top().indent && (nextField.MatchString(behind) || fieldBegins.MatchString(behind))
}

// foundInFlow adds to the place of the cursor what the brackets say.
func (s *scanner) foundInFlow(base []any, frames []frame) {
	top := frames[len(frames)-1]
	s.found.key = !top.list && !top.keyed
	s.found.path = flowPath(base, frames)
}

// flowPath leads to the value in the innermost of the brackets, or to the
// object there when no key has been given.
func flowPath(base []any, frames []frame) []any {
	path := slices.Clone(base)
	for _, f := range frames {
		switch {
		case f.list:
			path = append(path, f.index)
		case f.keyed:
			path = append(path, f.key)
		}
	}
	return path
}

// isColon tells the colon behind a key from one within a text.
func (s *scanner) isColon(top frame, token int) bool {
	if top.list || top.keyed {
		return false
	}
	key := strings.TrimSpace(s.text[token:s.pos])
	return strings.HasSuffix(key, `"`) || s.pos+1 == len(s.text) || strings.ContainsRune(" \t\r\n", rune(s.text[s.pos+1]))
}

func skipBlank(text string, at int) int {
	return at + len(text[at:]) - len(strings.TrimLeft(text[at:], " \t\r\n"))
}
