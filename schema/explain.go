package schema

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/workloadmap/wm/internal/suggest"
)

// explain turns a failure into violations: one for each missing or unknown
// field, one otherwise.
func explain(document any, f failure) []Violation {
	value, allowed := lookUp(document, f.path), formatRules().at(f.path)
	v := Violation{Path: f.path, Keyword: f.keyword}
	switch f.keyword {
	case "required":
		return missingFields(v, value, allowed)
	case "additionalProperties":
		return unknownFields(v, value, allowed)
	case "uniqueItems":
		return repeatedItems(v, value)
	case "type":
		v.Message = fmt.Sprintf("must be %s, not %s", withArticle(allowed.Type), withArticle(kindOf(value)))
		v.Help = typeHelp(f.path, allowed.Type, value)
	case "enum":
		v.Message = fmt.Sprintf("must be one of %s, not `%v`", quoted(allowed.Enum), value)
		text, _ := value.(string)
		if near, ok := suggest.Nearest(text, allowed.Enum); ok {
			v.Help = fmt.Sprintf("did you mean `%s`?", near)
		}
	case "const":
		kind, needed := neededHeader(document)
		v.Message = fmt.Sprintf("kind `%s` needs apiVersion `%s`, not `%v`", kind, needed, value)
	case "minLength":
		v.Message = "must not be empty"
	case "minItems":
		v.Message = fmt.Sprintf("must have at least %d item", allowed.MinItems)
	case "minProperties":
		v.Message = "must have at least 1 entry"
	default:
		v.Message = fmt.Sprintf("does not satisfy `%s` of the format's JSON Schema", f.keyword)
	}
	return []Violation{v}
}

func missingFields(v Violation, value any, allowed *rules) []Violation {
	fields, _ := value.(map[string]any)
	var found []Violation
	for _, name := range allowed.Required {
		if _, ok := fields[name]; ok {
			continue
		}
		missing := v
		missing.Message = fmt.Sprintf("`%s` is required here", name)
		missing.Help = fmt.Sprintf("add `%s:`", name)
		missing.OnKey = endsInKey(v.Path)
		found = append(found, missing)
	}
	return found
}

// maxSuggestions bounds the spelling guesses in one object: a real one has few
// unknown fields, and a hostile one must not cost a guess for each of millions.
const maxSuggestions = 100

func unknownFields(v Violation, value any, allowed *rules) []Violation {
	fields, _ := value.(map[string]any)
	known := slices.Sorted(maps.Keys(allowed.Properties))
	var found []Violation
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if allowed.Properties[name] != nil {
			continue
		}
		unknown := v
		unknown.Path = slices.Concat(v.Path, []any{name})
		unknown.OnKey = true
		unknown.Message = fmt.Sprintf("unknown field `%s`", name)
		if len(found) < maxSuggestions {
			suggestField(&unknown, name, known)
		}
		found = append(found, unknown)
	}
	return found
}

// suggestField completes the violation for an unknown field with the field that
// was probably meant, or else with where the field belongs.
func suggestField(v *Violation, name string, known []string) {
	places := owners()[name]
	v.Suggestion = knownField(name, known)
	switch {
	case v.Suggestion != "":
		v.Message += fmt.Sprintf("; did you mean `%s`?", v.Suggestion)
	case len(places) > 3:
		v.Help = fmt.Sprintf("`%s` is a field of %s and others", name, quoted(places[:3]))
	case len(places) > 0:
		v.Help = fmt.Sprintf("`%s` is a field of %s", name, quoted(places))
	default:
		v.Help = "the fields here are " + quoted(known)
	}
}

// repeatedItems reports every string that stands earlier in the list already;
// other items are of the wrong type, which is reported anyway.
func repeatedItems(v Violation, value any) []Violation {
	items, _ := value.([]any)
	seen := map[string]bool{}
	var found []Violation
	for i, item := range items {
		text, ok := item.(string)
		if !ok || !seen[text] {
			seen[text] = ok
			continue
		}
		repeated := v
		repeated.Path = slices.Concat(v.Path, []any{i})
		repeated.Message = fmt.Sprintf("`%s` is in the list already", text)
		repeated.Help = "remove the repetition"
		found = append(found, repeated)
	}
	return found
}

// typeHelp knows the usual reasons for a value of the wrong kind.
func typeHelp(path []any, wanted string, value any) string {
	switch value := value.(type) {
	case nil:
		if endsInKey(path) {
			return fmt.Sprintf("give `%v` a value, or remove it", path[len(path)-1])
		}
	case bool:
		if wanted == "string" {
			return fmt.Sprintf("put it in quotes: %q", boolText(path, value))
		}
	case string:
		if wanted == "array" {
			return "put it on a line of its own that starts with `- `"
		}
	case map[string]any:
		if wanted == "array" {
			return "put `- ` before its first field"
		}
	case []any:
		if wanted == "object" {
			return "only one is allowed here: remove the `- `"
		}
	default:
		if wanted == "string" {
			return fmt.Sprintf("put it in quotes: \"%v\"", value)
		}
	}
	return ""
}

// boolText is what the author of a boolean meant to write: Kubernetes conditions
// say "True", expressions yield "true".
func boolText(path []any, value bool) string {
	condition := slices.Contains(path, any("byConditions"))
	switch {
	case condition && value:
		return "True"
	case condition:
		return "False"
	default:
		return fmt.Sprint(value)
	}
}

// neededHeader returns the document's kind and the apiVersion that goes with it.
func neededHeader(document any) (kind, apiVersion string) {
	fields, _ := document.(map[string]any)
	kind, _ = fields["kind"].(string)
	for _, pair := range formatRules().AllOf {
		if pair.If.Properties["kind"].Const == kind {
			return kind, pair.Then.Properties["apiVersion"].Const
		}
	}
	return kind, ""
}

func lookUp(value any, path []any) any {
	for _, segment := range path {
		switch segment := segment.(type) {
		case int:
			value = value.([]any)[segment]
		case string:
			value = value.(map[string]any)[segment]
		}
	}
	return value
}

func endsInKey(path []any) bool {
	if len(path) == 0 {
		return false
	}
	_, ok := path[len(path)-1].(string)
	return ok
}

// kindOf names the JSON type of a value as the schema does.
func kindOf(value any) string {
	switch value.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case string:
		return "string"
	case map[string]any:
		return "object"
	case []any:
		return "array"
	case float64, float32, int, int32, int64, uint32, uint64, json.Number:
		return "number"
	default:
		return "value of another kind"
	}
}

// withArticle says a JSON type in YAML's words.
func withArticle(kind string) string {
	switch kind {
	case "array":
		return "a list"
	case "object":
		return "an object"
	case "null":
		return "null"
	default:
		return "a " + kind
	}
}

func quoted(names []string) string {
	return "`" + strings.Join(names, "`, `") + "`"
}
