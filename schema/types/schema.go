package types

import "strings"

// Kinds is a set of JSON kinds. The booleans are two kinds, so that conditions
// can tell them apart.
type Kinds uint8

// The kinds.
const (
	Null Kinds = 1 << iota
	False
	True
	Number
	String
	Array
	Object

	Boolean  = False | True
	AllKinds = Null | Boolean | Number | String | Array | Object
)

// String lists the kinds in words: "null or number".
func (k Kinds) String() string {
	var words []string
	for _, named := range []struct {
		kind Kinds
		word string
	}{{Null, "null"}, {Boolean, "boolean"}, {Number, "number"}, {String, "string"}, {Array, "list"}, {Object, "object"}} {
		if k&named.kind != 0 {
			words = append(words, named.word)
		}
	}
	if len(words) == 0 {
		return "nothing"
	}
	return strings.Join(words, " or ")
}

// withArticle is the kinds as a noun: "an object", "a number or string".
func (k Kinds) withArticle() string {
	switch text := k.String(); {
	case k == 0 || k&Null != 0:
		return text
	case k&^Object == 0:
		return "an " + text
	default:
		return "a " + text
	}
}

// Schema is what the checker asks about the values in one place. Its
// implementations must be comparable: equal values describe the same shape.
type Schema interface {
	// Kinds are the kinds of values; null is among them when it may be written.
	Kinds() Kinds
	// Enum holds the only texts that a string can be; nil when it can be any.
	Enum() []string
	// Field finds a named field of an object.
	Field(name string) (Field, bool)
	// FieldNames lists the named fields, sorted.
	FieldNames() []string
	// Closed tells that an object has no other fields than the named ones.
	Closed() bool
	// Values describes the values of a map; nil when the object is none.
	Values() Schema
	// Items describes the elements of a list; nil when nothing is known.
	Items() Schema
}

// Field is a field of an object.
type Field struct {
	Schema Schema
	// Optional tells that an object may lack the field, and that nobody fills in
	// a default.
	Optional bool
}
