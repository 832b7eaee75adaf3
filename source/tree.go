package source

// style is how a value is written.
type style uint8

const (
	stylePlain style = iota
	styleSingle
	styleDouble
	styleJSON // a string of JSON: no folding
	styleLiteral
	styleFolded
	styleBlock
	styleFlow
)

// class is the type kubectl gives to a scalar.
type class uint8

const (
	classString class = iota
	classNull
	classBool
	classInt
	classBig // an integer beyond int64 that fits uint64
	classFloat
	classNoNumber // NaN and the infinities
)

var classTags = [...]string{
	classString: "!!str", classNull: "!!null", classBool: "!!bool", classInt: "!!int",
	classBig: "!!int", classFloat: "!!float", classNoNumber: "!!float",
}

// node is one value, key or alias of a document. The tree is shared by all
// handles (type Node) and never changed once Parse has returned.
type node struct {
	kind       Kind
	style      style
	class      class
	text       string // decoded text of a scalar
	start, end int    // offsets in the file
	key        *node  // the key that holds this value; nil for items, keys and the root
	alias      *node  // for a use of an alias: the anchored node, never itself an alias
	fields     []field
	items      []*node
	index      map[string]int // name to last field, for large mappings without merges
	merges     bool           // some field is a merge key
}

// field is one entry of a mapping.
type field struct {
	name  string // the key as the JSON value has it
	merge bool   // a `<<` that merges, as opposed to a key that is the text "<<"
	key   *node
	value *node
}

// target is the node that an alias stands for, and any other node itself.
func (n *node) target() *node {
	if n.alias != nil {
		return n.alias
	}
	return n
}

// indexFrom is the number of fields from which on a mapping gets an index.
const indexFrom = 16

// lookup finds the field that gives a key of a mapping its value: the last one
// written wins, and a merge writes where it stands, as kubectl has it. The
// second node is the merge's alias that led there, nil when none did.
func (n *node) lookup(name string) (value, via *node) {
	if n.index != nil {
		if i, ok := n.index[name]; ok {
			return n.fields[i].value, nil
		}
		return nil, nil
	}
	for i := len(n.fields) - 1; i >= 0; i-- {
		f := &n.fields[i]
		if !f.merge {
			if f.name == name {
				return f.value, nil
			}
			continue
		}
		for source := range f.value.mergeSources() {
			found, inner := source.target().lookup(name)
			if found == nil {
				continue
			}
			if source.alias != nil {
				return found, source
			}
			return found, inner
		}
	}
	return nil, nil
}

// mergeSources yields the mappings of a `<<` value, the strongest first.
func (n *node) mergeSources() func(yield func(*node) bool) {
	return func(yield func(*node) bool) {
		if n.alias == nil && n.kind == Sequence {
			for _, item := range n.items {
				if !yield(item) {
					return
				}
			}
			return
		}
		yield(n)
	}
}

// mergeField finds the last merge entry of a mapping.
func (n *node) mergeField() *node {
	for i := len(n.fields) - 1; i >= 0; i-- {
		if n.fields[i].merge {
			return n.fields[i].value
		}
	}
	return nil
}
