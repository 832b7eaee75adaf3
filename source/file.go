package source

import (
	"bytes"
	"fmt"
	"sort"
	"unicode/utf8"
)

// Position is a place between two characters of a file.
type Position struct {
	// Line starts at 1.
	Line int
	// Column starts at 1 and counts Unicode code points.
	Column int
	// Offset counts bytes of the file from 0, a byte order mark included.
	Offset int
}

// Range is a stretch of a file. A zero-width range, where both ends are equal,
// is the place of something that is empty.
type Range struct {
	Start Position
	// End is the position right behind the last character.
	End Position
}

// String is line:column of the start.
func (r Range) String() string {
	return fmt.Sprintf("%d:%d", r.Start.Line, r.Start.Column)
}

const byteOrderMark = "\ufeff"

// block is the distance, in bytes, between the places at which a File
// remembers how many code points came before: it bounds the cost of a column
// in a file that is one line of many megabytes.
const block = 1024

// File is the content of a file with the table that turns offsets into lines
// and columns. It is immutable and safe for concurrent use.
type File struct {
	name    string
	content []byte
	text    int   // offset of the first character: behind the byte order mark
	lines   []int // offset at which each line starts
	ascii   bool
	points  []int // code points before each block; nil when ascii
}

// NewFile makes a File; the content must not be changed afterwards.
func NewFile(name string, content []byte) *File {
	f := &File{name: name, content: content, ascii: true}
	if bytes.HasPrefix(content, []byte(byteOrderMark)) {
		f.text = len(byteOrderMark)
	}
	f.lines = append(f.lines, f.text)
	for i := f.text; i < len(content); i++ {
		switch c := content[i]; {
		case c == '\n', c == '\r' && (i+1 == len(content) || content[i+1] != '\n'):
			f.lines = append(f.lines, i+1)
		case c >= utf8.RuneSelf:
			f.ascii = false
		}
	}
	if !f.ascii || f.text > 0 {
		f.ascii = false
		f.points = countPoints(content)
	}
	return f
}

func countPoints(content []byte) []int {
	points := make([]int, 0, len(content)/block+1)
	count := 0
	for i, c := range content {
		if i%block == 0 {
			points = append(points, count)
		}
		if utf8.RuneStart(c) {
			count++
		}
	}
	return points
}

// Name is the name the file was read under, "-" for standard input.
func (f *File) Name() string { return f.name }

// Content is the whole file, a byte order mark included. It must not be changed.
func (f *File) Content() []byte { return f.content }

// Lines is the number of lines; a file that ends with a line break counts the
// empty line behind it.
func (f *File) Lines() int { return len(f.lines) }

// Line is the text of a line without its line break and without a byte order
// mark; n starts at 1. A line that does not exist is empty.
func (f *File) Line(n int) string {
	if n < 1 || n > len(f.lines) {
		return ""
	}
	return string(f.content[f.lines[n-1]:f.lineEnd(n)])
}

// lineEnd is the offset of line n's break, or of the end of the file.
func (f *File) lineEnd(n int) int {
	if n >= len(f.lines) {
		return len(f.content)
	}
	end := f.lines[n] - 1
	if f.content[end] == '\n' && end > f.lines[n-1] && f.content[end-1] == '\r' {
		end--
	}
	return end
}

// Position turns an offset into a position. An offset outside the text is
// moved to its nearest end, one inside a character to the character's start.
func (f *File) Position(offset int) Position {
	offset = min(max(offset, f.text), len(f.content))
	for offset < len(f.content) && offset > f.text && !utf8.RuneStart(f.content[offset]) {
		offset--
	}
	line := sort.Search(len(f.lines), func(i int) bool { return f.lines[i] > offset })
	column := offset - f.lines[line-1]
	if !f.ascii {
		column = f.pointsBefore(offset) - f.pointsBefore(f.lines[line-1])
	}
	return Position{Line: line, Column: column + 1, Offset: offset}
}

func (f *File) span(start, end int) Range {
	return Range{Start: f.Position(start), End: f.Position(max(start, end))}
}

// pointsBefore is the number of code points before an offset of the file.
func (f *File) pointsBefore(offset int) int {
	if len(f.points) == 0 {
		return offset
	}
	b := min(offset/block, len(f.points)-1)
	count := f.points[b]
	for _, c := range f.content[b*block : offset] {
		if utf8.RuneStart(c) {
			count++
		}
	}
	return count
}

// offset is the reverse of Position within a line that starts at lineStart:
// the offset of the character in a column, which starts at 1.
func (f *File) offset(lineStart, column int) int {
	if f.ascii {
		return min(lineStart+column-1, len(f.content))
	}
	want := f.pointsBefore(lineStart) + column - 1
	b := sort.Search(len(f.points), func(i int) bool { return f.points[i] > want }) - 1
	b = max(b, 0)
	count := f.points[b]
	for i := b * block; i < len(f.content); i++ {
		if utf8.RuneStart(f.content[i]) {
			if count == want {
				return i
			}
			count++
		}
	}
	return len(f.content)
}

// yamlLines is the table of lines as YAML 1.1 counts them: the parsers also
// end a line at U+0085, U+2028 and U+2029, which no editor does. Their lines
// must be looked up here, never in the file's own table.
func (f *File) yamlLines() []int {
	if f.ascii || !bytes.Contains(f.content, []byte("\u0085")) &&
		!bytes.Contains(f.content, []byte("\u2028")) && !bytes.Contains(f.content, []byte("\u2029")) {
		return f.lines
	}
	lines := []int{f.text}
	for i := f.text; i < len(f.content); {
		n, _ := lineBreak(f.content[i:])
		if n == 0 {
			i++
			continue
		}
		i += n
		lines = append(lines, i)
	}
	return lines
}

// lineBreak reports the length of the YAML 1.1 line break that text starts
// with, 0 when it starts with none, and what the break becomes in a scalar.
func lineBreak(text []byte) (length int, becomes string) {
	if len(text) == 0 {
		return 0, ""
	}
	switch text[0] {
	case '\n':
		return 1, "\n"
	case '\r':
		if len(text) > 1 && text[1] == '\n' {
			return 2, "\n"
		}
		return 1, "\n"
	case 0xC2:
		if bytes.HasPrefix(text, []byte("\u0085")) {
			return 2, "\n"
		}
	case 0xE2:
		if bytes.HasPrefix(text, []byte("\u2028")) {
			return 3, "\u2028"
		}
		if bytes.HasPrefix(text, []byte("\u2029")) {
			return 3, "\u2029"
		}
	}
	return 0, ""
}
