package source

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// finish closes a mapping: it finds duplicates and indexes large mappings.
func (n *node) finish(f *File) []Duplicate {
	var duplicates []Duplicate
	repeated := func(first, again int) {
		a, b := n.fields[first].key, n.fields[again].key
		duplicates = append(duplicates, Duplicate{
			Key: n.fields[again].name, First: f.span(a.start, a.end), Second: f.span(b.start, b.end),
		})
	}
	if len(n.fields) < indexFrom {
		for i := range n.fields {
			for j := range i {
				if n.fieldID(j) == n.fieldID(i) {
					repeated(j, i)
					break
				}
			}
		}
		return duplicates
	}
	first := make(map[string]int, len(n.fields))
	for i := range n.fields {
		if at, ok := first[n.fieldID(i)]; ok {
			repeated(at, i)
			continue
		}
		first[n.fieldID(i)] = i
	}
	if n.merges {
		return duplicates
	}
	n.index = first // of duplicates the last one counts, so they move on
	if len(duplicates) > 0 {
		for i := range n.fields {
			n.index[n.fields[i].name] = i
		}
	}
	return duplicates
}

// fieldID tells a merge key from a key that is the text "<<".
func (n *node) fieldID(i int) string {
	if n.fields[i].merge {
		return "\x00merge"
	}
	return n.fields[i].name
}

// decodeJSON reads exactly one JSON value and keeps the digits of numbers.
func decodeJSON(text []byte) reading {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var r reading
	r.err = decoder.Decode(&r.value)
	return r
}

// agree compares the value of a document with its tree and returns the value
// with its numbers in their final types. The two come from different readers,
// so a difference means that the file says two things at once.
func (p *parser) agree(t *tree, r reading) (any, *Error) {
	if r.err != nil {
		return nil, p.valueFault(t, r.err)
	}
	c := comparison{parser: p}
	value := c.value(t.root, r.value)
	return value, c.fault
}

type comparison struct {
	*parser
	fault *Error
}

func (c *comparison) stop(n *node, message, help string) {
	// Objects are compared in any order: the fault that comes first in the file
	// is kept.
	if c.fault == nil || n.start < c.fault.Range.Start.Offset {
		c.fault = c.parser.fault(n.start, n.end, message, help)
	}
}

func (c *comparison) differ(n *node) {
	c.stop(n, "this is read differently by kubectl than it is written here", "quote the text, or write it in a simpler way")
}

func (c *comparison) value(use *node, value any) any {
	n := use.target()
	switch value := value.(type) {
	case map[string]any:
		if n.kind != Mapping {
			c.differ(use)
			return nil
		}
		c.mapping(use, n, value)
		return value
	case []any:
		if n.kind != Sequence || len(n.items) != len(value) {
			c.differ(use)
			return nil
		}
		for i, item := range n.items {
			value[i] = c.value(item, value[i])
		}
		return value
	}
	if n.kind != Scalar {
		c.differ(use)
		return nil
	}
	same := false
	switch v := value.(type) {
	case nil:
		same = n.class == classNull
	case bool:
		same = n.class == classBool
	case string:
		same = n.class == classString && v == n.text
	case json.Number:
		same = n.class == classInt || n.class == classBig || n.class == classFloat
		value = c.number(use, v)
	}
	if !same {
		c.differ(use)
	}
	return value
}

// mapping compares the fields of a mapping, merges unfolded, with an object.
func (c *comparison) mapping(use, n *node, object map[string]any) {
	if n.merges || n.repeats() {
		effective := map[string]field{}
		c.collect(n, effective)
		if len(object) != len(effective) {
			c.differ(use)
		}
		for _, f := range effective {
			c.field(use, &f, object)
		}
		return
	}
	for i := range n.fields {
		c.field(use, &n.fields[i], object)
	}
	if len(object) != len(n.fields) {
		c.differ(use)
	}
}

func (c *comparison) field(use *node, f *field, object map[string]any) {
	value, ok := object[f.name]
	if !ok {
		c.differ(use)
		return
	}
	object[f.name] = c.value(f.value, value)
}

// repeats reports whether a key is there more than once.
func (n *node) repeats() bool {
	for i := range n.fields {
		if n.index != nil {
			if n.index[n.fields[i].name] != i {
				return true
			}
			continue
		}
		for j := range i {
			if n.fields[j].name == n.fields[i].name {
				return true
			}
		}
	}
	return false
}

// collect gathers the fields that give a mapping its value. Keys of different
// types that become the same text are refused: which one kubectl keeps is
// random.
func (c *comparison) collect(n *node, into map[string]field) {
	for i := range n.fields {
		f := n.fields[i]
		if f.merge {
			sources := []*node{}
			for source := range f.value.mergeSources() {
				sources = append(sources, source.target())
			}
			for j := len(sources) - 1; j >= 0; j-- {
				c.collect(sources[j], into)
			}
			continue
		}
		key := f.key.target()
		if before, ok := into[f.name]; ok && (before.key.target().class != key.class ||
			key.class == classFloat && before.key.target().text != key.text) {
			c.stop(f.key, fmt.Sprintf("two different keys both become the key %q in JSON", short(f.name)), "remove one of them")
		}
		into[f.name] = f
	}
}

// number gives a number its final type.
func (c *comparison) number(n *node, number json.Number) any {
	text := number.String()
	if !strings.ContainsAny(text, ".eE") {
		if value, err := strconv.ParseInt(text, 10, 64); err == nil {
			return value
		}
		if n.target().class != classFloat {
			return number
		}
	}
	value, err := strconv.ParseFloat(text, 64)
	if err != nil {
		c.stop(n, "the number "+short(text)+" is out of range", "quote it if it is text")
		return nil
	}
	if n.target().style == stylePlain && losesDigits(n.target().text, value) {
		c.stop(n, "the number "+short(n.target().text)+" is too large to be kept exactly", "quote it if it is text")
	}
	return value
}

// valueFault words what the value reader refused although the positional
// reader did not.
func (p *parser) valueFault(t *tree, err error) *Error {
	message := err.Error()
	message = strings.TrimPrefix(message, "yaml: ")
	if strings.HasPrefix(message, "line ") {
		if _, rest, ok := strings.Cut(message, ": "); ok {
			message = rest
		}
	}
	if strings.Contains(message, "excessive aliasing") {
		message = "the document consists almost only of repeated aliases"
	}
	if key := t.root.longKey(); key != nil {
		return p.fault(key.start, key.end, fmt.Sprintf("a key of more than %d characters", longestKey), "YAML takes it only behind a question mark")
	}
	return p.fault(t.root.start, t.root.start, "kubectl cannot read this document: "+message, "")
}

// longestKey is how long a key may be in YAML 1.1 and 1.2 without a `?`; the
// positional reader is more lenient.
const longestKey = 1024

// longKey finds the first key that is longer than that, in bytes.
func (n *node) longKey() *node {
	for i := range n.fields {
		f := &n.fields[i]
		if f.key.end-f.key.start > longestKey {
			return f.key
		}
		if key := f.value.longKey(); key != nil {
			return key
		}
	}
	for _, item := range n.items {
		if key := item.longKey(); key != nil {
			return key
		}
	}
	return nil
}
