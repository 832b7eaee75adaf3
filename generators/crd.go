package generators

import (
	"fmt"

	"sigs.k8s.io/yaml"
)

// fieldSchema is the part of a CRD's OpenAPI schema that controller-gen writes
// for the format. A CRD with any other keyword is refused (see crdSchema), so
// that a new kubebuilder marker cannot get lost on its way to the JSON Schema.
type fieldSchema struct {
	Type                 string                  `json:"type,omitempty"`
	Format               string                  `json:"format,omitempty"`
	Description          string                  `json:"description,omitempty"`
	Default              any                     `json:"default,omitempty"`
	Enum                 []any                   `json:"enum,omitempty"`
	Pattern              string                  `json:"pattern,omitempty"`
	Minimum              *float64                `json:"minimum,omitempty"`
	MinLength            *int                    `json:"minLength,omitempty"`
	MaxLength            *int                    `json:"maxLength,omitempty"`
	MinItems             *int                    `json:"minItems,omitempty"`
	MinProperties        *int                    `json:"minProperties,omitempty"`
	Required             []string                `json:"required,omitempty"`
	Properties           map[string]*fieldSchema `json:"properties,omitempty"`
	Items                *fieldSchema            `json:"items,omitempty"`
	AdditionalProperties *fieldSchema            `json:"additionalProperties,omitempty"`
	ListType             string                  `json:"x-kubernetes-list-type,omitempty"`
	ListMapKeys          []string                `json:"x-kubernetes-list-map-keys,omitempty"`
	Validations          []validation            `json:"x-kubernetes-validations,omitempty"`
}

// validation is a CEL rule of a CRD.
type validation struct {
	Rule    string `json:"rule"`
	Message string `json:"message,omitempty"`
}

// crdSchema reads the schema of the only version of a CRD manifest.
func crdSchema(manifest []byte) (*fieldSchema, error) {
	// The outer part is read loosely, the schema inside it strictly.
	var crd struct {
		Spec struct {
			Versions []struct {
				Name   string
				Schema struct{ OpenAPIV3Schema any }
			}
		}
	}
	if err := yaml.Unmarshal(manifest, &crd); err != nil {
		return nil, fmt.Errorf("read the CRD: %w", err)
	}
	if n := len(crd.Spec.Versions); n != 1 {
		return nil, fmt.Errorf("read the CRD: want exactly one version, found %d", n)
	}
	inner, err := yaml.Marshal(crd.Spec.Versions[0].Schema.OpenAPIV3Schema)
	if err != nil {
		return nil, fmt.Errorf("read the CRD's schema: %w", err)
	}
	schema := &fieldSchema{}
	if err := yaml.UnmarshalStrict(inner, schema); err != nil {
		return nil, fmt.Errorf("read the CRD's schema: %w", err)
	}
	if schema.Properties["spec"] == nil {
		return nil, fmt.Errorf("read the CRD's schema: it has no spec")
	}
	return schema, nil
}
