package types

import (
	"slices"

	"github.com/workloadmap/wm/schema/index"
)

// Of is the schema of a type of an index. Equal types give equal schemas.
func Of(t index.Type) Schema { return indexed{t} }

type indexed struct{ of index.Type }

func (x indexed) Kinds() Kinds {
	var kinds Kinds
	switch x.of.Kind() {
	case index.Object, index.Map:
		kinds = Object
	case index.List:
		kinds = Array
	case index.String:
		kinds = String
	case index.Integer, index.Number:
		kinds = Number
	case index.Boolean:
		kinds = Boolean
	case index.IntOrString:
		kinds = Number | String
	default:
		return AllKinds
	}
	if x.of.Nullable() {
		kinds |= Null
	}
	return kinds
}

// Enum leaves out what is no text: only texts are compared.
func (x indexed) Enum() []string {
	var texts []string
	for _, value := range x.of.Enum() {
		if text, ok := value.(string); ok {
			texts = append(texts, text)
		}
	}
	slices.Sort(texts)
	return texts
}

func (x indexed) Field(name string) (Field, bool) {
	if x.of.Kind() != index.Object {
		return Field{}, false
	}
	field, exists, _ := x.of.Field(name)
	if !exists {
		return Field{}, false
	}
	_, filled := field.Default()
	return Field{Schema: indexed{field}, Optional: !x.of.Required(name) && !filled}, true
}

func (x indexed) FieldNames() []string { return x.of.Names() }

// Closed is false for objects without any named field. CRDs write the metadata
// of pod templates so; that an API server drops all of it is too often a
// mistake of the CRD to blame the definition for it.
func (x indexed) Closed() bool {
	return x.of.Kind() == index.Object && !x.of.Open() && len(x.of.Names()) > 0
}

func (x indexed) Values() Schema {
	if x.of.Kind() != index.Map {
		return nil
	}
	return indexed{x.of.Element()}
}

func (x indexed) Items() Schema {
	if x.of.Kind() != index.List {
		return nil
	}
	return indexed{x.of.Element()}
}
