package index

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// The bounds of what an index may describe with everything written out. The
// largest CRD that is known has 13,000 types, 23 levels deep.
const (
	maxTypes  = 500_000
	maxLevels = 500
)

// longestExpression bounds how deep lists of lists can be.
const longestExpression = 4096

// decoder turns NODEs into nodes. References are already there when the first is
// read.
type decoder struct {
	types, defs map[string]*node
	// words are the nodes of type expressions, each made once.
	words map[string]*node
}

// define fills the nodes that have a name, in order so that the first error is
// always the same one.
func (d *decoder) define(contents map[string]tree, nodes map[string]*node) error {
	for _, name := range slices.Sorted(maps.Keys(contents)) {
		if err := d.fill(nodes[name], contents[name]); err != nil {
			return fmt.Errorf("type %s: %w", name, err)
		}
	}
	return nil
}

// members are the values of an object by key; no key may be there twice.
func members(of tree) (map[string]tree, error) {
	if of.kind == 0 {
		return nil, nil
	}
	if of.kind != '{' {
		return nil, of.needs("an object")
	}
	found := make(map[string]tree, len(of.keys))
	for i, key := range of.keys {
		if _, twice := found[key]; twice {
			return nil, fmt.Errorf("%q is there twice", key)
		}
		found[key] = of.items[i]
	}
	return found, nil
}

// node reads a NODE where it is used.
func (d *decoder) node(content tree) (*node, error) {
	if content.kind == '"' {
		return d.expression(content.text)
	}
	made := &node{}
	return made, d.fill(made, content)
}

// expression returns the node of a type expression.
func (d *decoder) expression(words string) (*node, error) {
	if name, local := strings.CutPrefix(words, "#"); local {
		if found := d.defs[name]; found != nil {
			return found, nil
		}
		return nil, fmt.Errorf("there is no definition %q", name)
	}
	if found := d.types[words]; found != nil {
		return found, nil
	}
	if made := d.words[words]; made != nil {
		return made, nil
	}
	made := &node{}
	if err := d.express(made, words); err != nil {
		return nil, err
	}
	if err := made.holds(); err != nil {
		return nil, err
	}
	d.words[words] = made
	return made, nil
}

// express makes a node what a type expression says; the expression is no name.
func (d *decoder) express(n *node, words string) error {
	if len(words) > longestExpression {
		return fmt.Errorf("a type expression is longer than %d bytes", longestExpression)
	}
	var err error
	switch {
	case strings.HasPrefix(words, "[]"):
		n.kind = List
		n.element, err = d.expression(words[2:])
		return err
	case strings.HasPrefix(words, "{}"):
		n.kind = Map
		n.element, err = d.expression(words[2:])
		return err
	}
	if kind, isFormat := formatKinds[Format(words)]; isFormat {
		n.kind, n.format = kind, Format(words)
		return nil
	}
	kind := slices.Index(kindNames[:], words)
	if kind < 0 {
		return fmt.Errorf("there is no type %q", words)
	}
	n.kind = Kind(kind)
	return nil
}

// fill makes an empty node what a NODE says.
func (d *decoder) fill(n *node, content tree) error {
	if content.kind == '"' {
		return d.kind(n, content.text)
	}
	if content.kind != '{' {
		return content.needs("a type")
	}
	words := Object.String()
	if t := content.field("t"); t.kind == '"' {
		words = t.text
	} else if t.kind != 0 {
		return t.needs("the name of a type")
	}
	if err := d.kind(n, words); err != nil {
		return err
	}
	for i, key := range content.keys {
		if err := d.put(n, key, content.items[i]); err != nil {
			return err
		}
	}
	if n.base == nil && n.required != nil {
		n.own = n.merged()
	}
	return n.holds()
}

