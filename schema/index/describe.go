package index

import (
	"fmt"
	"strings"
)

// Description is a type written out for readers. A core type inside it is named
// and not written out.
type Description struct {
	// Path leads from the described type: ".spec.replicas", "" for itself.
	Path     string `json:"path"`
	Kind     string `json:"type"`
	Format   Format `json:"format,omitempty"`
	Required bool   `json:"required,omitempty"`
	Nullable bool   `json:"nullable,omitempty"`
	Enum     []any  `json:"enum,omitempty"`
	Default  any    `json:"default,omitempty"`
	// Open is true for an object that keeps unknown fields.
	Open bool `json:"preserveUnknownFields,omitempty"`
	// Keys identify the elements of a list.
	Keys []string `json:"listMapKeys,omitempty"`
	// Core is the core type that this is, or is written against. Without, With and
	// Changed name the fields that make the difference.
	Core    string   `json:"core,omitempty"`
	Without []string `json:"without,omitempty"`
	With    []string `json:"with,omitempty"`
	Changed []string `json:"changed,omitempty"`

	Fields  []Description `json:"fields,omitempty"`
	Element *Description  `json:"element,omitempty"`
}

// Describe writes a type out. Core types are opened only where the path leads
// right to them.
func Describe(t Type) Description { return describe(t, "", false, true) }

func describe(t Type, path string, required, open bool) Description {
	d := Description{
		Path: path, Kind: t.Kind().String(), Format: t.Format(), Required: required,
		Nullable: t.Nullable(), Enum: t.Enum(), Open: t.Open(), Keys: t.ListKeys(),
	}
	d.Default, _ = t.Default()
	switch t.Kind() {
	case List:
		element := describe(t.Element(), path+"[]", false, open)
		d.Element = &element
	case Map:
		element := describe(t.Element(), path+"{}", false, open)
		d.Element = &element
	case Object:
		d.Core, _ = t.Core()
		if d.Core != "" {
			d.Without, d.With, d.Changed = t.differences()
			if !open {
				return d
			}
		}
		for name, field := range t.Fields() {
			d.Fields = append(d.Fields, describe(field, path+fieldPath(name), t.Required(name), false))
		}
	}
	return d
}

// differences names the fields that an object lacks, adds and has otherwise than
// its core type.
func (t Type) differences() (without, with, changed []string) {
	name, exact := t.Core()
	if exact {
		return nil, nil, nil
	}
	n := t.node
	for n.core != name {
		n = n.base
	}
	core := Type{n}
	for name, field := range t.Fields() {
		other, exists, _ := core.Field(name)
		switch {
		case !exists:
			with = append(with, name)
		case other != field || t.Required(name) != core.Required(name):
			changed = append(changed, name)
		}
	}
	for name := range core.Fields() {
		if _, exists, _ := t.Field(name); !exists {
			without = append(without, name)
		}
	}
	return without, with, changed
}

// Words says in one line what a description says, without what is inside it:
// "list of Container, identified by name, required".
func (d Description) Words() string {
	words := []string{d.typeWords()}
	if len(d.Keys) > 0 {
		words = append(words, "identified by "+strings.Join(d.Keys, " and "))
	}
	if d.Required {
		words = append(words, "required")
	}
	if d.Nullable {
		words = append(words, "nullable")
	}
	if d.Default != nil {
		words = append(words, "default "+string(value(d.Default)))
	}
	if d.Open {
		words = append(words, "keeps unknown fields")
	}
	if len(d.Enum) > 0 {
		values := make([]string, len(d.Enum))
		for i, each := range d.Enum {
			values[i] = string(value(each))
		}
		words = append(words, "one of "+strings.Join(values, " "))
	}
	return strings.Join(words, ", ")
}

func (d Description) typeWords() string {
	switch {
	case d.Element != nil:
		return fmt.Sprintf("%s of %s", d.Kind, d.Element.Words())
	case d.Core != "":
		return d.Core + d.differenceWords()
	case d.Format == Int32 || d.Format == Int64:
		return fmt.Sprintf("%s (%s)", d.Kind, d.Format)
	case d.Format != "":
		return string(d.Format)
	}
	return d.Kind
}

// mostNamed is how many names a line lists before it counts the rest.
const mostNamed = 4

func (d Description) differenceWords() string {
	var parts []string
	for _, part := range []struct {
		word  string
		names []string
	}{{"without", d.Without}, {"with", d.With}, {"other", d.Changed}} {
		if len(part.names) == 0 {
			continue
		}
		shown, rest := part.names, ""
		if len(shown) > mostNamed {
			rest = fmt.Sprintf(" and %d more", len(shown)-mostNamed)
			shown = shown[:mostNamed]
		}
		parts = append(parts, part.word+" "+strings.Join(shown, " ")+rest)
	}
	if parts == nil {
		return ""
	}
	return " (" + strings.Join(parts, "; ") + ")"
}
