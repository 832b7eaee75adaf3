package types_test

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/workloadmap/wm/schema/types"
)

// writer makes correct expressions: paths of a schema, read as careful authors
// read them.
type writer struct{ *rand.Rand }

// path walks to a value that is no object of named fields, or stops early. The
// last list on the way is in front of the pipe.
func (w writer) path(s types.Schema) (string, types.Schema) {
	path := ""
	for depth := 0; depth < 8; depth++ {
		switch {
		case s == nil || s.Kinds() == types.AllKinds:
			return path + ".anything", nil
		case s.Kinds()&types.Array != 0:
			path += "[]?"
			s = s.Items()
		case s.Values() != nil && len(s.FieldNames()) == 0:
			return path + `["some-key"]`, s.Values()
		case len(s.FieldNames()) == 0:
			return path, s
		default:
			names := s.FieldNames()
			name := names[w.IntN(len(names))]
			field, _ := s.Field(name)
			if isWord(name) {
				path += "." + name
			} else {
				path += "[" + strconv.Quote(name) + "]"
			}
			s = field.Schema
		}
		if w.IntN(8) == 0 {
			break
		}
	}
	return path, s
}

func isWord(name string) bool {
	return strings.Trim(strings.ToLower(name), "abcdefghijklmnopqrstuvwxyz_") == ""
}

func (w writer) expression(s types.Schema) string {
	path, end := w.path(s)
	if !strings.HasPrefix(path, ".") {
		path = "." + path
	}
	forms := []string{"%[1]s", "[%[1]s] | length", "%[1]s // null", "[%[1]s | select(. != null)] | first", "if %[1]s == null then 1 else 2 end"}
	if end == nil {
		return fmt.Sprintf(forms[w.IntN(len(forms))], path)
	}
	switch kinds := end.Kinds(); {
	case kinds == types.Number:
		forms = append(forms, "(%[1]s // 1) * 2", "[%[1]s | . // 0] | add", "%[1]s | select(. != null) | . - 1", "[%[1]s // 0, 3] | min",
			"%[1]s | if . then . * 2 else 0 end", "%[1]s as $x | if $x == null then 0 else $x / 2 end", "%[1]s == 3", "try (%[1]s - 1) catch 0")
	case kinds == types.String && len(end.Enum()) > 0:
		forms = append(forms, "%[1]s == "+strconv.Quote(end.Enum()[0]), "[%[1]s] | any(. == "+strconv.Quote(end.Enum()[0])+")")
	case kinds == types.String:
		forms = append(forms, `%[1]s == "x"`, `(%[1]s // "") | split("-") | first`, `%[1]s | select(. != null) | ascii_downcase`, `any(%[1]s; . == "a" or . == "b")`)
	case kinds == types.Boolean:
		forms = append(forms, "%[1]s == true", "%[1]s | not", "if %[1]s then 1 else 0 end")
	case kinds == types.Number|types.String:
		forms = append(forms, `(%[1]s // 1) | tonumber`, `%[1]s == "1" or %[1]s == 1`)
	case kinds == types.Object:
		forms = append(forms, "%[1]s // {} | keys", `%[1]s | has("a")`, "%[1]s // {} | to_entries | map(.key)")
	case kinds == types.Array:
		forms = append(forms, "%[1]s // [] | length", "[%[1]s[]?] | first", "%[1]s // [] | map(.)")
	}
	return fmt.Sprintf(forms[w.IntN(len(forms))], path)
}

// 200 sets of 20 correct expressions for each schema have no problem.
func TestNothingWrongWithCorrectExpressions(t *testing.T) {
	schemas := map[string]types.Schema{"trainer": trainer(t)}
	for _, e := range entries(t) {
		schemas[e.name] = e.root
		schemas["pod"] = e.schemaFor("pod")
	}
	for name, schema := range schemas {
		w := writer{rand.New(rand.NewPCG(3, 4))}
		for range 200 * 20 {
			text := w.expression(schema)
			for _, p := range types.Check(compile(t, text).Syntax(), schema).Problems {
				t.Errorf("%s: %s: %q: %s", name, text, text[p.Start:p.End], p.Message)
			}
		}
	}
}
