package jq

import (
	"encoding/json"
	"errors"
	"math"
	"math/big"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/itchyny/gojq"
)

// corpus is testdata/corpus.json: every expression runs on every input.
type corpus struct {
	Inputs      []any    `json:"inputs"`
	Expressions []string `json:"expressions"`
}

func readCorpus(t testing.TB) corpus {
	t.Helper()
	data, err := os.ReadFile("testdata/corpus.json")
	if err != nil {
		t.Fatal(err)
	}
	decoder := json.NewDecoder(strings.NewReader(string(data)))
	decoder.UseNumber()
	var c corpus
	if err := decoder.Decode(&c); err != nil {
		t.Fatal(err)
	}
	return c
}

func input(t testing.TB, value any) Input {
	t.Helper()
	in, err := NewInput(value)
	if err != nil {
		t.Fatal(err)
	}
	return in
}

// engine runs an expression with the engine alone, as it comes.
func engine(t testing.TB, expression string, in Input) (results []any, failed error) {
	t.Helper()
	q, err := gojq.Parse(expression)
	if err != nil {
		t.Fatalf("parse %q: %v", expression, err)
	}
	iterator := q.Run(in.Value())
	for len(results) <= MaxResults {
		result, ok := iterator.Next()
		if !ok {
			break
		}
		if err, isError := result.(error); isError {
			return nil, err
		}
		results = append(results, result)
	}
	return results, nil
}

// asJSON makes results comparable: what JSON cannot hold becomes a word.
func asJSON(t testing.TB, results []any) []any {
	t.Helper()
	converted := make([]any, len(results))
	for i, result := range results {
		if f, ok := result.(float64); ok && (math.IsNaN(f) || math.IsInf(f, 0)) {
			converted[i] = "not JSON"
			continue
		}
		converted[i] = input(t, result).Value()
	}
	return converted
}

var compareNumbers = cmp.Comparer(func(a, b *big.Int) bool { return a.Cmp(b) == 0 })

// TestSameAsEngine holds that the rewriting, the replaced functions and the
// direct route change no result and no success, on every combination.
func TestSameAsEngine(t *testing.T) {
	c := readCorpus(t)
	compiled := 0
	for _, expression := range c.Expressions {
		p, err := Compile(expression)
		if err != nil {
			var failure *Error
			if !errors.As(err, &failure) {
				t.Errorf("Compile(%q) gives %T, not *Error", expression, err)
			}
			if !isRefusedOnPurpose(expression) {
				t.Errorf("Compile(%q): %v", expression, err)
			}
			continue
		}
		compiled++
		for i, value := range c.Inputs {
			in := input(t, value)
			before := encode(in.Value())
			want, wantErr := engine(t, expression, in)
			got, gotErr := p.Run(t.Context(), in)
			if (gotErr == nil) != (wantErr == nil) {
				t.Errorf("%q on input %d: error %v, the engine's is %v", expression, i, gotErr, wantErr)
				continue
			}
			if wantErr != nil {
				continue
			}
			if diff := cmp.Diff(asJSON(t, want), asJSON(t, got), compareNumbers); diff != "" {
				t.Errorf("%q on input %d differs from the engine (-engine +got):\n%s", expression, i, diff)
			}
			if after := encode(in.Value()); after != before {
				t.Errorf("%q changed input %d", expression, i)
			}
		}
	}
	if compiled < 300 {
		t.Errorf("only %d expressions ran", compiled)
	}
}

// isRefusedOnPurpose lists the expressions of the corpus that are there to be refused.
func isRefusedOnPurpose(expression string) bool {
	for _, refusal := range []string{"..?", "{$__x}?", "|= 1", `{@base64 "x"`, `\(1;2)`, "1e1000"} {
		if strings.Contains(expression, refusal) {
			return true
		}
	}
	return false
}

// TestEngineNeedsNormalInput records the wrong answers that NewInput prevents:
// of the engine alone, int64(3) is not a number at all.
func TestEngineNeedsNormalInput(t *testing.T) {
	object := map[string]any{"replicas": int64(3)}
	for expression, want := range map[string]any{
		".replicas == 3":    true, // the engine alone: false
		".replicas > 2":     true, // the engine alone: false, a number sorts above what it does not know
		".replicas // 1":    3,
		".replicas + 1":     4, // the engine alone: an error
		".replicas | type":  "number",
		"[.replicas] | add": 3,
	} {
		p, err := Compile(expression)
		if err != nil {
			t.Fatal(err)
		}
		got, err := p.Run(t.Context(), input(t, object))
		if err != nil {
			t.Errorf("%s: %v", expression, err)
			continue
		}
		if diff := cmp.Diff([]any{want}, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", expression, diff)
		}
	}
	raw, err := engine(t, ".replicas == 3", Input{value: object})
	if err != nil || len(raw) != 1 || raw[0] != false {
		t.Errorf("the engine now answers %v, %v for int64: NewInput and this comment can be simpler", raw, err)
	}
}

func FuzzPathAgainstGojq(f *testing.F) {
	c := readCorpus(f)
	for _, expression := range c.Expressions {
		f.Add(expression, uint8(1))
	}
	for _, expression := range []string{".[][]", ".a[]?.b", `.[""]`, ".[-2]?", "(.a)[]", ".[].name?", `.spec.groups[1]["name"]`, ".[0][0][0]", ".a | .[]?", ".spec.roles[]?.labels.app // 0.5"} {
		f.Add(expression, uint8(3))
	}
	f.Fuzz(func(t *testing.T, expression string, which uint8) {
		p, err := Compile(expression)
		if err != nil || p.direct == nil {
			return
		}
		in := input(t, c.Inputs[int(which)%len(c.Inputs)])
		want, wantErr := engine(t, expression, in)
		got, gotErr := p.Run(t.Context(), in)
		if len(want) > MaxResults {
			wantErr = errors.New("too many")
		}
		if (gotErr == nil) != (wantErr == nil) {
			t.Fatalf("%q: error %v, the engine's is %v", expression, gotErr, wantErr)
		}
		if wantErr == nil {
			if diff := cmp.Diff(asJSON(t, want), asJSON(t, got), compareNumbers); diff != "" {
				t.Fatalf("%q differs from the engine (-engine +got):\n%s", expression, diff)
			}
		}
	})
}
