package lsp

import (
	"errors"
	"sort"
	"unicode/utf8"

	"github.com/workloadmap/wm/source"
)

// text is the content of a document with its lines. It is immutable.
//
// The protocol counts lines from 0 and characters in UTF-16 code units; package
// source counts lines and code points from 1 and gives a byte order mark no
// column. LF, CRLF and a lone CR end a line in both.
type text struct {
	content string
	// starts are the offsets of the first byte of each line.
	starts []int
}

func newText(content string) text {
	starts := []int{0}
	for i := range len(content) {
		switch content[i] {
		case '\n':
			starts = append(starts, i+1)
		case '\r':
			if i+1 == len(content) || content[i+1] != '\n' {
				starts = append(starts, i+1)
			}
		}
	}
	return text{content: content, starts: starts}
}

// line is a line without its end, counted from 0; empty outside the text.
func (t text) line(n int) string {
	if n < 0 || n >= len(t.starts) {
		return ""
	}
	end := len(t.content)
	if n+1 < len(t.starts) {
		end = t.starts[n+1]
		if t.content[end-1] == '\n' {
			end--
		}
		if end > t.starts[n] && t.content[end-1] == '\r' {
			end--
		}
	}
	return t.content[t.starts[n]:end]
}

// offset is the byte of a position. As the protocol has it, a character beyond
// the end of its line is the line's end; a line beyond the text is the text's.
func (t text) offset(p position) int {
	switch {
	case p.Line < 0:
		return 0
	case p.Line >= len(t.starts):
		return len(t.content)
	}
	at, units := t.starts[p.Line], 0
	for _, r := range t.line(p.Line) {
		// A position inside a surrogate pair is moved to its start.
		if units += utf16Length(r); units > p.Character {
			break
		}
		at += runeLength(t.content[at:])
	}
	return at
}

// position is the place of a byte.
func (t text) position(offset int) position {
	offset = min(max(offset, 0), len(t.content))
	line := sort.SearchInts(t.starts, offset+1) - 1
	units, end := 0, min(offset-t.starts[line], len(t.line(line)))
	for i, r := range t.line(line) {
		if i >= end {
			break
		}
		units += utf16Length(r)
	}
	return position{Line: line, Character: units}
}

// fromColumn is the place of a line and a column as findings have them.
func (t text) fromColumn(line, column int) position {
	units, points := 0, 1
	for i, r := range t.line(line - 1) {
		if line == 1 && i == 0 && r == '\ufeff' {
			units++
			continue
		}
		if points >= column {
			break
		}
		units += utf16Length(r)
		points++
	}
	return position{Line: line - 1, Character: units}
}

func (t text) textRange(r source.Range) textRange {
	return textRange{t.position(r.Start.Offset), t.position(r.End.Offset)}
}

// change replaces a range, or everything when there is none.
func (t text) change(c contentChange) (text, error) {
	if c.Range == nil {
		return newText(c.Text), nil
	}
	start, end := t.offset(c.Range.Start), t.offset(c.Range.End)
	if end < start {
		return t, errors.New("the range of a change ends before it starts")
	}
	return newText(t.content[:start] + c.Text + t.content[end:]), nil
}

func utf16Length(r rune) int {
	if r > 0xffff {
		return 2
	}
	return 1
}

func runeLength(s string) int {
	_, n := utf8.DecodeRuneInString(s)
	return n
}

func contains(r textRange, p position) bool {
	return !before(p, r.Start) && !before(r.End, p)
}

func overlap(a, b textRange) bool { return !before(a.End, b.Start) && !before(b.End, a.Start) }

func before(a, b position) bool {
	return a.Line < b.Line || a.Line == b.Line && a.Character < b.Character
}
