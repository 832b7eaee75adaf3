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
// what a rule of its own says better: texts without quotes (WM006), the name of
// the definition (WM007), names of components (WM105) and kinds (WM102, WM116).
func schemaViolation() lint.Rule {
	return lint.Rule{
		ID: "WM003", Name: "schema-violation", Severity: lint.Error,
		Summary: "A field is unknown, missing, or has a value of the wrong kind.",
		Check: func(d *lint.Definition, report lint.Report) {
			for _, v := range d.Violations {
				if ownedByOthers(v) || onlyMisspelt(d, v) || aboutName(v) {
					continue
				}
				if _, taken := ambiguous(d, v); taken {
					continue
				}
				report(violationPlace(d, v), violationMessage(v), v.Help, respelt(d, v)...)
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
	name := fieldName(v.Path)
	switch v.Keyword {
	case "additionalProperties", "required", "const":
		return v.Message
	}
	if name == "" {
		return "a definition " + v.Message
	}
	return "`" + name + "` " + v.Message
}

// fieldName is the last field of a path with the indexes behind it: "members[2]".
func fieldName(path []any) string {
	name := ""
	for _, segment := range path {
		if index, ok := segment.(int); ok {
			name += fmt.Sprintf("[%d]", index)
		} else {
			name = fmt.Sprint(segment)
		}
	}
	return name
}

// respelt gives a misspelt field the only name that is near, unless that name is
// taken, or several fields want it.
func respelt(d *lint.Definition, v schema.Violation) []source.TextEdit {
	// Each is compared with all others, which a hostile file could make billions.
	if v.Suggestion == "" || len(d.Violations) > 1000 {
		return nil
	}
	above := v.Path[:len(v.Path)-1]
	if d.Node(slices.Concat(above, []any{v.Suggestion})).Exists() {
		return nil
	}
	for _, other := range d.Violations {
		if other.Suggestion == v.Suggestion && !slices.Equal(other.Path, v.Path) && slices.Equal(other.Path[:len(other.Path)-1], above) {
			return nil
		}
	}
	for _, repeated := range d.Document.Duplicates() {
		if repeated.Key == fieldName(v.Path) {
			return nil
		}
	}
	return lint.RenameKey(d.Node(v.Path), v.Suggestion)
}
