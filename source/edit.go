package source

import (
	"cmp"
	"fmt"
	"slices"
)

// TextEdit replaces a stretch of a file. A zero-width range inserts.
type TextEdit struct {
	Range Range
	Text  string
}

// Apply makes all edits at once; their ranges are those of the file as it is.
// Everything else stays byte for byte. Edits that overlap are an error; of
// several insertions at one place the first given comes first.
func (f *File) Apply(edits []TextEdit) ([]byte, error) {
	ordered := slices.Clone(edits)
	slices.SortStableFunc(ordered, func(a, b TextEdit) int {
		return cmp.Or(cmp.Compare(a.Range.Start.Offset, b.Range.Start.Offset), cmp.Compare(a.Range.End.Offset, b.Range.End.Offset))
	})
	content := f.Content()
	var result []byte
	at := 0
	for _, edit := range ordered {
		start, end := edit.Range.Start.Offset, edit.Range.End.Offset
		if start < at || end < start || end > len(content) {
			return nil, fmt.Errorf("%s:%v: two changes overlap here", f.Name(), edit.Range)
		}
		result = append(result, content[at:start]...)
		result = append(result, edit.Text...)
		at = end
	}
	return append(result, content[at:]...), nil
}
