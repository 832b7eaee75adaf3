package lsp

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/workloadmap/wm/schema"
)

// formatField is what the JSON Schema of the format says about one place.
type formatField struct {
	Description string                  `json:"description"`
	Type        string                  `json:"type"`
	Enum        []string                `json:"enum"`
	Required    []string                `json:"required"`
	Properties  map[string]*formatField `json:"properties"`
	Items       *formatField            `json:"items"`
	Ref         string                  `json:"$ref"`
	Defs        map[string]*formatField `json:"$defs"`
}

// theFormat is the schema of a definition.
var theFormat = sync.OnceValue(func() *formatField {
	var root formatField
	if err := json.Unmarshal(schema.JSON(), &root); err != nil {
		// The schema is part of the program, and every test reads it.
		panic(fmt.Errorf("read the JSON Schema of the format: %w", err))
	}
	return &root
})

// fieldAt finds a place of the format; nil when there is none. A definition may
// be an item of a list.
func fieldAt(path []any) *formatField {
	if len(path) >= 2 && path[0] == "items" {
		path = path[2:]
	}
	root := theFormat()
	at := root
	for _, segment := range path {
		if at = root.resolve(at); at == nil {
			return nil
		}
		if name, isKey := segment.(string); isKey {
			at = at.Properties[name]
		} else {
			at = at.Items
		}
	}
	return root.resolve(at)
}

// resolve follows a reference. What stands beside it, the description of the
// field rather than of its type, wins.
func (f *formatField) resolve(at *formatField) *formatField {
	if at == nil || at.Ref == "" {
		return at
	}
	target := f.Defs[strings.TrimPrefix(at.Ref, "#/$defs/")]
	if target == nil {
		return nil
	}
	merged := *target
	if at.Description != "" {
		merged.Description = at.Description
	}
	return &merged
}

// scalar reports whether the place holds a text or another single value.
func (f *formatField) scalar() bool { return f.Type != "object" && f.Type != "array" }

// words says what is written in the place.
func (f *formatField) words() string {
	switch {
	case f.Type == "array" && theFormat().resolve(f.Items) != nil:
		return "list of " + theFormat().resolve(f.Items).words() + "s"
	case len(f.Enum) > 0:
		return f.Type + ": " + strings.Join(f.Enum, ", ")
	default:
		return f.Type
	}
}

// isExpression reports whether the place holds a jq expression.
func isExpression(path []any) bool {
	name := leaf(path)
	return strings.HasSuffix(name, "Path") || strings.HasSuffix(name, "Paths") ||
		name == "path" || name == "expression" || name == "filters"
}

// onPods reports whether an expression at a place reads pods, and not the
// workload's own object.
func onPods(path []any) bool {
	return slices.Contains(path, any("podSelector")) || slices.Contains(path, any("gangScheduling"))
}

// leaf is the last name of a path.
func leaf(path []any) string {
	for _, segment := range slices.Backward(path) {
		if name, isKey := segment.(string); isKey {
			return name
		}
	}
	return ""
}
