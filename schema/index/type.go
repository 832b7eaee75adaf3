package index

import (
	"iter"
	"slices"
)

// Type is a handle on a type of an index. Two handles that are equal are the same
// type, though the same type may have several; the zero Type is Any. Types are immutable and safe for concurrent use, and
// never contain themselves. What their methods return must not be changed.
type Type struct {
	node *node
}

// Kind is what sort of value this is. Everything is possible for Any.
func (t Type) Kind() Kind {
	if t.node == nil {
		return Any
	}
	return t.node.target().kind
}

// Format narrows the kind; often empty.
func (t Type) Format() Format {
	if t.node == nil {
		return ""
	}
	return t.node.target().format
}

// Nullable reports whether the API server stores null here. A field that is
// absent reads as null as well: see Required and Default.
func (t Type) Nullable() bool { return t.node != nil && t.node.nullable }

// Enum are the only values that the API server accepts: string, bool, int64,
// float64 or nil, ordered by their JSON text. It is empty when there is no such
// list.
func (t Type) Enum() []any {
	if t.node == nil {
		return nil
	}
	return t.node.enum
}

// Default is what the API server fills in when the field is absent, as a JSON
// value with whole numbers as int64. An object in a file has not met the API
// server yet.
func (t Type) Default() (value any, exists bool) {
	if t.node == nil {
		return nil, false
	}
	return t.node.def, t.node.def != nil
}

// Field returns the type of a field of an object, or of the values of a map.
//
// exists reports whether the type says anything about a field of that name; every
// name exists in a map. closed reports whether there can be no field but those
// that exist: false for objects that keep unknown fields, and for Any. Scalars and
// lists have no fields and are closed. An API server drops fields that do not
// exist in a closed object.
func (t Type) Field(name string) (field Type, exists, closed bool) {
	switch t.Kind() {
	case Any:
		return Type{}, false, false
	case Map:
		return t.Element(), true, false
	case Object:
		found, exists := find(t.node.fields(), name)
		return Type{found.node}, exists, !t.node.isOpen()
	}
	return Type{}, false, true
}

// Fields yields the fields of an object by name; those of a map have no names.
func (t Type) Fields() iter.Seq2[string, Type] {
	return func(yield func(string, Type) bool) {
		if t.Kind() != Object {
			return
		}
		for _, field := range t.node.fields() {
			if !yield(field.name, Type{field.node}) {
				return
			}
		}
	}
}

// Names are the names of the fields of an object, sorted.
func (t Type) Names() []string {
	var names []string
	for name := range t.Fields() {
		names = append(names, name)
	}
	return names
}

// Required reports whether a field of an object has to be there. A required field
// may still be null when its type is nullable.
func (t Type) Required(name string) bool {
	if t.Kind() != Object {
		return false
	}
	field, _ := find(t.node.fields(), name)
	return field.required
}

// Open reports whether an object keeps fields that are not listed
// (x-kubernetes-preserve-unknown-fields).
func (t Type) Open() bool { return t.Kind() == Object && t.node.isOpen() }

// Element is what a list holds, or what the values of a map are; Any for
// everything else.
func (t Type) Element() Type {
	if t.node == nil {
		return Type{}
	}
	return Type{t.node.target().element}
}

// ListKeys are the fields that identify an element of a list
// (x-kubernetes-list-map-keys), in the CRD's order; empty for other lists.
func (t Type) ListKeys() []string {
	if t.node == nil {
		return nil
	}
	return t.node.target().keys
}

// Core names the core type that an object is, or is written against: "PodSpec".
// exact is false when fields were taken away, added or changed. The name is empty
// for other types. Of core types with the same structure one name stands for all.
func (t Type) Core() (name string, exact bool) {
	exact = true
	for n := t.node; n != nil; n = n.base {
		if n.core != "" {
			return n.core, exact
		}
		exact = exact && !n.changed()
	}
	return "", false
}

// Schema writes the type out in full. Equal parts are the same *Schema.
func (t Type) Schema() *Schema {
	return newExpander().schema(t.node)
}

// expander writes nodes out, each once.
type expander struct {
	done map[*node]*Schema
}

func newExpander() *expander { return &expander{done: map[*node]*Schema{}} }

func (e *expander) schema(n *node) *Schema {
	if n == nil {
		return anySchema
	}
	if made, ok := e.done[n]; ok {
		return made
	}
	target := n.target()
	made := &Schema{
		Kind: target.kind, Format: target.format, Nullable: n.nullable, Open: n.isOpen(),
		Enum: n.enum, Default: n.def, Keys: slices.Clone(target.keys),
	}
	if target.element != nil {
		made.Element = e.schema(target.element)
	}
	if target.kind == Object {
		for _, field := range n.fields() {
			made.Fields = append(made.Fields, Field{Name: field.name, Required: field.required, Schema: e.schema(field.node)})
		}
	}
	e.done[n] = made
	return made
}
