package schema

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
)

// Violation is one place where a document is not shaped like a definition.
type Violation struct {
	// Path leads to the value that is wrong: field names as strings, list indexes
	// as ints, counted from 0. For an unknown field it ends in the field; for a
	// missing one it leads to the object that lacks it. Empty is the document.
	Path []any
	// Keyword is the JSON Schema keyword that is not satisfied: "type",
	// "required", "additionalProperties", "enum", "const", "minLength",
	// "minItems", "minProperties", "uniqueItems". A value that JSON does not have
	// is reported as "type".
	Keyword string
	// Message says what is wrong, in the words of the format.
	Message string
	// Help says what to do about it; may be empty.
	Help string
	// Suggestion is the field that an unknown field was probably meant to be;
	// empty when none is near.
	Suggestion string
	// OnKey says that a mark belongs on the key of the path's last segment, not on
	// its value.
	OnKey bool
}

// Validate compares one document with the JSON Schema and returns what is wrong,
// sorted by path, then keyword, then message; nil when nothing is. The document
// is what a YAML or JSON parser yields: maps with string keys, lists, strings,
// booleans, numbers (float64, integers or json.Number) and nil. It is not
// changed. Validate is safe for concurrent use.
func Validate(document any) []Violation {
	violations := foreign(document, nil)
	if len(violations) == 0 {
		failures := check(document)
		for _, f := range failures {
			violations = append(violations, explain(document, f)...)
		}
	}
	violations = withoutHeaderEchoes(violations)
	slices.SortFunc(violations, func(a, b Violation) int {
		return cmp.Or(
			comparePaths(a.Path, b.Path),
			strings.Compare(a.Keyword, b.Keyword),
			strings.Compare(a.Message, b.Message),
		)
	})
	return violations
}

// withoutHeaderEchoes keeps one violation for each header field: the schema checks
// apiVersion as a string, as one of all dialects, and against the kind.
func withoutHeaderEchoes(violations []Violation) []Violation {
	best := map[any]int{}
	for _, v := range violations {
		if len(v.Path) == 1 {
			best[v.Path[0]] = max(best[v.Path[0]], headerRank(v.Keyword))
		}
	}
	var kept []Violation
	for _, v := range violations {
		if rank := headerRank(v.Keyword); rank > 0 && len(v.Path) == 1 && rank < best[v.Path[0]] {
			continue
		}
		kept = append(kept, v)
	}
	return kept
}

// headerRank orders the keywords that can fail together on a header field by how
// much they say; 0 for all others.
func headerRank(keyword string) int {
	return 1 + slices.Index([]string{"enum", "const", "type"}, keyword)
}

// foreign reports Go values that are not JSON. They come from a caller's mistake,
// not an author's, but the engine takes some of them for valid.
func foreign(value any, path []any) []Violation {
	switch v := value.(type) {
	case nil, bool, string, float64, float32, int, int32, int64, uint32, uint64, json.Number:
		return nil
	case map[string]any:
		var found []Violation
		for name, item := range v {
			found = append(found, foreign(item, append(path, name))...)
		}
		return found
	case []any:
		var found []Violation
		for i, item := range v {
			found = append(found, foreign(item, append(path, i))...)
		}
		return found
	default:
		return []Violation{{
			Path:    append([]any{}, path...),
			Keyword: "type",
			Message: "this is not a JSON value",
		}}
	}
}

// comparePaths orders parents before children, list items by index and fields by
// name.
func comparePaths(a, b []any) int {
	return slices.CompareFunc(a, b, func(x, y any) int {
		switch x := x.(type) {
		case int:
			if y, ok := y.(int); ok {
				return x - y
			}
			return -1
		case string:
			if y, ok := y.(string); ok {
				return strings.Compare(x, y)
			}
			return 1
		default:
			return 0
		}
	})
}
