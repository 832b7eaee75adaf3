package source

import (
	"iter"
	"slices"
	"strconv"
	"strings"
)

// Kind tells scalars, mappings and sequences apart.
type Kind uint8

// The kinds; None is the kind of a Node that does not exist.
const (
	None Kind = iota
	Scalar
	Mapping
	Sequence
)

// String is the kind in the words of a YAML author.
func (k Kind) String() string {
	return [...]string{"nothing", "value", "mapping", "list"}[k]
}

// Node is a handle on one value of a document, or on a key. The zero Node does
// not exist; its methods answer with zero values.
//
// Where the path to a value goes through an alias or a merge of an alias, the
// Node has the value of the anchor but the range of the alias: that is where
// the author of the line would look. Anchor leads to the other place.
type Node struct {
	doc *Document
	n   *node // never an alias
	// use is the first alias on the path; inside tells that the path went on
	// from there, so that the key is not beside the alias.
	use    *node
	inside bool
	path   *step
}

// step is a path as a list from its end, shared between the nodes of a tree.
type step struct {
	parent  *step
	segment any
}

// Exists reports whether there is a value.
func (n Node) Exists() bool { return n.n != nil }

// Document is the document that the value is part of; nil when there is no value.
func (n Node) Document() *Document { return n.doc }

// Kind is the kind of the value, the anchor's for an alias.
func (n Node) Kind() Kind {
	if n.n == nil {
		return None
	}
	return n.n.kind
}

// Text is the decoded text of a scalar ("" for collections): quotes, escapes
// and indentation are gone, numbers are as written.
func (n Node) Text() string {
	if n.n == nil {
		return ""
	}
	return n.n.text
}

// Plain reports whether the value is a scalar without quotes and not a block
// scalar, so that YAML decides about its type.
func (n Node) Plain() bool {
	return n.n != nil && n.n.kind == Scalar && n.n.style == stylePlain
}

// Quoted reports whether the value is in single or double quotes.
func (n Node) Quoted() bool {
	return n.n != nil && n.n.style >= styleSingle && n.n.style <= styleJSON
}

// Block reports whether the value is a block scalar (`|` or `>`).
func (n Node) Block() bool {
	return n.n != nil && (n.n.style == styleLiteral || n.n.style == styleFolded)
}

// Flow reports whether the value is a collection in brackets.
func (n Node) Flow() bool { return n.n != nil && n.n.style == styleFlow }

// Tag is the YAML type that kubectl gives the value: !!str, !!bool, !!int,
// !!float, !!null, !!map or !!seq. A plain yes is a !!bool.
func (n Node) Tag() string {
	switch n.Kind() {
	case Mapping:
		return "!!map"
	case Sequence:
		return "!!seq"
	case Scalar:
		return classTags[n.n.class]
	}
	return ""
}

// place is the node that stands in the file where the path says.
func (n Node) place() *node {
	if n.use != nil {
		return n.use
	}
	return n.n
}

// Range is where the value is written; the package comment says what belongs
// to it. Behind an alias it is the alias.
func (n Node) Range() Range {
	if n.n == nil {
		return Range{}
	}
	p := n.place()
	return n.doc.file.span(p.start, p.end)
}

// KeyRange is where the key that holds the value is written. A list item and
// the document have no key: they give the zero-width range at their start. A
// value inside an alias gives the alias.
func (n Node) KeyRange() Range {
	if n.n == nil {
		return Range{}
	}
	p := n.place()
	switch {
	case n.inside:
		return n.doc.file.span(p.start, p.end)
	case p.key == nil:
		return n.doc.file.span(p.start, p.start)
	}
	return n.doc.file.span(p.key.start, p.key.end)
}

// Anchor leads from a value that was reached through an alias to the place
// where it is written, and reports false when there was no alias.
func (n Node) Anchor() (Node, bool) {
	if n.use == nil {
		return Node{}, false
	}
	return Node{doc: n.doc, n: n.n, path: n.path}, true
}

// Path is the way from the document to the value: strings for keys, ints for
// list items; empty for the document itself.
func (n Node) Path() []any {
	path := []any{}
	for s := n.path; s != nil; s = s.parent {
		path = append(path, s.segment)
	}
	slices.Reverse(path)
	return path
}

