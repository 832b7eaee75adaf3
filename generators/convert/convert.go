// Package convert rewrites the header of definitions from one dialect into
// another. The spec below the header is the same in all of them, so that
// nothing is lost either way: comments, order and layout stay as they are.
//
//	karta, err := convert.File("ray.yaml", content, v1alpha1.DialectKarta)
package convert

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/workloadmap/wm/api/v1alpha1"
	"github.com/workloadmap/wm/source"
)

// File rewrites every definition of a YAML or JSON stream; other documents of
// it stay as they are. To Karta it also writes the three labels by which the
// KAI scheduler looks up the Karta of a root kind. dialect is a name of
// v1alpha1.Dialects. The error says what cannot be read or which document has
// no complete root kind; a stream without a definition is an error too.
func File(name string, content []byte, dialect string) ([]byte, error) {
	to, err := dialectNamed(dialect)
	if err != nil {
		return nil, err
	}
	documents, faults := source.Parse(name, content)
	if len(faults) > 0 {
		return nil, faults[0]
	}
	var edits []source.TextEdit
	definitions := 0
	for _, document := range documents {
		apiVersion, _ := document.Find("apiVersion")
		kind, _ := document.Find("kind")
		if _, ok := v1alpha1.DialectOf(apiVersion.Text(), kind.Text()); !ok {
			continue
		}
		definitions++
		if err := document.Unambiguous(); err != nil {
			return nil, err
		}
		edits = append(edits, replace(document, apiVersion, to.APIVersion), replace(document, kind, to.Kind))
		if to.Name != v1alpha1.DialectKarta {
			continue
		}
		labels, err := kartaLabels(document)
		if err != nil {
			return nil, err
		}
		edits = append(edits, labels...)
	}
	if definitions == 0 {
		return nil, fmt.Errorf("%s holds no definition", name)
	}
	return source.NewFile(name, content).Apply(edits)
}

func dialectNamed(name string) (v1alpha1.Dialect, error) {
	var names []string
	for _, dialect := range v1alpha1.Dialects() {
		if dialect.Name == name {
			return dialect, nil
		}
		names = append(names, dialect.Name)
	}
	return v1alpha1.Dialect{}, fmt.Errorf("unknown dialect %q: use %s", name, strings.Join(names, " or "))
}

// replace writes another text in the way that the value is quoted.
func replace(document *source.Document, at source.Node, text string) source.TextEdit {
	written := at.Range()
	if at.Quoted() {
		quote := string(document.File().Content()[written.Start.Offset])
		text = quote + text + quote
	}
	return source.TextEdit{Range: written, Text: text}
}

// label is one label and the value that it has to have.
type label struct{ name, value string }

func kartaLabels(document *source.Document) ([]source.TextEdit, error) {
	kind, _ := document.Find("spec", "structureDefinition", "rootComponent", "kind")
	part := func(name string) string {
		node, found := kind.Find(name)
		if found == 0 {
			return ""
		}
		return node.Text()
	}
	group, version, root := part("group"), part("version"), part("kind")
	if version == "" || root == "" {
		return nil, fmt.Errorf("%s:%v: the root component has no kind with version and kind, by which KAI would find the definition",
			document.File().Name(), document.Range())
	}
	wanted := []label{{v1alpha1.LabelKartaGroup, group}, {v1alpha1.LabelKartaVersion, version}, {v1alpha1.LabelKartaKind, root}}
	labels, found := document.Find("metadata", "labels")
	if found < 2 || labels.Kind() != source.Mapping || isEmpty(labels) {
		return newLabels(document, labels, found == 2, wanted)
	}
	var edits []source.TextEdit
	var missing []label
	for _, l := range wanted {
		if held, found := labels.Find(l.name); found == 0 {
			missing = append(missing, l)
		} else if held.Text() != l.value {
			edits = append(edits, source.TextEdit{Range: held.Range(), Text: strconv.Quote(l.value)})
		}
	}
	return append(edits, insertFields(labels, missing)...), nil
}

func isEmpty(mapping source.Node) bool {
	for range mapping.Fields() {
		return false
	}
	return true
}

// newLabels writes labels where there are none yet.
func newLabels(document *source.Document, labels source.Node, exists bool, wanted []label) ([]source.TextEdit, error) {
	metadata, _ := document.Find("metadata")
	if metadata.Kind() != source.Mapping || isEmpty(metadata) {
		return nil, fmt.Errorf("%s:%v: the definition has no metadata with a name", document.File().Name(), document.Range())
	}
	fields := make([]string, len(wanted))
	for i, l := range wanted {
		fields[i] = strconv.Quote(l.name) + ": " + strconv.Quote(l.value)
	}
	flow := "{" + strings.Join(fields, ", ") + "}"
	if exists {
		text := flow
		if labels.Range().Start == labels.Range().End {
			text = " " + flow
		}
		return []source.TextEdit{{Range: labels.Range(), Text: text}}, nil
	}
	if metadata.Flow() {
		return []source.TextEdit{insertLast(metadata, `"labels": `+flow)}, nil
	}
	indent := strings.Repeat(" ", firstKey(metadata).Start.Column-1)
	lines := indent + "labels:\n"
	for _, l := range wanted {
		lines += indent + "  " + l.line()
	}
	return []source.TextEdit{insertLines(document.File(), metadata, lines)}, nil
}

func (l label) line() string { return l.name + ": " + strconv.Quote(l.value) + "\n" }

func insertFields(labels source.Node, missing []label) []source.TextEdit {
	if len(missing) == 0 {
		return nil
	}
	if labels.Flow() {
		edits := make([]source.TextEdit, len(missing))
		for i, l := range missing {
			edits[i] = insertLast(labels, strconv.Quote(l.name)+": "+strconv.Quote(l.value))
		}
		return edits
	}
	first := firstKey(labels)
	indent := strings.Repeat(" ", first.Start.Column-1)
	var text string
	for _, l := range missing {
		text += l.name + ": " + strconv.Quote(l.value) + "\n" + indent
	}
	return []source.TextEdit{{Range: source.Range{Start: first.Start, End: first.Start}, Text: text}}
}

func firstKey(mapping source.Node) source.Range {
	for key := range mapping.Fields() {
		return key.Range()
	}
	return mapping.Range()
}

// insertLast adds a field behind the last one of a mapping in brackets.
func insertLast(mapping source.Node, field string) source.TextEdit {
	var last source.Range
	for key, value := range mapping.Fields() {
		last = value.Range()
		if last.Start == last.End {
			last = key.Range()
		}
	}
	return source.TextEdit{Range: source.Range{Start: last.End, End: last.End}, Text: ", " + field}
}

// insertLines adds lines behind the last line of a block mapping, and behind a
// comment at the end of that line.
func insertLines(file *source.File, mapping source.Node, lines string) source.TextEdit {
	content, at := file.Content(), mapping.Range().End.Offset
	for at < len(content) && content[at] != '\n' {
		at++
	}
	if slices.Contains(content[:at], '\r') {
		lines = strings.ReplaceAll(lines, "\n", "\r\n")
	}
	if at == len(content) {
		lines = "\n" + lines
	} else {
		at++
	}
	end := file.Position(at)
	return source.TextEdit{Range: source.Range{Start: end, End: end}, Text: lines}
}
