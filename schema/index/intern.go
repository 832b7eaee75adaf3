package index

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// shape is a Schema whose parts are shapes of the same interner, so that two
// shapes are the same type exactly if they have the same number.
type shape struct {
	kind     Kind
	format   Format
	nullable bool
	open     bool
	enum     []any
	def      any
	fields   []shapeField
	element  int // of lists and maps
	keys     []string
}

type shapeField struct {
	name     string
	required bool
	shape    int
}

// maxShapes is how many different types an index may have, core types included.
// The largest CRD that is known has 291, besides 311 of core types.
const maxShapes = 5_000

// interner numbers types by structure.
type interner struct {
	shapes  []shape
	numbers map[string]int
	seen    map[*Schema]int
}

func newInterner() *interner {
	return &interner{numbers: map[string]int{}, seen: map[*Schema]int{}}
}

// schema numbers a type and all that is inside it.
func (in *interner) schema(s *Schema) (int, error) {
	if s == nil {
		s = anySchema
	}
	if number, ok := in.seen[s]; ok {
		return number, nil
	}
	made := shape{kind: s.Kind, format: s.Format, nullable: s.Nullable, open: s.Open, def: withNumbers(s.Default), keys: s.Keys}
	if s.Format != "" && !s.Format.FitsKind(s.Kind) {
		return 0, fmt.Errorf("format %s does not go with %s", s.Format, s.Kind)
	}
	var err error
	if made.enum, err = sortedValues(s.Enum); err != nil {
		return 0, err
	}
	for i, field := range sortedFields(s.Fields) {
		if i > 0 && made.fields[i-1].name == field.Name {
			return 0, fmt.Errorf("field %q is there twice", field.Name)
		}
		number, err := in.schema(field.Schema)
		if err != nil {
			return 0, fmt.Errorf("%s: %w", field.Name, err)
		}
		made.fields = append(made.fields, shapeField{name: field.Name, required: field.Required, shape: number})
	}
	if s.Kind == List || s.Kind == Map {
		number, err := in.schema(s.Element)
		if err != nil {
			return 0, fmt.Errorf("[]: %w", err)
		}
		made.element = number
	}
	number, err := in.shape(made)
	if err != nil {
		return 0, err
	}
	in.seen[s] = number
	return number, nil
}

var anySchema = &Schema{}

func (in *interner) shape(s shape) (int, error) {
	key, err := s.key()
	if err != nil {
		return 0, err
	}
	if number, ok := in.numbers[key]; ok {
		return number, nil
	}
	if len(in.shapes) >= maxShapes {
		return 0, fmt.Errorf("there are more than %d different types in it", maxShapes)
	}
	return in.add(key, s), nil
}

// add numbers a shape that may have a number already.
func (in *interner) add(key string, s shape) int {
	if number, ok := in.numbers[key]; ok {
		return number
	}
	in.shapes = append(in.shapes, s)
	in.numbers[key] = len(in.shapes) - 1
	return len(in.shapes) - 1
}

// sortedValues orders enum values by their JSON text: their order in a CRD means
// nothing.
func sortedValues(values []any) ([]any, error) {
	texts := make(map[string]any, len(values))
	for _, value := range values {
		value = withNumbers(value)
		text, err := json.Marshal(value)
		if err != nil {
			return nil, fmt.Errorf("enum: %w", err)
		}
		texts[string(text)] = value
	}
	var sorted []any
	for _, text := range slices.Sorted(maps.Keys(texts)) {
		sorted = append(sorted, texts[text])
	}
	return sorted, nil
}

// bare is the type without what belongs to the place where it stands: null,
// default and enum.
func (in *interner) bare(number int) int {
	s := in.shapes[number]
	if s.bare() {
		return number
	}
	s.nullable, s.def, s.enum = false, nil, nil
	key, err := s.key()
	if err != nil {
		// Only values cannot be written, and those are gone.
		panic(fmt.Errorf("number a type: %w", err))
	}
	return in.add(key, s)
}

func (s *shape) bare() bool { return !s.nullable && s.def == nil && len(s.enum) == 0 }

// required are the names of required fields, in order.
func (s *shape) required() []string {
	var names []string
	for _, field := range s.fields {
		if field.required {
			names = append(names, field.name)
		}
	}
	return names
}

// field finds a field by name.
func (s *shape) field(name string) (shapeField, bool) {
	i, found := slices.BinarySearchFunc(s.fields, name, func(field shapeField, name string) int {
		return cmp.Compare(field.name, name)
	})
	if !found {
		return shapeField{}, false
	}
	return s.fields[i], true
}

// key is the same for two shapes exactly if they are equal.
func (s *shape) key() (string, error) {
	values, err := json.Marshal([]any{s.enum, s.def, s.keys})
	if err != nil {
		return "", fmt.Errorf("enum or default: %w", err)
	}
	var key strings.Builder
	fmt.Fprintf(&key, "%d %s %t %t %d %s", s.kind, s.format, s.nullable, s.open, s.element, values)
	for _, field := range s.fields {
		key.WriteString(" ")
		key.WriteString(strconv.Quote(field.name))
		if field.required {
			key.WriteString("!")
		}
		key.WriteString(strconv.Itoa(field.shape))
	}
	return key.String(), nil
}
