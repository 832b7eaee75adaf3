package lsp

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/workloadmap/wm/jq"
	"github.com/workloadmap/wm/lint"
	"github.com/workloadmap/wm/schema/types"
	"github.com/workloadmap/wm/source"
)

// hover says what is known of a place: the type of the field under the cursor
// inside an expression, what a field of the format means, and the pages of the
// rules whose findings are there. It is nil when nothing is known.
func (s *server) hover(ctx context.Context, d *document, at position) *hover {
	a := s.analyze(ctx, d)
	offset := d.text.offset(at)
	var parts []string
	var where *textRange
	if definition := nearestDefinition(a, offset); definition != nil {
		node, onKey := nodeAt(definition.Root, offset)
		switch {
		case onKey:
			if words := fieldHelp(below(definition, node.Path())); words != "" {
				r := d.text.textRange(node.KeyRange())
				parts, where = append(parts, words), &r
			}
		default:
			if words, r := s.readHelp(definition, node, offset); words != "" {
				placed := d.text.textRange(r)
				parts, where = append(parts, words), &placed
			}
		}
	} else if words := fieldHelp(wordPath(d.text, offset)); words != "" {
		parts = append(parts, words)
	}
	for _, f := range a.findings {
		r := rangeOf(d.text, f)
		if !contains(r, at) {
			continue
		}
		parts = append(parts, s.findingHelp(f))
		if where == nil {
			where = &r
		}
	}
	if len(parts) == 0 {
		return nil
	}
	return &hover{Contents: markdown(strings.Join(parts, "\n\n---\n\n")), Range: where}
}

// below is a path of the document as a path of the definition.
func below(definition *lint.Definition, path []any) []any {
	return path[min(len(definition.Root.Path()), len(path)):]
}

// wordPath is the path of the key under the cursor in a text that cannot be read.
func wordPath(t text, offset int) []any {
	end := offset
	for end < len(t.content) && isWord(t.content[end]) {
		end++
	}
	p := placeAt(t.content, end)
	if !p.key || p.written == "" || !strings.HasPrefix(t.content[end:], ":") {
		return nil
	}
	return append(slices.Clone(p.path), p.written)
}

func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// fieldHelp describes a field of the format.
func fieldHelp(path []any) string {
	field := fieldAt(path)
	if field == nil || len(path) == 0 {
		return ""
	}
	return fmt.Sprintf("**%s** (%s)\n\n%s", leaf(path), field.words(), field.Description)
}

// findingHelp is a finding with the page of its rule.
func (s *server) findingHelp(f lint.Finding) string {
	words := fmt.Sprintf("**%s %s**: %s", f.Rule, f.Name, escaped(f.Message))
	if f.Help != "" {
		words += "\n\nhelp: " + escaped(f.Help)
	}
	if page := s.rules[f.Rule].Explanation; page != "" {
		words += "\n\n" + strings.TrimSpace(page)
	}
	return words
}

// escaped keeps what comes from the file from being read as a link or an image;
// code in backquotes stays.
func escaped(message string) string {
	return strings.NewReplacer("[", `\[`, "<", `\<`, "!", `\!`).Replace(message)
}

// readHelp describes the field that an expression reads at an offset.
func (s *server) readHelp(definition *lint.Definition, node source.Node, offset int) (string, source.Range) {
	if anchor, ok := node.Anchor(); ok {
		node = anchor
	}
	for _, e := range definition.Expressions {
		if e.Program == nil || e.Node.Range() != node.Range() {
			continue
		}
		known := s.schemaOf(definition, onPods(e.Path))
		for _, read := range types.Check(e.Program.Syntax(), known).Reads {
			where := e.Node.TextRange(read.Start, read.End)
			if within(where, offset) {
				return readWords(e.Text, read), where
			}
		}
	}
	return "", source.Range{}
}

// schemaOf is what is known of the object that expressions read; nil when
// nothing is.
func (s *server) schemaOf(definition *lint.Definition, pods bool) types.Schema {
	root := definition.Map.Spec.StructureDefinition.RootComponent.Kind
	if s.options.Lint.Schemas == nil || root == nil {
		return nil
	}
	schemas, known := s.options.Lint.Schemas(*root)
	switch {
	case !known:
		return nil
	case pods:
		return schemas.Pod
	default:
		return schemas.Root
	}
}

func readWords(expression string, read types.Read) string {
	name := strings.Trim(strings.TrimPrefix(expression[read.Start:read.End], "."), `"[]`)
	if read.Object == nil {
		return ""
	}
	path := jq.Path{{Kind: jq.StepField, Field: name}}.String()
	if read.Path != "." {
		path = read.Path + path
	}
	field, exists := read.Object.Field(name)
	switch {
	case exists:
		return fmt.Sprintf("`%s`: %s", path, fieldWords(field))
	case read.Key || read.Object.Values() != nil:
		return fmt.Sprintf("`%s`: an entry of a map", path)
	case read.Object.Closed():
		return fmt.Sprintf("`%s`: the object has no such field", path)
	default:
		return fmt.Sprintf("`%s`: nothing is known of this field", path)
	}
}

// fieldWords says what a field of an object holds.
func fieldWords(field types.Field) string {
	words := "any value"
	if kinds := field.Schema.Kinds(); kinds != types.AllKinds {
		words = (kinds &^ types.Null).String()
	}
	switch {
	case field.Schema.Items() != nil:
		words += " of " + (field.Schema.Items().Kinds() &^ types.Null).String() + "s"
	case field.Schema.Values() != nil:
		words = "map of " + (field.Schema.Values().Kinds() &^ types.Null).String() + "s"
	}
	if values := field.Schema.Enum(); len(values) > 0 {
		words += ", one of " + strings.Join(quotedAll(values), ", ")
	}
	if field.Optional {
		words += ", may be absent"
	}
	return words
}

func quotedAll(values []string) []string {
	quotes := make([]string, len(values))
	for i, value := range values {
		quotes[i] = fmt.Sprintf("%q", value)
	}
	return quotes
}
