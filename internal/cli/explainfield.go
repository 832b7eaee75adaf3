package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/workloadmap/wm/internal/suggest"
	"github.com/workloadmap/wm/lint"
	"github.com/workloadmap/wm/schema"
)

// formatField is what the JSON Schema of the format says about one field.
type formatField struct {
	Description string                  `json:"description"`
	Type        string                  `json:"type"`
	Enum        []string                `json:"enum"`
	Default     any                     `json:"default"`
	Required    []string                `json:"required"`
	Properties  map[string]*formatField `json:"properties"`
	Items       *formatField            `json:"items"`
	Ref         string                  `json:"$ref"`
	Defs        map[string]*formatField `json:"$defs"`
}

// resolve follows a reference. What stands beside it, the description of the
// field rather than of its type, wins.
func (f *formatField) resolve(field *formatField) *formatField {
	if field == nil || field.Ref == "" {
		return field
	}
	merged := *f.Defs[strings.TrimPrefix(field.Ref, "#/$defs/")]
	if field.Description != "" {
		merged.Description = field.Description
	}
	return &merged
}

// below gives the fields of a field: for a list, those of its items.
func (f *formatField) below(field *formatField) map[string]*formatField {
	for field.Items != nil {
		field = f.resolve(field.Items)
	}
	return field.Properties
}

// kind names the type of a field.
func (f *formatField) kind(field *formatField) string {
	switch {
	case field.Items != nil:
		return "list of " + f.kind(f.resolve(field.Items)) + "s"
	case field.Type == "object" && len(field.Properties) == 0:
		return "map of strings"
	default:
		return field.Type
	}
}

// listIndex is what may stand behind the name of a list in a path.
var listIndex = regexp.MustCompile(`\[\d*\]`)

func explainField(p page, all []lint.Rule, word string) error {
	var root formatField
	if err := json.Unmarshal(schema.JSON(), &root); err != nil {
		return fmt.Errorf("read the schema of the format: %w", err)
	}
	path := strings.TrimPrefix(listIndex.ReplaceAllString(word, ""), ".")
	segments := strings.Split(path, ".")
	if _, top := root.Properties[segments[0]]; top {
		return explainPath(p, &root, segments)
	}
	places := root.find(segments)
	switch {
	case len(places) == 1:
		return explainPath(p, &root, strings.Split(places[0], "."))
	case len(places) > 1:
		_, err := fmt.Fprintf(p.out, "%s is in several places:\n  %s\n", path, strings.Join(places, "\n  "))
		return err
	}
	return unknownWord(&root, all, word)
}

// find lists the paths that end in the given fields; below a list of components
// are the same fields as below the root component, which are not repeated.
func (f *formatField) find(segments []string) []string {
	var places []string
	f.walk(nil, f, func(path []string) {
		if len(path) >= len(segments) && slices.Equal(path[len(path)-len(segments):], segments) {
			places = append(places, strings.Join(path, "."))
		}
	})
	return places
}

func (f *formatField) walk(path []string, field *formatField, visit func([]string)) {
	fields := f.below(field)
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		at := append(slices.Clone(path), name)
		visit(at)
		if name == "childComponents" || slices.Contains([]string{"running", "suspended", "initializing", "degraded", "failed", "undefined"}, name) {
			continue
		}
		f.walk(at, f.resolve(fields[name]), visit)
	}
}

