package types_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/workloadmap/wm/api/v1alpha1"
	"github.com/workloadmap/wm/jq"
	"github.com/workloadmap/wm/schema/types"
)

// generator makes objects that a schema allows. Optional fields are left out
// now and then, required ones seldom: old objects lack them.
type generator struct{ *rand.Rand }

func (g generator) value(s types.Schema, depth int) any {
	if s == nil || s.Kinds() == types.AllKinds {
		return g.anything()
	}
	kinds := s.Kinds()
	if kinds&types.Null != 0 && g.IntN(5) == 0 {
		return nil
	}
	switch {
	case kinds&types.Number != 0 && (kinds&types.String == 0 || g.IntN(2) == 0):
		return float64(g.IntN(4))
	case kinds&types.String != 0:
		if texts := s.Enum(); len(texts) > 0 {
			return texts[g.IntN(len(texts))]
		}
		return []string{"", "a", "True", "0-2,4", "Complete", "Available", "7"}[g.IntN(7)]
	case kinds&types.Boolean != 0:
		return g.IntN(2) == 0
	case kinds&types.Array != 0:
		list := []any{}
		for range g.IntN(3) {
			list = append(list, g.value(s.Items(), depth+1))
		}
		return list
	default:
		return g.object(s, depth)
	}
}

func (g generator) object(s types.Schema, depth int) any {
	object := map[string]any{}
	for _, name := range s.FieldNames() {
		field, _ := s.Field(name)
		if depth > 5 && field.Optional || field.Optional && g.IntN(2) == 0 || g.IntN(20) == 0 {
			continue
		}
		object[name] = g.value(field.Schema, depth+1)
	}
	if values := s.Values(); values != nil && depth < 6 {
		for _, name := range []string{"a", "Worker", "master"} {
			if g.IntN(2) == 0 {
				object[name] = g.value(values, depth+1)
			}
		}
	}
	return object
}

func (g generator) anything() any {
	return []any{nil, true, 1.0, "x", []any{"y"}, map[string]any{"name": "z"}}[g.IntN(6)]
}

// What expressions of the catalog give for made objects is among what was
// computed.
func TestSoundOnGeneratedObjects(t *testing.T) {
	results := 0
	for _, e := range entries(t) {
		g := generator{rand.New(rand.NewPCG(1, 2))}
		seen := map[string]bool{}
		for range 200 {
			object, err := jq.NewInput(g.value(e.root, 0))
			if err != nil {
				t.Fatal(err)
			}
			for _, expression := range e.definition.Expressions() {
				if expression.On == v1alpha1.OnRoot {
					seen[expression.Text] = true
				}
			}
			for text := range seen {
				results += sound(t, text, e.root, object)
			}
		}
	}
	t.Logf("%d results were compared", results)
	if results < 1500 {
		t.Errorf("only %d results were compared", results)
	}
}

// Expressions of all kinds, on objects that nothing is known of and on those
// of the trainer.
func TestSoundOnCorpus(t *testing.T) {
	data, err := os.ReadFile("../../jq/testdata/corpus.json")
	if err != nil {
		t.Fatal(err)
	}
	var corpus struct {
		Inputs      []any
		Expressions []string
	}
	if err := json.Unmarshal(data, &corpus); err != nil {
		t.Fatal(err)
	}
	results := 0
	for _, text := range corpus.Expressions {
		if _, err := jq.Compile(text); err != nil {
			continue
		}
		for _, value := range corpus.Inputs {
			input, err := jq.NewInput(value)
			if err != nil {
				t.Fatal(err)
			}
			results += sound(t, text, nil, input)
		}
	}
	t.Logf("%d results were compared", results)
	if results < 500 {
		t.Errorf("only %d results were compared", results)
	}
}

