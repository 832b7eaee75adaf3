package index

import (
	"cmp"
	"slices"
)

// Kind tells the sorts of values apart.
type Kind uint8

// The kinds. Any is also the kind of what nothing is known about.
const (
	Any Kind = iota
	Object
	Map
	List
	String
	Integer
	Number
	Boolean
	IntOrString
)

var kindNames = [...]string{"any", "object", "map", "list", "string", "integer", "number", "boolean", "int-or-string"}

// String is the kind in the words of a CRD author.
func (k Kind) String() string { return kindNames[k] }

// Format narrows a kind. Formats that no API server checks are not kept.
type Format string

// The formats that an index keeps. Quantity is an int-or-string, Int32 and Int64
// are integers, the others are strings.
const (
	Int32    Format = "int32"
	Int64    Format = "int64"
	Quantity Format = "quantity"
	DateTime Format = "date-time"
	Date     Format = "date"
	Duration Format = "duration"
	Byte     Format = "byte"
)

// formatKinds says which kind a format belongs to.
var formatKinds = map[Format]Kind{
	Int32: Integer, Int64: Integer, Quantity: IntOrString,
	DateTime: String, Date: String, Duration: String, Byte: String,
}

// FitsKind reports whether an index keeps the format on values of a kind.
func (f Format) FitsKind(kind Kind) bool {
	of, known := formatKinds[f]
	return known && of == kind
}

// Schema is a type written out in full, the form that indexes are made from. A
// Schema may be part of several others; it must not be changed once it is.
type Schema struct {
	Kind Kind
	// Format is empty where the kind says it all.
	Format Format
	// Nullable is true when the API server accepts null.
	Nullable bool
	// Open is true for an object that keeps fields that are not listed.
	Open bool
	// Enum are the only allowed values: string, bool, int64, float64 or nil.
	// Empty when every value of the kind is allowed.
	Enum []any
	// Default is what the API server fills in, nil for none: a JSON value of
	// map[string]any, []any, string, bool, int64 or float64.
	Default any
	// Fields are those of an object; New sorts them by name.
	Fields []Field
	// Element is what a list holds, or what the values of a map are. Nil stands
	// for any.
	Element *Schema
	// Keys are the fields that identify an element of a list, in the CRD's order.
	Keys []string
}

// Field is one field of an object.
type Field struct {
	Name     string
	Required bool
	Schema   *Schema
}

func sortedFields(fields []Field) []Field {
	return slices.SortedFunc(slices.Values(fields), func(a, b Field) int { return cmp.Compare(a.Name, b.Name) })
}
