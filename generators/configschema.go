package generators

import (
	"fmt"

	"github.com/workloadmap/wm/api/v1alpha1"
	"github.com/workloadmap/wm/lint"
	"github.com/workloadmap/wm/lint/config"
)

// ConfigSchemaID is the address of the JSON Schema of .wm.yaml.
const ConfigSchemaID = "https://workloadmap.dev/schema/v1alpha1/config.schema.json"

// ConfigSchema makes the JSON Schema of .wm.yaml for editors. It has each rule
// with its summary, so that editors complete and explain ids.
func ConfigSchema(rules []lint.Rule) ([]byte, error) {
	document := &jsonSchema{
		Schema:      "https://json-schema.org/draft/2020-12/schema",
		ID:          ConfigSchemaID,
		Title:       "Configuration of wm lint",
		Description: "How the definitions below the folder of this file are checked by wm lint. Flags of the command win over it.",
		Type:        "object", AdditionalProperties: false,
		Properties: map[string]*jsonSchema{},
	}
	for _, field := range config.Fields() {
		schema, err := configField(field.Name, rules)
		if err != nil {
			return nil, err
		}
		schema.Description = field.Description
		document.Properties[field.Name] = schema
	}
	return encode(document)
}

func configField(name string, rules []lint.Rule) (*jsonSchema, error) {
	one := 1
	text := &jsonSchema{Type: "string", MinLength: &one}
	switch name {
	case "cases":
		return text, nil
	case "crds", "exclude":
		return &jsonSchema{Type: "array", Items: text}, nil
	case "dialects":
		kinds := &jsonSchema{Type: "string"}
		for _, dialect := range v1alpha1.Dialects() {
			kinds.Enum = append(kinds.Enum, dialect.Kind)
		}
		return &jsonSchema{Type: "array", MinItems: &one, Items: kinds}, nil
	case "severities":
		return severitiesSchema(rules), nil
	default:
		return nil, fmt.Errorf("write the schema of %s: nothing is known of its field %s", config.Name, name)
	}
}

func severitiesSchema(rules []lint.Rule) *jsonSchema {
	words := []string{lint.Error.String(), lint.Warning.String(), lint.Info.String(), config.Off}
	schema := &jsonSchema{Type: "object", Properties: map[string]*jsonSchema{}, AdditionalProperties: false}
	for _, rule := range rules {
		if rule.ID == config.Fixed {
			continue
		}
		schema.Properties[rule.ID] = &jsonSchema{
			Description: fmt.Sprintf("%s: %s", rule.Name, rule.Summary),
			Enum:        words, Default: rule.Severity.String(),
		}
	}
	return schema
}
