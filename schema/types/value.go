package types

import (
	"maps"
	"slices"
)

// Value is a set of JSON values. Values are never changed.
type Value struct {
	kinds Kinds
	// unknown tells that nothing is known but the kinds.
	unknown bool
	// nullAt is the path of the field that is null when the value is, and that
	// the schema allows to be left out. Empty when null is not expected.
	nullAt string
	// texts are the only possible strings; nil for any.
	texts []string
	// Of a list or an object at most one is set: what its schema says; what its
	// elements are; what its only fields are; what the values of its fields are
	// when their names are computed. With none, it can hold anything.
	schema  Schema
	element *Value
	fields  map[string]Value
	values  *Value
	// narrowed holds what conditions say about fields of a schema.
	narrowed map[string]Value
	// path is where the value is read from in the input; empty when computed.
	path string
}

// Kinds are the kinds that the value can have.
func (v Value) Kinds() Kinds { return v.kinds }

// Unknown tells that nothing but the kinds is known.
func (v Value) Unknown() bool { return v.unknown }

// Texts are the only strings that the value can be, sorted; nil for any.
func (v Value) Texts() []string { return slices.Clone(v.texts) }

// Schema is the schema of the list or object; nil when there is none.
func (v Value) Schema() Schema { return v.schema }

// Contains tells whether a JSON value is in the set. The parts of values that a
// schema describes are not compared with it.
func (v Value) Contains(value any) bool {
	if kindOf(value)&v.kinds == 0 {
		return false
	}
	switch value := value.(type) {
	case string:
		return v.texts == nil || slices.Contains(v.texts, value)
	case []any:
		if v.element == nil {
			return true
		}
		for _, element := range value {
			if !v.element.Contains(element) {
				return false
			}
		}
	case map[string]any:
		if v.fields == nil {
			return v.containsValues(value)
		}
		for name, field := range value {
			if held, ok := v.fields[name]; !ok || !held.Contains(field) {
				return false
			}
		}
	}
	return true
}

func (v Value) containsValues(object map[string]any) bool {
	if v.values == nil {
		return true
	}
	for _, value := range object {
		if !v.values.Contains(value) {
			return false
		}
	}
	return true
}

func kindOf(value any) Kinds {
	switch value := value.(type) {
	case nil:
		return Null
	case bool:
		if value {
			return True
		}
		return False
	case string:
		return String
	case []any:
		return Array
	case map[string]any:
		return Object
	default:
		return Number
	}
}

func anything() Value { return Value{kinds: AllKinds, unknown: true} }

func ofKinds(kinds Kinds) Value { return Value{kinds: kinds} }

func listOf(element Value) Value { return Value{kinds: Array, element: &element} }

func literal(value any) Value {
	v := ofKinds(kindOf(value))
	if text, ok := value.(string); ok {
		v.texts = []string{text}
	}
	return v
}

// described is what a schema says about a value at a path. Null is always
// possible: old objects were stored under older schemas.
func described(s Schema, path string, optional bool) Value {
	if s == nil {
		v := anything()
		v.path = path
		return v
	}
	v := Value{kinds: s.Kinds() | Null, texts: s.Enum(), schema: s, path: path}
	if optional || s.Kinds()&Null != 0 {
		v.nullAt = path
	}
	if s.Kinds() == AllKinds {
		v.unknown, v.schema = true, nil
	}
	return v
}

// only keeps some kinds.
func (v Value) only(kinds Kinds) Value {
	v.kinds &= kinds
	if v.kinds&Null == 0 {
		v.nullAt = ""
	}
	return v
}

func (v Value) without(kinds Kinds) Value { return v.only(AllKinds &^ kinds) }

// holds tells whether all kinds of the value are among some.
func (v Value) holds(kinds Kinds) bool { return v.kinds&^kinds == 0 }

