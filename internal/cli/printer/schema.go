package printer

import (
	"fmt"
	"io"
	"strings"

	"github.com/workloadmap/wm/api/v1alpha1"
	"github.com/workloadmap/wm/schema/index"
)

// Kind is one row of the kinds with an index.
type Kind struct {
	Name string                    `json:"name"`
	Kind v1alpha1.GroupVersionKind `json:"kind"`
}

// KindOf names a kind by its slug.
func KindOf(kind v1alpha1.GroupVersionKind) Kind { return Kind{Name: index.Slug(kind), Kind: kind} }

// KindsOf is KindOf for several kinds.
func KindsOf(kinds []v1alpha1.GroupVersionKind) []Kind {
	rows := make([]Kind, len(kinds))
	for i, kind := range kinds {
		rows[i] = KindOf(kind)
	}
	return rows
}

// Kinds writes one row for each kind.
func Kinds(out io.Writer, format Format, kinds []Kind) error {
	if format != Text {
		return Document(out, format, ListOf(kinds))
	}
	t := &table{words: true}
	t.add("NAME", "KIND", "API VERSION")
	for _, row := range kinds {
		apiVersion := row.Kind.Version
		if row.Kind.Group != "" {
			apiVersion = row.Kind.Group + "/" + apiVersion
		}
		t.add(row.Name, row.Kind.Kind, apiVersion)
	}
	return t.write(out)
}

// Schema writes a type as a tree of fields. path leads to it from the type that
// title names.
func Schema(out io.Writer, format Format, title, path string, d index.Description) error {
	if format != Text {
		return Document(out, format, d)
	}
	t := &table{words: true}
	t.add(strings.TrimSpace(title+" "+path) + ": " + d.Words())
	addFields(t, d, 1)
	return t.write(out)
}

// addFields adds a row for each field below d. Lists and maps have no row of their
// own: their line says what they hold, and the fields of that follow.
func addFields(t *table, d index.Description, level int) {
	for d.Element != nil {
		d = *d.Element
	}
	for _, field := range d.Fields {
		name := strings.TrimPrefix(strings.TrimPrefix(field.Path, d.Path), ".")
		t.add(strings.Repeat("  ", level)+name, field.Words())
		addFields(t, field, level+1)
	}
}

// Comparison is what has changed about one kind.
type Comparison struct {
	Before v1alpha1.GroupVersionKind `json:"before"`
	// After is nil when the kind is gone.
	After   *v1alpha1.GroupVersionKind `json:"after"`
	Changes []index.Change             `json:"changes"`
}

// Compared compares two indexes.
func Compared(before, after *index.Index) Comparison {
	kind := after.Kind()
	changes := index.Compare(before, after)
	if changes == nil {
		changes = []index.Change{}
	}
	return Comparison{Before: before.Kind(), After: &kind, Changes: changes}
}

// KindGone is the comparison of an index with nothing.
func KindGone(before *index.Index) Comparison {
	return Comparison{Before: before.Kind(), Changes: []index.Change{}}
}

// Breaking reports whether anything can break a definition.
func (c Comparison) Breaking() bool {
	if c.After == nil {
		return true
	}
	for _, change := range c.Changes {
		if change.Breaking {
			return true
		}
	}
	return false
}

// Comparisons writes what can break a definition, and counts what cannot.
func Comparisons(out io.Writer, format Format, comparisons []Comparison) error {
	if format != Text {
		return Document(out, format, ListOf(comparisons))
	}
	for _, c := range comparisons {
		if err := c.write(out); err != nil {
			return err
		}
	}
	return nil
}

func (c Comparison) write(out io.Writer) error {
	title := index.Title(c.Before)
	if c.After == nil {
		_, err := fmt.Fprintf(out, "%s: gone\n", title)
		return err
	}
	if *c.After != c.Before {
		title += " -> " + index.Title(*c.After)
	}
	t := &table{words: true}
	broken, harmless := 0, 0
	for _, change := range c.Changes {
		if !change.Breaking {
			harmless++
			continue
		}
		broken++
		t.add("  "+change.Path, string(change.Kind), change.Message)
		if len(change.Also) > 0 {
			t.add("    also " + strings.Join(change.Also, " "))
		}
	}
	if _, err := fmt.Fprintf(out, "%s: %d can break a definition, %d cannot\n", title, broken, harmless); err != nil {
		return err
	}
	return t.write(out)
}
