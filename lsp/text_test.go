package lsp

import (
	"testing"
	"unicode/utf16"

	"github.com/workloadmap/wm/source"
)

// TestPositionsCountUTF16 has letters of every length: 1, 2, 3 and 4 bytes, of
// which the last is two units.
func TestPositionsCountUTF16(t *testing.T) {
	content := "aé漢🚀b\r\n\r🚀\nlast"
	at := newText(content)
	line, units := 0, 0
	for offset, r := range content {
		// CR before LF is a part of the line's end, where the position stays.
		want := position{line, units}
		got := at.position(offset)
		if got != want {
			t.Errorf("offset %d (%q) is %v, want %v", offset, r, got, want)
		}
		if back := at.offset(want); back != offset && r != '\n' {
			t.Errorf("%v is offset %d, want %d", want, back, offset)
		}
		switch {
		case r == '\n', r == '\r' && content[offset+1] != '\n':
			line, units = line+1, 0
		case r != '\r':
			units += len(utf16.Encode([]rune{r}))
		}
	}
	if got := at.position(len(content)); got != (position{3, 4}) {
		t.Errorf("the end is %v", got)
	}
}

func TestPositionsOutsideOfLines(t *testing.T) {
	at := newText("a🚀\nb")
	for _, test := range []struct {
		position position
		want     int
	}{
		{position{0, 2}, 1}, // within the surrogate pair
		{position{0, 99}, 5},
		{position{1, 99}, 7},
		{position{99, 0}, 7},
		{position{-1, 0}, 0},
	} {
		if got := at.offset(test.position); got != test.want {
			t.Errorf("%v is offset %d, want %d", test.position, got, test.want)
		}
	}
}

// TestColumnsAreThoseOfFindings compares with the package that findings have
// their columns from.
func TestColumnsAreThoseOfFindings(t *testing.T) {
	for _, content := range []string{"aé漢🚀b\n🚀🚀x", "\ufeffa🚀b\nc", "a\rb🚀\r\nc"} {
		file, at := source.NewFile("f", []byte(content)), newText(content)
		for offset, r := range content {
			if r == '\ufeff' || r == '\n' || r == '\r' {
				continue
			}
			p := file.Position(offset)
			if got := at.fromColumn(p.Line, p.Column); got != at.position(offset) {
				t.Errorf("%q: %d:%d is %v, want %v", content, p.Line, p.Column, got, at.position(offset))
			}
		}
	}
}

func TestChanges(t *testing.T) {
	at := newText("a🚀b\nc")
	next, err := at.change(contentChange{Range: &textRange{position{0, 3}, position{1, 0}}, Text: "X"})
	if err != nil || next.content != "a🚀Xc" {
		t.Errorf("%q, error %v", next.content, err)
	}
	next, err = next.change(contentChange{Text: "whole"})
	if err != nil || next.content != "whole" {
		t.Errorf("%q, error %v", next.content, err)
	}
	if _, err := next.change(contentChange{Range: &textRange{position{0, 3}, position{0, 1}}}); err == nil {
		t.Error("a range that ends before it starts is accepted")
	}
}