func explainPath(p page, root *formatField, segments []string) error {
	field := root
	required := true
	var title strings.Builder
	for i, name := range segments {
		fields := root.below(field)
		next, known := fields[name]
		if !known {
			return unknownBelow(strings.Join(segments[:i], "."), name, slices.Sorted(maps.Keys(fields)))
		}
		holder := field
		for holder.Items != nil {
			holder = root.resolve(holder.Items)
		}
		required = slices.Contains(holder.Required, name)
		if field.Items != nil {
			title.WriteString("[]")
		}
		if i > 0 {
			title.WriteString(".")
		}
		title.WriteString(name)
		field = root.resolve(next)
	}
	var text strings.Builder
	fmt.Fprintf(&text, "%s\n\n", p.bold(title.String()))
	for _, fact := range facts(root, field, required) {
		fmt.Fprintf(&text, "%-10s %s\n", fact[0], fact[1])
	}
	fmt.Fprintf(&text, "\n%s\n", wrap(field.Description, ""))
	if fields := root.below(field); len(fields) > 0 {
		text.WriteString("\n" + p.bold("FIELDS") + "\n")
		for _, name := range slices.Sorted(maps.Keys(fields)) {
			at := root.resolve(fields[name])
			fmt.Fprintf(&text, "  %s (%s)\n%s\n", name, root.kind(at), wrap(firstSentence(at.Description), "      "))
		}
	}
	_, err := io.WriteString(p.out, text.String())
	return err
}

// What the descriptions of expressions say in the same words everywhere.
var (
	evaluatedOn = regexp.MustCompile(`^Jq expressions? on the (root object|pod)`)
	shapeOf     = regexp.MustCompile(`Shape(?: of each)?: ([^.;]+)`)
)

// facts are the lines at the top: type, whether it is required, and for an
// expression what it is evaluated on and what it has to yield.
func facts(root, field *formatField, required bool) [][2]string {
	lines := [][2]string{{"Type:", root.kind(field)}, {"Required:", map[bool]string{true: "yes", false: "no"}[required]}}
	if len(field.Enum) > 0 {
		lines = append(lines, [2]string{"One of:", strings.Join(field.Enum, ", ")})
	}
	if field.Default != nil {
		lines = append(lines, [2]string{"Default:", fmt.Sprint(field.Default)})
	}
	if on := evaluatedOn.FindStringSubmatch(field.Description); on != nil {
		object := map[string]string{"root object": "the workload's own object, also for child components", "pod": "one Pod"}[on[1]]
		lines = append(lines, [2]string{"Read on:", object})
	}
	if shape := shapeOf.FindStringSubmatch(field.Description); shape != nil {
		lines = append(lines, [2]string{"Shape:", shape[1]})
	}
	return lines
}

func unknownBelow(above, name string, known []string) error {
	where := above
	if where == "" {
		where = "a definition"
	}
	if near, ok := suggest.Nearest(name, known); ok {
		return fmt.Errorf("%s has no field %q; did you mean %s?", where, name, near)
	}
	if len(known) == 0 {
		return fmt.Errorf("%s has no fields, %q is none", where, name)
	}
	return fmt.Errorf("%s has no field %q; it has %s", where, name, strings.Join(known, ", "))
}

func unknownWord(root *formatField, all []lint.Rule, word string) error {
	words := map[string]bool{}
	root.walk(nil, root, func(path []string) { words[path[len(path)-1]] = true })
	known := slices.Sorted(maps.Keys(words))
	for _, r := range all {
		known = append(known, r.Name)
	}
	if near, ok := suggest.Nearest(word, known); ok {
		return fmt.Errorf("there is no rule or field %q; did you mean %s?", word, near)
	}
	return fmt.Errorf("there is no rule or field %q; wm explain lists the rules, wm explain spec the fields", word)
}

func firstSentence(text string) string {
	text, _, _ = strings.Cut(text, "\n")
	if end := strings.Index(text, ". "); end >= 0 {
		return text[:end+1]
	}
	return text
}

// wrap breaks lines at 80 columns; an empty line stays one.
func wrap(text, indent string) string {
	const width = 80
	var out []string
	for paragraph := range strings.SplitSeq(text, "\n\n") {
		line := indent
		for word := range strings.FieldsSeq(paragraph) {
			if len(line) > len(indent) && len(line)+1+len(word) > width {
				out = append(out, line)
				line = indent
			}
			if len(line) > len(indent) {
				line += " "
			}
			line += word
		}
		out = append(out, line, "")
	}
	return strings.TrimRight(strings.Join(out, "\n"), "\n")
}
