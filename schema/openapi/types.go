package openapi

import (
	"maps"
	"slices"

	"github.com/workloadmap/wm/schema/index"
)

// maxLevels is how deep a schema may be nested. Real ones end at 23; the API
// server spends itself on much deeper ones as well.
const maxLevels = 100

// maxParts is how many schemas may be in one. The largest CRD that is known has
// 13,000.
const maxParts = 100_000

// typeReader turns one schema into types.
type typeReader struct {
	core  *index.Library
	parts int
}

// root reads the schema of whole objects.
func (r *typeReader) root(schema place) (*index.Schema, error) {
	made, err := r.schema(schema, 0)
	if err != nil {
		return nil, err
	}
	if made.Kind != index.Object {
		return nil, schema.fault("the schema of whole objects has to have type object, not %s", made.Kind)
	}
	return r.resource(made, false)
}

func (r *typeReader) schema(p place, level int) (*index.Schema, error) {
	if level > maxLevels {
		return nil, p.fault("the schema is nested deeper than %d levels", maxLevels)
	}
	if r.parts++; r.parts > maxParts {
		return nil, p.fault("there are more than %d schemas in the schema", maxParts)
	}
	if !p.isObject() {
		return nil, p.fault("a schema is needed here")
	}
	if ref := p.field("$ref"); ref.value != nil {
		return nil, ref.fault("$ref is not allowed in a %s: write the schema out", crdKind)
	}
	kind, err := kindOf(p)
	if err != nil {
		return nil, err
	}
	made := &index.Schema{Kind: kind, Nullable: p.field("nullable").isTrue(), Default: p.field("default").value}
	switch kind {
	case index.Object:
		err = r.object(made, p, level)
	case index.Map:
		if values := p.field("additionalProperties"); values.isObject() {
			made.Element, err = r.schema(values, level+1)
		}
	case index.List:
		err = r.list(made, p, level)
	case index.IntOrString:
		// CRD generators write quantities as an int-or-string with a pattern.
		if p.field("pattern").text() == quantityPattern {
			made.Format = index.Quantity
		}
	default:
		if format := index.Format(p.field("format").text()); format.FitsKind(kind) {
			made.Format = format
		}
	}
	if err != nil {
		return nil, err
	}
	if made.Enum, err = enumOf(p); err != nil {
		return nil, err
	}
	return made, nil
}

// quantityPattern is the pattern of resource.Quantity in generated CRDs.
const quantityPattern = `^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$`

var kinds = map[string]index.Kind{
	"object": index.Object, "array": index.List, "string": index.String,
	"integer": index.Integer, "number": index.Number, "boolean": index.Boolean,
}

func kindOf(p place) (index.Kind, error) {
	if p.field("x-kubernetes-int-or-string").isTrue() {
		return index.IntOrString, nil
	}
	word := p.field("type")
	switch {
	case word.value == nil && isIntOrString(p.field("anyOf")), word.value == nil && isIntOrString(p.field("oneOf")):
		return index.IntOrString, nil
	case word.value == nil && p.field("x-kubernetes-embedded-resource").isTrue():
		return index.Object, nil
	case word.value == nil:
		return index.Any, nil
	}
	kind, known := kinds[word.text()]
	if !known {
		return index.Any, word.fault("type has to be one of object, array, string, integer, number and boolean")
	}
	if kind != index.Object {
		return kind, nil
	}
	// An object of named fields, of any fields, or a map.
	if values := p.field("additionalProperties"); (values.isObject() || values.isTrue()) && !p.field("properties").isObject() {
		return index.Map, nil
	}
	return index.Object, nil
}

// isIntOrString recognizes the choice between an integer and a string.
func isIntOrString(choice place) bool {
	branches := choice.items()
	if len(branches) != 2 {
		return false
	}
	words := []string{branches[0].field("type").text(), branches[1].field("type").text()}
	slices.Sort(words)
	return words[0] == "integer" && words[1] == "string"
}

func (r *typeReader) list(made *index.Schema, p place, level int) error {
	var err error
	if items := p.field("items"); items.value != nil {
		if made.Element, err = r.schema(items, level+1); err != nil {
			return err
		}
	}
	if p.field("x-kubernetes-list-type").text() == "map" {
		made.Keys, err = p.field("x-kubernetes-list-map-keys").texts()
	}
	return err
}

func (r *typeReader) object(made *index.Schema, p place, level int) error {
	properties := p.field("properties")
	if properties.value != nil && !properties.isObject() {
		return properties.fault("properties has to be a mapping from field names to schemas")
	}
	required, err := requiredOf(p)
	if err != nil {
		return err
	}
	named, _ := properties.value.(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(named)) {
		below, err := r.schema(properties.field(name), level+1)
		if err != nil {
			return err
		}
		made.Fields = append(made.Fields, index.Field{Name: name, Required: required[name], Schema: below})
	}
	more := p.field("additionalProperties")
	made.Open = p.field("x-kubernetes-preserve-unknown-fields").isTrue() || more.isTrue() || more.isObject()
	if p.field("x-kubernetes-embedded-resource").isTrue() {
		whole, err := r.resource(made, true)
		if err != nil {
			return err
		}
		*made = *whole
	}
	return nil
}

// resource adds to an object what the API server itself says about whole objects:
// apiVersion, kind and metadata. Of a root only, they may be left out of a schema's
// required fields and are still there.
func (r *typeReader) resource(object *index.Schema, embedded bool) (*index.Schema, error) {
	meta, ok := r.core.Type("ObjectMeta")
	if !ok {
		return nil, errNoObjectMeta
	}
	whole := *object
	whole.Fields = nil
	known := map[string]index.Field{
		"apiVersion": {Name: "apiVersion", Required: true, Schema: &index.Schema{Kind: index.String}},
		"kind":       {Name: "kind", Required: true, Schema: &index.Schema{Kind: index.String}},
		"metadata":   {Name: "metadata", Required: !embedded, Schema: meta.Schema()},
	}
	for _, field := range object.Fields {
		if replaced, ok := known[field.Name]; ok {
			replaced.Required = replaced.Required || field.Required
			known[field.Name] = replaced
			continue
		}
		whole.Fields = append(whole.Fields, field)
	}
	for _, field := range known {
		whole.Fields = append(whole.Fields, field)
	}
	return &whole, nil
}

// requiredOf are the names of fields that have to be there, by the schema itself
// or by all parts of an allOf.
func requiredOf(p place) (map[string]bool, error) {
	required := map[string]bool{}
	for _, narrowing := range append(p.field("allOf").items(), p) {
		names, err := narrowing.field("required").texts()
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			required[name] = true
		}
	}
	return required, nil
}
