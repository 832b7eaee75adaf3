package index

import (
	"fmt"
	"slices"
	"strings"
)

// ChangeKind says what has changed about a type.
type ChangeKind string

// The kinds of changes. A value that a definition reads or writes may be missing,
// null or different after those of the first group, and they break definitions;
// after those of the second group everything that was true stays true.
const (
	FieldGone      ChangeKind = "field-gone"
	TypeChanged    ChangeKind = "type-changed"
	FormatChanged  ChangeKind = "format-changed"
	EnumValueGone  ChangeKind = "enum-value-gone"
	RequiredAdded  ChangeKind = "required-added"
	RequiredGone   ChangeKind = "required-gone"
	NullableAdded  ChangeKind = "nullable-added"
	DefaultGone    ChangeKind = "default-gone"
	DefaultChanged ChangeKind = "default-changed"
	UnknownDropped ChangeKind = "unknown-fields-dropped"
	KeysGone       ChangeKind = "list-map-keys-gone"

	FieldAdded     ChangeKind = "field-added"
	EnumValueAdded ChangeKind = "enum-value-added"
	EnumGone       ChangeKind = "enum-gone"
	NullableGone   ChangeKind = "nullable-gone"
	DefaultAdded   ChangeKind = "default-added"
	UnknownKept    ChangeKind = "unknown-fields-kept"
	KeysAdded      ChangeKind = "list-map-keys-added"
)

var breaking = []ChangeKind{
	FieldGone, TypeChanged, FormatChanged, EnumValueGone, RequiredAdded, RequiredGone,
	NullableAdded, DefaultGone, DefaultChanged, UnknownDropped, KeysGone,
}

// Breaking reports whether a change of this kind can break a definition.
func (k ChangeKind) Breaking() bool { return slices.Contains(breaking, k) }

// Change is one difference between two indexes.
type Change struct {
	Path string     `json:"path"`
	Kind ChangeKind `json:"change"`
	// Breaking is Kind.Breaking, for readers of the JSON.
	Breaking bool `json:"breaking"`
	// Message says what it was and what it is.
	Message string `json:"message"`
	// Also are the other places that have the same type and therefore the same
	// change.
	Also []string `json:"also,omitempty"`
}

// Compare lists what is different in a newer index, by path.
func Compare(before, after *Index) []Change {
	c := &comparison{numbers: newInterner(), expander: newExpander(), seen: map[[2]int]*part{}}
	c.compare(before.Root(), after.Root(), "")
	slices.SortStableFunc(c.changes, func(a, b *Change) int { return strings.Compare(a.Path, b.Path) })
	changes := make([]Change, len(c.changes))
	for i, change := range c.changes {
		changes[i] = *change
		if change.Path == "" {
			changes[i].Path = "."
		}
	}
	return changes
}

// comparison walks two types side by side, each pair once.
type comparison struct {
	changes []*Change
	// numbers and expander tell which types of the two indexes are the same.
	numbers  *interner
	expander *expander
	seen     map[[2]int]*part
	// unnumbered counts down from zero.
	unnumbered int
}

// number is the same for the same type in both indexes. Types that cannot be
// numbered, which no index has, are all taken for different.
func (c *comparison) number(t Type) int {
	number, err := c.numbers.schema(c.expander.schema(t.node))
	if err != nil {
		c.unnumbered--
		return c.unnumbered
	}
	return number
}

// part is what comparing one pair has found.
type part struct {
	path    string
	changes []*Change
}

func (c *comparison) compare(before, after Type, path string) {
	pair := [2]int{c.number(before), c.number(after)}
	if pair[0] == pair[1] {
		return
	}
	if known, ok := c.seen[pair]; ok {
		for _, change := range known.changes {
			change.Also = append(change.Also, path+strings.TrimPrefix(change.Path, known.path))
		}
		return
	}
	start := len(c.changes)
	c.values(before, after, path)
	switch {
	case before.Kind() != after.Kind():
		c.add(path, TypeChanged, "was %s, is %s", before.Kind(), after.Kind())
	case before.Kind() == Object:
		c.fields(before, after, path)
	case before.Kind() == List:
		c.compare(before.Element(), after.Element(), path+"[]")
	case before.Kind() == Map:
		c.compare(before.Element(), after.Element(), path+"{}")
	}
	c.seen[pair] = &part{path: path, changes: slices.Clone(c.changes[start:])}
}

