package jq

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/itchyny/gojq"
)

// substituted puts the results of sub and gsub together. Its argument lists
// for every match its offset and length in characters and the replacements: the
// n-th replacements of all matches make the n-th result.
func (m *meter) substituted(value any, arguments []any) (any, error) {
	text, _ := value.(string)
	matches, _ := arguments[0].([]any)
	s := substitution{text: text}
	for _, match := range matches {
		fields, _ := match.([]any)
		if len(fields) != 3 {
			return nil, errors.New("a match is incomplete")
		}
		offset, _ := gojq.ToInt(fields[0])
		length, _ := gojq.ToInt(fields[1])
		replacements, _ := fields[2].([]any)
		if err := s.match(m, offset, length, replacements); err != nil {
			return nil, err
		}
	}
	return s.finish(m)
}

// substitution is the state of putting results together, up to one match.
type substitution struct {
	text    string
	results []*strings.Builder
	// runeAt and byteAt are the end of the last match, in characters and in bytes.
	runeAt, byteAt int
}

func (s *substitution) match(m *meter, offset, length int, replacements []any) error {
	begin := s.advance(s.byteAt, offset-s.runeAt)
	between := s.text[s.byteAt:begin]
	for i, replacement := range replacements {
		word, ok := replacement.(string)
		if !ok && replacement != nil {
			return fmt.Errorf("a replacement must be a string, not %s", describe(replacement))
		}
		if i == len(s.results) {
			s.results = append(s.results, &strings.Builder{})
		}
		// A builder doubles as it grows.
		if err := m.spend(int64(2 * (len(between) + len(word)))); err != nil {
			return err
		}
		s.results[i].WriteString(between)
		s.results[i].WriteString(word)
	}
	s.runeAt, s.byteAt = offset+length, s.advance(begin, length)
	return nil
}

// finish adds what follows the last match. Without any replacement the text
// stays as it is.
func (s *substitution) finish(m *meter) (any, error) {
	if len(s.results) == 0 {
		return []any{s.text}, nil
	}
	rest := s.text[s.byteAt:]
	finished := make([]any, len(s.results))
	for i, built := range s.results {
		if err := m.spend(int64(2*len(rest) + slotBytes)); err != nil {
			return nil, err
		}
		built.WriteString(rest)
		finished[i] = built.String()
	}
	return finished, nil
}

// advance gives the byte offset some characters further.
func (s *substitution) advance(from, characters int) int {
	for ; characters > 0 && from < len(s.text); characters-- {
		_, size := utf8.DecodeRuneInString(s.text[from:])
		from += size
	}
	return from
}