// Pointer is Path as a JSON pointer (RFC 6901).
func (n Node) Pointer() string {
	var b strings.Builder
	for _, segment := range n.Path() {
		b.WriteByte('/')
		switch segment := segment.(type) {
		case int:
			b.WriteString(strconv.Itoa(segment))
		case string:
			b.WriteString(pointerEscapes.Replace(segment))
		}
	}
	return b.String()
}

var (
	pointerEscapes   = strings.NewReplacer("~", "~0", "/", "~1")
	pointerUnescapes = strings.NewReplacer("~1", "/", "~0", "~")
)

// child makes the handle of a value below n.
func (n Node) child(value *node, segment any) Node {
	return n.childAt(value, &step{parent: n.path, segment: segment})
}

// childAt is child with the memory for the path's end, which Find takes for all
// segments at once.
func (n Node) childAt(value *node, at *step) Node {
	c := Node{doc: n.doc, n: value.target(), use: n.use, path: at}
	switch {
	case n.use != nil:
		c.inside = true
	case value.alias != nil:
		c.use = value
	}
	return c
}

// Find walks from this value along a path of keys (string) and list indexes
// (int). It returns the deepest node reached and how many segments led to it:
// len(path) when all did. Aliases and merges are followed; the segment "<<"
// leads to what a merge key holds, unless a key really has that name.
func (n Node) Find(path ...any) (Node, int) {
	steps := make([]step, len(path))
	for i, segment := range path {
		steps[i] = step{parent: n.path, segment: segment}
		next := n.stepAt(&steps[i])
		if !next.Exists() {
			return n, i
		}
		n = next
	}
	return n, len(path)
}

// Lookup is Find for a JSON pointer relative to this value. What does not
// start with a slash reaches nothing.
func (n Node) Lookup(pointer string) (Node, int) {
	if pointer == "" || pointer[0] != '/' {
		return n, 0
	}
	segments := strings.Split(pointer[1:], "/")
	for i, segment := range segments {
		segment = pointerUnescapes.Replace(segment)
		next := Node{}
		if n.Kind() == Sequence {
			if index, err := strconv.Atoi(segment); err == nil && strconv.Itoa(index) == segment {
				next = n.step(index)
			}
		} else {
			next = n.step(segment)
		}
		if !next.Exists() {
			return n, i
		}
		n = next
	}
	return n, len(segments)
}

func (n Node) step(segment any) Node { return n.stepAt(&step{parent: n.path, segment: segment}) }

func (n Node) stepAt(at *step) Node {
	switch segment := at.segment.(type) {
	case int:
		if n.Kind() == Sequence && segment >= 0 && segment < len(n.n.items) {
			return n.childAt(n.n.items[segment], at)
		}
	case string:
		if n.Kind() != Mapping {
			return Node{}
		}
		value, via := n.n.lookup(segment)
		if value == nil {
			if value = n.n.mergeField(); segment != "<<" || value == nil {
				return Node{}
			}
		}
		c := n.childAt(value, at)
		if via != nil && n.use == nil {
			c.use, c.inside = via, true
		}
		return c
	}
	return Node{}
}

// Fields yields the keys and values of a mapping as written: in file order,
// with duplicates, and a merge as a key "<<" whose value is not unfolded. The
// last element of a value's Path is the key's name in [Document.Value].
func (n Node) Fields() iter.Seq2[Node, Node] {
	return func(yield func(Node, Node) bool) {
		if n.Kind() != Mapping {
			return
		}
		for _, f := range n.n.fields {
			value := n.child(f.value, f.name)
			key := Node{doc: n.doc, n: f.key.target(), use: n.use, inside: n.use != nil, path: value.path}
			if n.use == nil && f.key.alias != nil {
				key.use = f.key
			}
			if !yield(key, value) {
				return
			}
		}
	}
}

// Items yields the items of a list in order.
func (n Node) Items() iter.Seq[Node] {
	return func(yield func(Node) bool) {
		if n.Kind() != Sequence {
			return
		}
		for i, item := range n.n.items {
			if !yield(n.child(item, i)) {
				return
			}
		}
	}
}