func join(a, b Value) Value {
	if a.kinds == 0 {
		return b
	}
	if b.kinds == 0 {
		return a
	}
	joined := Value{kinds: a.kinds | b.kinds, unknown: a.unknown || b.unknown, nullAt: a.nullAt}
	if joined.nullAt == "" {
		joined.nullAt = b.nullAt
	}
	switch {
	case a.path == b.path, b.isEmptyList(), b.isEmptyObject():
		joined.path = a.path
	case a.isEmptyList(), a.isEmptyObject():
		joined.path = b.path
	}
	joined.texts = joinTexts(a, b)
	const containers = Array | Object
	switch {
	case a.kinds&containers == 0:
		return joined.shapedAs(b)
	case b.kinds&containers == 0:
		return joined.shapedAs(a)
	default:
		return joined.shapedAsBoth(a, b)
	}
}

func joinTexts(a, b Value) []string {
	switch {
	case a.kinds&String == 0:
		return b.texts
	case b.kinds&String == 0:
		return a.texts
	case a.texts == nil || b.texts == nil:
		return nil
	}
	texts := slices.Concat(a.texts, b.texts)
	slices.Sort(texts)
	return slices.Compact(texts)
}

func (v Value) shapedAs(other Value) Value {
	v.schema, v.element, v.fields, v.values, v.narrowed = other.schema, other.element, other.fields, other.values, other.narrowed
	return v
}

func (v Value) shapedAsBoth(a, b Value) Value {
	switch {
	case a.isEmptyList():
		return v.shapedAs(b)
	case b.isEmptyList():
		return v.shapedAs(a)
	case a.schema != nil && (a.schema == b.schema || b.isEmptyObject()):
		v.schema = a.schema
	case b.schema != nil && a.isEmptyObject():
		v.schema = b.schema
	case a.element != nil && b.element != nil:
		element := join(*a.element, *b.element)
		v.element = &element
	case a.values != nil && (b.values != nil || b.isEmptyObject()), b.values != nil && a.isEmptyObject():
		values := join(a.valuesOrNone(), b.valuesOrNone())
		v.values = &values
	case a.fields != nil && b.fields != nil:
		v.fields = map[string]Value{}
		for name := range maps.Keys(a.fields) {
			v.fields[name] = join(fieldOrNull(a, name), fieldOrNull(b, name))
		}
		for name := range maps.Keys(b.fields) {
			v.fields[name] = join(fieldOrNull(a, name), fieldOrNull(b, name))
		}
	}
	return v
}

func (v Value) valuesOrNone() Value {
	if v.values == nil {
		return Value{}
	}
	return *v.values
}

func fieldOrNull(v Value, name string) Value {
	if field, ok := v.fields[name]; ok {
		return field
	}
	return ofKinds(Null)
}

func (v Value) isEmptyList() bool {
	return v.kinds&Object == 0 && v.element != nil && v.element.kinds == 0
}

// isEmptyObject tells the default of `.status // {}`. Any field of it is null,
// which fields of a schema can always be.
func (v Value) isEmptyObject() bool {
	return v.kinds&Array == 0 && v.fields != nil && len(v.fields) == 0
}

// elements are the values that iterating gives.
func (v Value) elements() Value {
	if v.unknown {
		return anything()
	}
	switch {
	case v.element != nil && v.kinds&Object == 0:
		return *v.element
	case v.values != nil && v.kinds&Array == 0:
		return *v.values
	case v.fields != nil && v.kinds&Array == 0:
		var all Value
		for _, field := range v.fields {
			all = join(all, field)
		}
		return all
	case v.schema != nil && v.kinds&Object == 0:
		return described(v.schema.Items(), pathThen(v.path, "[]"), false)
	case v.schema != nil && v.kinds&Array == 0 && v.schema.Values() != nil && len(v.schema.FieldNames()) == 0:
		return described(v.schema.Values(), pathThen(v.path, "[]"), false)
	case v.kinds&(Array|Object) == 0:
		return Value{}
	default:
		return anything()
	}
}

func pathThen(path, step string) string {
	if path == "" {
		return ""
	}
	if path == "." {
		if step[0] == '.' {
			return step
		}
		return path + step
	}
	return path + step
}
