package lsp

import (
	"context"
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/workloadmap/wm/lint"
)

// complete lists what can be written at a place. The list is never nil.
func (s *server) complete(ctx context.Context, d *document, at position) []completionItem {
	offset := d.text.offset(at)
	p := placeAt(d.text.content, offset)
	if p.quote == '#' {
		return []completionItem{}
	}
	edit := func(start int, written string) textEdit {
		return textEdit{Range: textRange{d.text.position(start), d.text.position(offset)}, NewText: written}
	}
	field := fieldAt(p.path)
	switch {
	case field == nil:
		return []completionItem{}
	case field.Properties != nil && (p.key || p.item):
		return fieldItems(d.text, offset, p, field, edit)
	case !field.scalar() || p.key && !p.item:
		return []completionItem{}
	case isExpression(p.path):
		definition := s.definitionAt(ctx, d, offset)
		if definition == nil {
			return []completionItem{}
		}
		return s.expressionItems(definition, p, offset, edit)
	default:
		return s.valueItems(s.definitionAt(ctx, d, offset), p, field, edit)
	}
}

type makeEdit func(start int, written string) textEdit

// fieldItems are the fields that the object does not have yet, those that it
// needs first.
func fieldItems(t text, offset int, p place, object *formatField, edit makeEdit) []completionItem {
	taken := keysAround(t.content, offset, p.path, p.start)
	followed := strings.HasPrefix(strings.TrimLeft(t.content[offset:], `"' abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ`), ":")
	start := p.start
	if p.quote != 0 {
		start++
	}
	items := []completionItem{}
	for _, name := range slices.Sorted(maps.Keys(object.Properties)) {
		// Controllers write the status of a definition, not authors.
		if taken[name] || name == "status" && len(p.path) == 0 {
			continue
		}
		field := theFormat().resolve(object.Properties[name])
		if field == nil {
			continue
		}
		written := name
		switch {
		case followed || p.quote != 0:
		case field.scalar():
			written += ": "
		default:
			written += ":"
		}
		help, rank := markdown(field.Description), "2"
		if slices.Contains(object.Required, name) {
			rank = "1"
		}
		items = append(items, completionItem{
			Label: name, Kind: kindProperty, Detail: field.words(), Documentation: &help,
			SortText: rank + name, TextEdit: edit(start, written),
		})
	}
	return items
}

// valueItems are the values that the place can have.
func (s *server) valueItems(definition *lint.Definition, p place, field *formatField, edit makeEdit) []completionItem {
	values, detail := field.Enum, "value"
	if field.Type == "boolean" {
		values = []string{"true", "false"}
	} else if len(values) == 0 && definition != nil {
		values, detail = s.valuesAt(definition, below(definition, p.path))
	}
	items := []completionItem{}
	for _, value := range values {
		written, start := value, p.start
		switch {
		case p.quote == '|':
			continue
		case p.quote != 0:
			start++
		case field.Type == "string":
			written = yamlText(value)
		}
		items = append(items, completionItem{
			Label: value, Kind: kindEnumMember, Detail: detail, FilterText: written, TextEdit: edit(start, written),
		})
	}
	return items
}

// plainText are texts that YAML reads as themselves, except for a few words.
var plainText = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_./-]*$`)

// yamlText writes a text as a YAML value that is read as that text. JSON is YAML.
func yamlText(value string) string {
	switch strings.ToLower(value) {
	case "true", "false", "yes", "no", "on", "off", "y", "n", "null":
	default:
		if plainText.MatchString(value) {
			return value
		}
	}
	quoted, err := json.Marshal(value)
	if err != nil {
		return value
	}
	return string(quoted)
}
