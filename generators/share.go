package generators

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
)

// sharer moves objects that occur in several places to $defs. The CRD has to
// repeat them, because an API server takes no references, and a schema that does
// the same is three times the size and compiles ten times as long.
type sharer struct {
	uses  map[string]int
	names map[string]string
	defs  map[string]*jsonSchema
	// owners tells which object has a name, so that two never share one.
	owners map[string]string
	// err is the first object that could not be compared or named.
	err error
}

// shareRepeated changes document in place.
func shareRepeated(document *jsonSchema) error {
	s := &sharer{uses: map[string]int{}, names: map[string]string{}, defs: map[string]*jsonSchema{}, owners: map[string]string{}}
	spec := document.Properties["spec"]
	s.count(spec, "spec", false)
	document.Properties["spec"] = s.rewrite(spec)
	document.Defs = s.defs
	return s.err
}

// count looks below the first use of an object only: what is inside the others
// goes away with them.
func (s *sharer) count(schema *jsonSchema, field string, inList bool) {
	if key := s.key(schema); key != "" {
		s.uses[key]++
		if name := definitionName(schema, field, inList); inList || s.names[key] == "" {
			s.names[key] = name
		}
		if s.uses[key] > 1 {
			return
		}
	}
	for _, name := range slices.Sorted(maps.Keys(schema.Properties)) {
		s.count(schema.Properties[name], name, false)
	}
	if schema.Items != nil {
		s.count(schema.Items, field, true)
	}
}

// definitionName is the Go type's name, which opens the description of list
// items, or else the field's.
func definitionName(schema *jsonSchema, field string, inList bool) string {
	if first, _, _ := strings.Cut(schema.Description, " "); inList && first != "" {
		return first
	}
	letters := []rune(field)
	letters[0] = unicode.ToUpper(letters[0])
	return string(letters)
}

// rewrite returns the schema with references in the place of repeated objects.
// Each reference keeps the description of its own place.
func (s *sharer) rewrite(schema *jsonSchema) *jsonSchema {
	key := s.key(schema)
	description := schema.Description
	name := s.names[key]
	shared := key != "" && s.uses[key] > 1
	if !shared || s.defs[name] == nil {
		for field, below := range schema.Properties {
			schema.Properties[field] = s.rewrite(below)
		}
		if schema.Items != nil {
			schema.Items = s.rewrite(schema.Items)
		}
	}
	if !shared {
		return schema
	}
	if s.owners[name] != "" && s.owners[name] != key && s.err == nil {
		s.err = fmt.Errorf("share repeated objects: two different ones would be called %s", name)
	}
	if s.defs[name] == nil {
		body := *schema
		body.Description = ""
		s.defs[name], s.owners[name] = &body, key
	}
	return &jsonSchema{Description: description, Ref: "#/$defs/" + name}
}

// key is equal for objects with the same fields, whatever they are for; "" for
// what is never shared.
func (s *sharer) key(schema *jsonSchema) string {
	if len(schema.Properties) == 0 {
		return ""
	}
	body := *schema
	body.Description = ""
	key, err := json.Marshal(body)
	if err != nil && s.err == nil {
		s.err = fmt.Errorf("compare objects of the format: %w", err)
	}
	return string(key)
}
