package generators

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/workloadmap/wm/api/v1alpha1"
)

// SchemaID is the address of the generated JSON Schema. It is absolute, so that
// no validator resolves it against the working directory.
const SchemaID = "https://workloadmap.dev/schema/v1alpha1/workloadmap.schema.json"

// jsonSchema is a JSON Schema of draft 2020-12, with its keywords in the order
// in which a person reads them.
type jsonSchema struct {
	Schema               string                 `json:"$schema,omitempty"`
	ID                   string                 `json:"$id,omitempty"`
	Title                string                 `json:"title,omitempty"`
	Description          string                 `json:"description,omitempty"`
	Type                 string                 `json:"type,omitempty"`
	Const                string                 `json:"const,omitempty"`
	Enum                 []string               `json:"enum,omitempty"`
	Default              any                    `json:"default,omitempty"`
	MinLength            *int                   `json:"minLength,omitempty"`
	MinItems             *int                   `json:"minItems,omitempty"`
	MinProperties        *int                   `json:"minProperties,omitempty"`
	UniqueItems          bool                   `json:"uniqueItems,omitempty"`
	Required             []string               `json:"required,omitempty"`
	Properties           map[string]*jsonSchema `json:"properties,omitempty"`
	AdditionalProperties any                    `json:"additionalProperties,omitempty"`
	Items                *jsonSchema            `json:"items,omitempty"`
	AllOf                []*jsonSchema          `json:"allOf,omitempty"`
	If                   *jsonSchema            `json:"if,omitempty"`
	Then                 *jsonSchema            `json:"then,omitempty"`
	Ref                  string                 `json:"$ref,omitempty"`
	Defs                 map[string]*jsonSchema `json:"$defs,omitempty"`
}

// JSONSchema makes the JSON Schema of a definition, in any dialect, from the CRD
// manifest. Unlike the CRD it refuses unknown fields, and its descriptions are
// meant for editors. What a schema cannot say in words a person understands
// (exactly one of three pod shapes, a selector's value without its path) is left
// to lint. The result depends on the manifest alone.
func JSONSchema(crd []byte) ([]byte, error) {
	root, err := crdSchema(crd)
	if err != nil {
		return nil, err
	}
	spec, err := strict(root.Properties["spec"], "spec")
	if err != nil {
		return nil, err
	}
	document := &jsonSchema{
		Schema:      "https://json-schema.org/draft/2020-12/schema",
		ID:          SchemaID,
		Title:       "Workload Map definition",
		Description: oneLine(root.Description),
		Type:        "object",
		Required:    []string{"apiVersion", "kind", "metadata", "spec"},
		Properties: map[string]*jsonSchema{
			"metadata": metadataSchema(),
			"spec":     spec,
			// Operators of other dialects write other things here.
			"status": {Description: oneLine(root.Properties["status"].Description), Type: "object"},
		},
		AdditionalProperties: false,
	}
	addHeader(document)
	if err := shareRepeated(document); err != nil {
		return nil, err
	}
	return encode(document)
}

// addHeader accepts the header of each dialect and no mixture of them.
func addHeader(document *jsonSchema) {
	apiVersion := &jsonSchema{Description: "API group and version of the definition's dialect.", Type: "string"}
	kind := &jsonSchema{Description: "Kind of the definition's dialect.", Type: "string"}
	for _, d := range v1alpha1.Dialects() {
		apiVersion.Enum = append(apiVersion.Enum, d.APIVersion)
		kind.Enum = append(kind.Enum, d.Kind)
		document.AllOf = append(document.AllOf, &jsonSchema{
			If: &jsonSchema{
				Properties: map[string]*jsonSchema{"kind": {Const: d.Kind}},
				Required:   []string{"kind"},
			},
			Then: &jsonSchema{
				Properties: map[string]*jsonSchema{"apiVersion": {Const: d.APIVersion}},
			},
		})
	}
	document.Properties["apiVersion"], document.Properties["kind"] = apiVersion, kind
}

// metadataSchema describes what authors write in metadata and leaves the rest
// to Kubernetes.
func metadataSchema() *jsonSchema {
	one := 1
	texts := func(description string) *jsonSchema {
		return &jsonSchema{Description: description, Type: "object", AdditionalProperties: &jsonSchema{Type: "string"}}
	}
	return &jsonSchema{
		Description: "Kubernetes metadata of the definition. A definition has no namespace.",
		Type:        "object",
		Required:    []string{"name"},
		Properties: map[string]*jsonSchema{
			"name": {
				Description: "Name of the definition; by convention the slug of the root kind, as in ray-io-raycluster-v1.",
				Type:        "string",
				MinLength:   &one,
			},
			"labels":      texts("Labels of the definition. The KAI scheduler finds a Karta by its three run.ai/karta-* labels."),
			"annotations": texts("Annotations of the definition."),
		},
	}
}

// strict translates one CRD schema and everything below it.
func strict(from *fieldSchema, path string) (*jsonSchema, error) {
	if from.Enum != nil || from.Pattern != "" || from.Format != "" || from.Minimum != nil || from.MaxLength != nil {
		return nil, fmt.Errorf("translate %s: it has a keyword that the JSON Schema generator does not know yet", path)
	}
	to := &jsonSchema{
		Description:   oneLine(from.Description),
		Type:          from.Type,
		Default:       from.Default,
		MinLength:     from.MinLength,
		MinItems:      from.MinItems,
		MinProperties: from.MinProperties,
		UniqueItems:   from.ListType == "set",
		Required:      from.Required,
	}
	switch {
	case from.Items != nil:
		items, err := strict(from.Items, path+"[]")
		if err != nil {
			return nil, err
		}
		to.Items = items
	case from.AdditionalProperties != nil:
		values, err := strict(from.AdditionalProperties, path+".*")
		if err != nil {
			return nil, err
		}
		to.AdditionalProperties = values
	case from.Type == "object":
		to.AdditionalProperties = false
		to.Properties = map[string]*jsonSchema{}
		for name, property := range from.Properties {
			field, err := strict(property, path+"."+name)
			if err != nil {
				return nil, err
			}
			to.Properties[name] = field
		}
	}
	return to, nil
}

// oneLine undoes the line breaks of a Go comment and keeps its paragraphs.
func oneLine(text string) string {
	paragraphs := strings.Split(text, "\n\n")
	for i, p := range paragraphs {
		paragraphs[i] = strings.Join(strings.Fields(p), " ")
	}
	return strings.Join(paragraphs, "\n\n")
}

func encode(document *jsonSchema) ([]byte, error) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(document); err != nil {
		return nil, fmt.Errorf("write the JSON Schema: %w", err)
	}
	return text.Bytes(), nil
}
