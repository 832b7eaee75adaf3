package lint

import (
	"slices"
	"strconv"
	"strings"

	"github.com/workloadmap/wm/source"
)

// Rewrite is the edit that makes a scalar the given text. It is none for
// anything that stands elsewhere, behind an alias, or that has an anchor or a
// tag in front: there the same characters mean something in other places too.
func Rewrite(node source.Node, text string) []source.TextEdit {
	if node.Kind() != source.Scalar || node.Block() || shared(node) || !bare(node) {
		return nil
	}
	return []source.TextEdit{{Range: node.Range(), Text: strconv.Quote(text)}}
}

// RewriteWord is Rewrite that adds quotes only when the scalar has some already.
// The text is a word that YAML takes for text without them.
func RewriteWord(node source.Node, word string) []source.TextEdit {
	edits := Rewrite(node, word)
	if len(edits) > 0 && node.Plain() {
		edits[0].Text = word
	}
	return edits
}

// RenameKey is the edit that gives a field another name; none where the field is
// not written in its place.
func RenameKey(node source.Node, name string) []source.TextEdit {
	where := node.KeyRange()
	if shared(node) || where.Start == where.End {
		return nil
	}
	written := string(node.Document().File().Content()[where.Start.Offset:where.End.Offset])
	path := node.Path()
	old, _ := path[len(path)-1].(string)
	switch written {
	case old:
		return []source.TextEdit{{Range: where, Text: name}}
	case strconv.Quote(old):
		return []source.TextEdit{{Range: where, Text: strconv.Quote(name)}}
	case "'" + old + "'":
		return []source.TextEdit{{Range: where, Text: "'" + name + "'"}}
	default:
		// A key of several lines, with escapes, or with a tag: leave it to a person.
		return nil
	}
}

// Entry is a field to insert: a name and a text.
type Entry struct{ Name, Text string }

// InsertFirst is the edit that puts fields before the first field of a mapping,
// laid out like it; none for a mapping without fields. A value is written in
// quotes where the file's language or the value asks for it.
func InsertFirst(mapping source.Node, entries ...Entry) []source.TextEdit {
	first, ok := firstKey(mapping)
	if !ok || len(entries) == 0 {
		return nil
	}
	file := mapping.Document().File()
	var text strings.Builder
	if mapping.Flow() {
		for _, e := range entries {
			text.WriteString(strconv.Quote(e.Name) + ": " + strconv.Quote(e.Text) + ", ")
		}
	} else {
		lead, ok := indentation(file, first.Start)
		if !ok {
			return nil
		}
		for _, e := range entries {
			text.WriteString(e.Name + ": " + value(e.Text) + lineBreak(file) + lead)
		}
	}
	at := source.Range{Start: first.Start, End: first.Start}
	return []source.TextEdit{{Range: at, Text: text.String()}}
}

// InsertMapping is InsertFirst of one field that holds a mapping.
func InsertMapping(mapping source.Node, name string, entries ...Entry) []source.TextEdit {
	first, ok := firstKey(mapping)
	if !ok || len(entries) == 0 {
		return nil
	}
	file := mapping.Document().File()
	at := source.Range{Start: first.Start, End: first.Start}
	if mapping.Flow() {
		fields := make([]string, len(entries))
		for i, e := range entries {
			fields[i] = strconv.Quote(e.Name) + ": " + strconv.Quote(e.Text)
		}
		return []source.TextEdit{{Range: at, Text: strconv.Quote(name) + ": {" + strings.Join(fields, ", ") + "}, "}}
	}
	lead, ok := indentation(file, first.Start)
	if !ok {
		return nil
	}
	end := lineBreak(file)
	text := name + ":" + end
	for _, e := range entries {
		text += lead + "  " + e.Name + ": " + value(e.Text) + end
	}
	return []source.TextEdit{{Range: at, Text: text + lead}}
}

// firstKey is where the first field of a mapping is named; false when the
// mapping has none, or stands in another place.
func firstKey(mapping source.Node) (source.Range, bool) {
	if mapping.Kind() != source.Mapping || shared(mapping) {
		return source.Range{}, false
	}
	for key := range mapping.Fields() {
		if !bare(key) {
			return source.Range{}, false
		}
		return key.Range(), true
	}
	return source.Range{}, false
}

// value writes a text so that YAML reads it as this text: without quotes where it
// certainly needs none. Words of more than five letters are no boolean.
func value(text string) string {
	letter := func(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' }
	plain := len(text) > 5 && letter(rune(text[0])) && !strings.ContainsFunc(text, func(r rune) bool {
		return !letter(r) && (r < '0' || r > '9') && !strings.ContainsRune("./-", r)
	})
	if plain {
		return text
	}
	return strconv.Quote(text)
}

// indentation is what a line has to begin with to stand below a place: as many
// blanks as there are columns. It is false when anything but the dash of a list
// stands before the place.
func indentation(file *source.File, at source.Position) (string, bool) {
	before := strings.TrimPrefix(string(lastLine(file.Content()[:at.Offset])), "\ufeff")
	return strings.Repeat(" ", at.Column-1), strings.Trim(before, " -") == ""
}

// lineBreak is the line break that a file uses first.
func lineBreak(file *source.File) string {
	content := file.Content()
	i := slices.IndexFunc(content, func(b byte) bool { return b == '\n' || b == '\r' })
	switch {
	case i < 0 || content[i] == '\n':
		return "\n"
	case i+1 < len(content) && content[i+1] == '\n':
		return "\r\n"
	default:
		return "\r"
	}
}

func shared(node source.Node) bool {
	_, aliased := node.Anchor()
	return aliased || !node.Exists()
}

// bare reports whether nothing that belongs to a scalar, a tag or an anchor,
// stands before it.
func bare(node source.Node) bool {
	line := strings.TrimPrefix(string(lastLine(node.Document().File().Content()[:node.Range().Start.Offset])), "\ufeff")
	line = strings.TrimRight(line, " \t")
	return line == "" || strings.IndexByte(":-,[{?", line[len(line)-1]) >= 0
}

// lastLine is what stands behind the last line break, at most some hundred bytes.
func lastLine(content []byte) []byte {
	from := max(0, len(content)-400)
	for i := len(content) - 1; i >= from; i-- {
		if content[i] == '\n' || content[i] == '\r' {
			return content[i+1:]
		}
	}
	return content[from:]
}