// kind reads the type expression of a NODE that may say more.
func (d *decoder) kind(n *node, words string) error {
	if strings.HasPrefix(words, "#") || d.types[words] != nil {
		base, err := d.expression(words)
		n.base = base
		return err
	}
	return d.express(n, words)
}

// put reads one key of a NODE.
func (d *decoder) put(n *node, key string, content tree) error {
	var err error
	switch key {
	case "t":
	case "f":
		n.own, err = d.fields(content)
		return err // says where by itself
	case "g":
		n.gone, err = content.texts()
	case "l":
		var left []string
		left, err = content.texts()
		n.left = &left
	case "r":
		var required []string
		required, err = content.texts()
		n.required = &required
	case "i":
		n.element, err = d.node(content)
	case "k":
		n.keys, err = content.texts()
	case "e":
		n.enum, err = enumValues(content)
	case "d":
		n.def, err = content.value()
	case "n":
		n.nullable, err = content.isTrue()
	case "o":
		n.open, err = content.isTrue()
	default:
		return fmt.Errorf("there is no key %q in a type", key)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", key, err)
	}
	return nil
}

func enumValues(content tree) ([]any, error) {
	if content.kind != '[' {
		return nil, content.needs("a list of values")
	}
	values := make([]any, len(content.items))
	for i, item := range content.items {
		if item.kind == '{' || item.kind == '[' {
			return nil, item.needs("a single value")
		}
		value, err := item.value()
		if err != nil {
			return nil, err
		}
		values[i] = value
	}
	return values, nil
}

func (d *decoder) fields(content tree) ([]nodeField, error) {
	if content.kind != '{' {
		return nil, fmt.Errorf("f: %w", content.needs("an object"))
	}
	fields := make([]nodeField, len(content.keys))
	for i, name := range content.keys {
		below, err := d.node(content.items[i])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		fields[i] = nodeField{name: name, node: below}
	}
	byName := func(a, b nodeField) int { return compareNames(a, b.name) }
	if !slices.IsSortedFunc(fields, byName) {
		slices.SortFunc(fields, byName)
	}
	for i := 1; i < len(fields); i++ {
		if fields[i].name == fields[i-1].name {
			return nil, fmt.Errorf("field %q is there twice", fields[i].name)
		}
	}
	return fields, nil
}

// holds refuses a list or a map of nothing.
func (n *node) holds() error {
	if (n.kind == List || n.kind == Map) && n.element == nil {
		return fmt.Errorf("a %s does not say what it holds", n.kind)
	}
	return nil
}

// withNumbers returns a value with whole numbers as int64 and others as float64.
func withNumbers(value any) any {
	switch value := value.(type) {
	case json.Number:
		if whole, err := strconv.ParseInt(value.String(), 10, 64); err == nil {
			return whole
		}
		// A number beyond float64 is refused by the JSON decoder of every reader.
		fraction, _ := value.Float64()
		return fraction
	case []any:
		items := make([]any, len(value))
		for i := range value {
			items[i] = withNumbers(value[i])
		}
		return items
	case map[string]any:
		object := make(map[string]any, len(value))
		for key := range value {
			object[key] = withNumbers(value[key])
		}
		return object
	}
	return value
}

// IsFormat reports whether a file with this format line is an index, of whatever
// version.
func IsFormat(format string) bool { return strings.HasPrefix(format, indexFormat) }

// checkFormat compares the format line of a file with what this wm reads.
func checkFormat(format, want string) error {
	version, ok := strings.CutPrefix(format, want)
	if !ok {
		return fmt.Errorf("not an index: its format is %q, not %s%d", format, want, formatVersion)
	}
	number, err := strconv.Atoi(version)
	if err != nil || number < 1 {
		return fmt.Errorf("not an index: its format is %q, not %s%d", format, want, formatVersion)
	}
	if number > formatVersion {
		return fmt.Errorf("the index has format version %d, this wm reads up to %d: "+
			"take a newer wm, or make the index again with this one", number, formatVersion)
	}
	return nil
}