func (c *comparison) add(path string, kind ChangeKind, format string, arguments ...any) {
	c.changes = append(c.changes, &Change{
		Path: path, Kind: kind, Breaking: kind.Breaking(), Message: fmt.Sprintf(format, arguments...),
	})
}

func (c *comparison) fields(before, after Type, path string) {
	for name, field := range before.Fields() {
		other, exists, _ := after.Field(name)
		below := path + fieldPath(name)
		if !exists {
			c.add(below, FieldGone, "the field is gone")
			continue
		}
		was, is := before.Required(name), after.Required(name)
		switch {
		case is && !was:
			c.add(below, RequiredAdded, "was optional, is required")
		case was && !is:
			c.add(below, RequiredGone, "was required, is optional")
		}
		c.compare(field, other, below)
	}
	for name := range after.Fields() {
		if _, exists, _ := before.Field(name); exists {
			continue
		}
		if below := path + fieldPath(name); after.Required(name) {
			c.add(below, RequiredAdded, "the field is new and required")
		} else {
			c.add(below, FieldAdded, "the field is new")
		}
	}
	switch {
	case before.Open() && !after.Open():
		c.add(path, UnknownDropped, "unknown fields were kept, are dropped")
	case after.Open() && !before.Open():
		c.add(path, UnknownKept, "unknown fields were dropped, are kept")
	}
}

// values compares what types say about a value as a whole.
func (c *comparison) values(before, after Type, path string) {
	if before.Kind() == after.Kind() && before.Format() != after.Format() {
		c.add(path, FormatChanged, "was %s, is %s", formatWords(before), formatWords(after))
	}
	switch {
	case after.Nullable() && !before.Nullable():
		c.add(path, NullableAdded, "null is allowed now")
	case before.Nullable() && !after.Nullable():
		c.add(path, NullableGone, "null is no longer allowed")
	}
	was, had := before.Default()
	is, has := after.Default()
	switch {
	case had && !has:
		c.add(path, DefaultGone, "the default %s is gone", value(was))
	case has && !had:
		c.add(path, DefaultAdded, "the default %s is new", value(is))
	case had && string(value(was)) != string(value(is)):
		c.add(path, DefaultChanged, "the default was %s, is %s", value(was), value(is))
	}
	c.enums(before.Enum(), after.Enum(), path)
	if before.Kind() == List && after.Kind() == List {
		c.keys(before.ListKeys(), after.ListKeys(), path)
	}
}

func (c *comparison) enums(before, after []any, path string) {
	switch {
	case len(before) == 0 && len(after) == 0:
		return
	case len(before) == 0:
		c.add(path, EnumValueGone, "every value was allowed, now only one of %s", value(after))
		return
	case len(after) == 0:
		c.add(path, EnumGone, "one of %s was allowed, now every value", value(before))
		return
	}
	was, is := setOf(before), setOf(after)
	for _, each := range before {
		if !is[each] {
			c.add(path, EnumValueGone, "the value %s is gone", value(each))
		}
	}
	for _, each := range after {
		if !was[each] {
			c.add(path, EnumValueAdded, "the value %s is new", value(each))
		}
	}
}

func setOf(values []any) map[any]bool {
	set := make(map[any]bool, len(values))
	for _, each := range values {
		set[each] = true
	}
	return set
}

func (c *comparison) keys(before, after []string, path string) {
	switch {
	case slices.Equal(before, after):
	case len(before) == 0:
		c.add(path, KeysAdded, "elements are now identified by %s", strings.Join(after, ", "))
	case len(after) == 0:
		c.add(path, KeysGone, "elements were identified by %s, are not any more", strings.Join(before, ", "))
	default:
		c.add(path, KeysGone, "elements were identified by %s, are by %s", strings.Join(before, ", "), strings.Join(after, ", "))
	}
}

func formatWords(t Type) string {
	if t.Format() == "" {
		return "any " + t.Kind().String()
	}
	return string(t.Format())
}
