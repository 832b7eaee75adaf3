package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/workloadmap/wm/lint"
	"github.com/workloadmap/wm/schema"
	"github.com/workloadmap/wm/source"
)

// schemaViolation reports what the JSON Schema of the format says, except for
// what a rule of its own says better: names of components (WM105) and kinds
// (WM102, WM116).
func schemaViolation() lint.Rule {
	return lint.Rule{
		ID: "WM003", Name: "schema-violation", Severity: lint.Error,
		Summary: "A field is unknown, missing, or has a value of the wrong kind.",
		Check: func(d *lint.Definition, report lint.Report) {
			for _, v := range d.Violations {
				if ownedByOthers(v) || onlyMisspelt(d, v) {
					continue
				}
				report(violationPlace(d, v), violationMessage(v), v.Help)
			}
		},
	}
}

// onlyMisspelt reports whether a required field is missing just because it is
// misspelt, which is reported where it stands.
func onlyMisspelt(d *lint.Definition, v schema.Violation) bool {
	// The schema names the field between backticks.
	_, rest, _ := strings.Cut(v.Message, "`")
	field, _, _ := strings.Cut(rest, "`")
	return v.Keyword == "required" && d.Misspelt(v.Path, field)
}

func ownedByOthers(v schema.Violation) bool {
	missingOrEmpty := v.Keyword == "required" || v.Keyword == "minLength"
	if !missingOrEmpty {
		return false
	}
	object, field := v.Path, ""
	if v.Keyword == "minLength" {
		object, field = v.Path[:len(v.Path)-1], fmt.Sprint(v.Path[len(v.Path)-1])
	}
	switch {
	case isKind(object):
		return true
	case isComponent(object):
		return field == "name" || v.Keyword == "required" && strings.Contains(v.Message, "`name`")
	}
	return false
}

func isComponent(path []any) bool {
	if len(path) < 3 || path[0] != "spec" || path[1] != "structureDefinition" {
		return false
	}
	return len(path) == 3 && path[2] == "rootComponent" || len(path) == 4 && path[2] == "childComponents"
}

// isKind reports whether a path leads to a group, version and kind.
func isKind(path []any) bool {
	if len(path) == 0 {
		return false
	}
	above := path[:len(path)-1]
	if path[len(path)-1] == "kind" {
		return isComponent(above)
	}
	return slices.Equal(above, []any{"spec", "structureDefinition", "additionalChildKinds"})
}

// violationPlace marks the key or the value. An object that lacks a field has no
// place for what is not there: its own key stands for it, or its first field.
func violationPlace(d *lint.Definition, v schema.Violation) source.Range {
	if v.OnKey {
		return d.Key(v.Path)
	}
	return d.Mark(v.Path)
}

// violationMessage names the field where the schema's message does not.
func violationMessage(v schema.Violation) string {
	name := ""
	for _, segment := range v.Path {
		if index, ok := segment.(int); ok {
			name += fmt.Sprintf("[%d]", index)
		} else {
			name = fmt.Sprint(segment)
		}
	}
	switch v.Keyword {
	case "additionalProperties", "required", "const":
		return v.Message
	}
	if name == "" {
		return "a definition " + v.Message
	}
	return "`" + name + "` " + v.Message
}
