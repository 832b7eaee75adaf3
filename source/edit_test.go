package source_test

import (
	"testing"

	"github.com/workloadmap/wm/source"
)

func TestApply(t *testing.T) {
	file := source.NewFile("f", []byte("kind: Wörd # c\nname: x\n"))
	at := func(start, end int) source.Range {
		return source.Range{Start: file.Position(start), End: file.Position(end)}
	}
	got, err := file.Apply([]source.TextEdit{
		{Range: at(23, 23), Text: "y"}, {Range: at(6, 11), Text: "Map"}, {Range: at(0, 0), Text: "a"}, {Range: at(0, 0), Text: "b"},
	})
	if want := "abkind: Map # c\nname: xy\n"; err != nil || string(got) != want {
		t.Errorf("got %q, %v; want %q", got, err, want)
	}
	if _, err := file.Apply([]source.TextEdit{{Range: at(0, 5)}, {Range: at(4, 6)}}); err == nil {
		t.Error("overlapping changes have to be refused")
	}
}
