package index

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// The bounds of what an index may describe with everything written out. The
// largest CRD that is known has 60,000 types, 40 levels deep.
const (
	maxTypes  = 2_000_000
	maxLevels = 500
)

// written is a NODE of the file format that is not just a type expression.
type written struct {
	Type     string                     `json:"t"`
	Fields   map[string]json.RawMessage `json:"f"`
	Gone     []string                   `json:"g"`
	Left     *[]string                  `json:"l"`
	Required *[]string                  `json:"r"`
	Element  json.RawMessage            `json:"i"`
	Keys     []string                   `json:"k"`
	Enum     []json.RawMessage          `json:"e"`
	Default  json.RawMessage            `json:"d"`
	Nullable bool                       `json:"n"`
	Open     bool                       `json:"o"`
}

// decoder turns NODEs into nodes. References are already there when the first is
// read.
type decoder struct {
	types, defs map[string]*node
}

// define fills the nodes that have a name, in order so that the first error is
// always the same one.
func (d *decoder) define(contents map[string]json.RawMessage, nodes map[string]*node) error {
	for _, name := range slices.Sorted(maps.Keys(contents)) {
		if err := d.fill(nodes[name], contents[name]); err != nil {
			return fmt.Errorf("type %s: %w", name, err)
		}
	}
	return nil
}

// node reads a NODE where it is used.
func (d *decoder) node(content json.RawMessage) (*node, error) {
	if expression, ok := plainText(content); ok {
		return d.expression(expression)
	}
	made := &node{}
	return made, d.fill(made, content)
}

// plainText reads a JSON string; the fast way is for text without escapes.
func plainText(content json.RawMessage) (string, bool) {
	if len(content) < 2 || content[0] != '"' {
		return "", false
	}
	if inside := content[1 : len(content)-1]; !bytes.ContainsRune(inside, '\\') {
		return string(inside), true
	}
	var decoded string
	return decoded, json.Unmarshal(content, &decoded) == nil
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
	made := &node{}
	return made, d.express(made, words)
}

// express makes a node what a type expression says; the expression is no name.
func (d *decoder) express(n *node, words string) error {
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
func (d *decoder) fill(n *node, content json.RawMessage) error {
	if expression, ok := plainText(content); ok {
		return d.fillFrom(n, &written{Type: expression})
	}
	var w written
	if err := json.Unmarshal(content, &w); err != nil {
		return plain(err)
	}
	if w.Type == "" {
		w.Type = Object.String()
	}
	return d.fillFrom(n, &w)
}

func (d *decoder) fillFrom(n *node, w *written) error {
	named := strings.HasPrefix(w.Type, "#") || d.types[w.Type] != nil
	var err error
	if named {
		n.base, err = d.expression(w.Type)
	} else {
		err = d.express(n, w.Type)
	}
	if err != nil {
		return err
	}
	n.nullable, n.open, n.keys = w.Nullable, w.Open, w.Keys
	n.gone, n.required = w.Gone, w.Required
	n.left = w.Left
	if n.own, err = d.fields(w.Fields); err != nil {
		return err
	}
	if len(w.Element) > 0 {
		if n.element, err = d.node(w.Element); err != nil {
			return fmt.Errorf("[]: %w", err)
		}
	}
	for _, literal := range w.Enum {
		allowed, err := literalValue(literal)
		if err != nil {
			return fmt.Errorf("enum: %w", err)
		}
		n.enum = append(n.enum, allowed)
	}
	if len(w.Default) > 0 {
		if n.def, err = literalValue(w.Default); err != nil {
			return fmt.Errorf("default: %w", err)
		}
	}
	if (n.kind == List || n.kind == Map) && n.element == nil {
		return fmt.Errorf("a %s does not say what it holds", n.kind)
	}
	return nil
}

func (d *decoder) fields(contents map[string]json.RawMessage) ([]nodeField, error) {
	if len(contents) == 0 {
		return nil, nil
	}
	fields := make([]nodeField, 0, len(contents))
	for _, name := range slices.Sorted(maps.Keys(contents)) {
		below, err := d.node(contents[name])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		fields = append(fields, nodeField{name: name, node: below})
	}
	return fields, nil
}

// literalValue reads a JSON value with whole numbers as int64.
func literalValue(content json.RawMessage) (any, error) {
	decoder := json.NewDecoder(bytes.NewReader(content))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return nil, plain(err)
	}
	return withNumbers(value), nil
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

// plain says what is wrong with a JSON text without naming types of this program.
func plain(err error) error {
	var mismatch *json.UnmarshalTypeError
	if errors.As(err, &mismatch) {
		if mismatch.Field == "" {
			return fmt.Errorf("a %s stands where something else is needed", mismatch.Value)
		}
		return fmt.Errorf("a %s stands where something else is needed, at %q", mismatch.Value, mismatch.Field)
	}
	return err
}
