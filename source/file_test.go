package source_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/workloadmap/wm/source"
)

func TestFilePosition(t *testing.T) {
	// Offsets: BOM 0-2, a 3, é 4-5, CR 6, LF 7, b 8, CR 9, empty line 10 (LF),
	// c 11, U+2028 12-14, d 15.
	f := source.NewFile("a.yaml", []byte("\ufeffaé\r\nb\r\nc\u2028d"))
	f2 := source.NewFile("b.yaml", []byte("\ufeffaé\r\nb\r\rc\u2028d"))
	for _, test := range []struct {
		file                 *source.File
		offset, line, column int
		at                   int
	}{
		{f, 0, 1, 1, 3}, {f, 3, 1, 1, 3}, {f, 4, 1, 2, 4}, {f, 5, 1, 2, 4}, {f, 6, 1, 3, 6}, {f, 8, 2, 1, 8},
		{f, 11, 3, 1, 11}, {f, 12, 3, 2, 12}, {f, 13, 3, 2, 12}, {f, 15, 3, 3, 15}, {f, 16, 3, 4, 16}, {f, 99, 3, 4, 16}, {f, -1, 1, 1, 3},
		{f2, 8, 2, 1, 8}, {f2, 10, 3, 1, 10}, {f2, 11, 4, 1, 11},
	} {
		got := test.file.Position(test.offset)
		if diff := cmp.Diff(source.Position{Line: test.line, Column: test.column, Offset: test.at}, got); diff != "" {
			t.Errorf("%s, offset %d (-want +got):\n%s", test.file.Name(), test.offset, diff)
		}
	}
	for n, want := range []string{"", "aé", "b", "c\u2028d", ""} {
		if got := f.Line(n); got != want {
			t.Errorf("Line(%d) = %q, want %q", n, got, want)
		}
	}
	if f.Lines() != 3 || f2.Lines() != 4 {
		t.Errorf("%d and %d lines, want 3 and 4", f.Lines(), f2.Lines())
	}
}

// TestLongLine finds columns in a line that is longer than the distance of the
// file's checkpoints, with characters that straddle them.
func TestLongLine(t *testing.T) {
	text := "ab\n" + strings.Repeat("xé😀", 2000)
	f := source.NewFile("a.yaml", []byte(text))
	column := 1
	for i := 3; i < len(text); {
		_, size := utf8.DecodeRuneInString(text[i:])
		for within := range size {
			if got := f.Position(i + within); got.Line != 2 || got.Column != column || got.Offset != i {
				t.Fatalf("offset %d is at %+v, want column %d and offset %d", i+within, got, column, i)
			}
		}
		i += size
		column++
	}
}

func TestZeroNode(t *testing.T) {
	var n source.Node
	if n.Exists() || n.Kind() != source.None || n.Text() != "" || n.Tag() != "" || n.Pointer() != "" ||
		n.Range() != (source.Range{}) || n.KeyRange() != (source.Range{}) || n.TextRange(0, 1) != (source.Range{}) {
		t.Error("the zero Node is not nothing")
	}
	for range n.Items() {
		t.Error("it has items")
	}
	for range n.Fields() {
		t.Error("it has fields")
	}
	if found, matched := n.Find("a"); found.Exists() || matched != 0 {
		t.Error("it has a value")
	}
	if _, ok := n.Anchor(); ok {
		t.Error("it has an anchor")
	}
}

func TestNodePath(t *testing.T) {
	documents, faults := source.Parse("a.yaml", []byte("a/b:\n- {c~: 1}\n- d\n"))
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	n, matched := documents[0].Find("a/b", 0, "c~")
	if diff := cmp.Diff([]any{"a/b", 0, "c~"}, n.Path()); diff != "" || matched != 3 {
		t.Errorf("matched %d (-want +got):\n%s", matched, diff)
	}
	if got, want := n.Pointer(), "/a~1b/0/c~0"; got != want {
		t.Errorf("pointer %q, want %q", got, want)
	}
	// A path never takes text for an index, or an index for a key.
	for _, path := range [][]any{{"a/b", "0"}, {0}, {"a/b", 2}, {"a/b", -1}, {"a/b", 1.0}} {
		if _, matched := documents[0].Find(path...); matched != len(path)-1 {
			t.Errorf("%v matched %d segments", path, matched)
		}
	}
	if n, _ := documents[0].Find("a/b", 1); n.TextRange(-5, 99) != n.Range() {
		t.Errorf("a text range beyond the text is %v, want %v", n.TextRange(-5, 99), n.Range())
	}
}