// Functions that are said to fail on null do, and so do those that are said
// to fail on other kinds: one that does not would be a false alarm.
func TestFunctionsFailAsSaid(t *testing.T) {
	samples := map[string]string{"null": "null", "true": "true", "number": "4", "string": `"4"`, "list": `[{"a":1}]`, "object": `{"a":{"a":1}}`}
	calls := []string{"length", "utf8bytelength", "keys", "from_entries", "any", "all", "tostring", "tojson", "type", "tonumber",
		"toboolean", "ascii_downcase", "ascii_upcase", "trim", "ltrim", "rtrim", `startswith("a")`, `endswith("a")`, `test("a")`,
		`split("a")`, `join(",")`, "floor", "ceil", "round", "sqrt", "fabs", "trunc", "sort", "unique", "reverse", "sort_by(.a)",
		"unique_by(.a)", "group_by(.a)", "flatten", "map(.)", "any(.)", "all(.)", "first", "last", "min", "max", "add", "to_entries",
		"not", "-(.)", ".[]", ". * 2", ". - 1", ". / 2", ". % 3", `. + "a"`, ". + 1"}
	input, err := jq.NewInput(nil)
	if err != nil {
		t.Fatal(err)
	}
	said := 0
	for _, call := range calls {
		for kind, sample := range samples {
			text := sample + " | " + call
			program := compile(t, text)
			result := types.Check(program.Syntax(), nil)
			got, err := program.Run(context.Background(), input)
			if len(result.Problems) > 0 {
				said++
				if err == nil {
					t.Errorf("%s of a %s gives %v, but was said to fail: %s", call, kind, got, result.Problems[0].Message)
				}
			}
			for _, value := range got {
				if err == nil && !result.Value.Contains(value) {
					t.Errorf("%s gives %v, computed was %s", text, value, result.Value.Kinds())
				}
			}
		}
	}
	if said < 50 {
		t.Errorf("only %d failures were computed", said)
	}
}

// FuzzCheck looks for expressions whose results are not among what was
// computed, and for those that the checker cannot stand.
func FuzzCheck(f *testing.F) {
	for _, text := range []string{
		`.spec.groups[]? | select(.count > 1) | {name, n: .count} | .n * 2`, `def f($x): $x | .mode; f(.spec), (try error("x") catch .)`,
		`reduce .spec.groups[]? as {name: $n} (""; . + $n)`, `.spec | to_entries | map(.value) | first | type == "string"`,
		`if .status.phase == "Ready" and (.spec.paused | not) then [.spec.size, 1] | max else null end`,
		`label $out | foreach .spec.groups[]? as $g (0; . + 1; if . > 1 then ., break $out else . end)`,
		`.spec.labels | with_entries(.value |= ascii_upcase)`, `[limit(2; .spec.groups[]?)] | .[0:1] | .[-1].name`, `.spec.mode[0:2] + "a" // "b"`,
	} {
		f.Add(text)
	}
	schema := trainer(f)
	g := generator{rand.New(rand.NewPCG(5, 6))}
	var inputs []jq.Input
	for range 20 {
		input, err := jq.NewInput(g.value(schema, 0))
		if err != nil {
			f.Fatal(err)
		}
		inputs = append(inputs, input)
	}
	f.Fuzz(func(t *testing.T, text string) {
		program, err := jq.Compile(text)
		if err != nil {
			return
		}
		for _, p := range types.Check(program.Syntax(), schema).Problems {
			if p.Start < 0 || p.End > len(text) || p.Start > p.End || p.Message == "" {
				t.Errorf("%s: %+v", text, p)
			}
		}
		for _, input := range inputs {
			sound(t, text, schema, input)
		}
	})
}

// Functions of functions make work exponential; the checker gives up instead,
// and says nothing.
func TestGivesUp(t *testing.T) {
	text := "def f0: .spec.no;"
	for i := range 40 {
		text += fmt.Sprintf(" def f%d: f%d, f%d;", i+1, i, i)
	}
	result := types.Check(compile(t, text+" f40").Syntax(), trainer(t))
	if !result.Value.Unknown() || len(result.Problems) > 0 {
		t.Errorf("got %s and %d problems", result.Value.Kinds(), len(result.Problems))
	}
}
