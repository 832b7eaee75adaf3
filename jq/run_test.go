package jq

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestResultBound holds that exactly MaxResults results are allowed, on both
// routes, and that one more is an error.
func TestResultBound(t *testing.T) {
	list := make([]any, MaxResults)
	for i := range list {
		list[i] = i
	}
	for _, expression := range []string{".[]", ".[] // 5", ".[] | . + 1", ".[] as $x | $x"} {
		p := compile(t, expression)
		results, err := p.Run(t.Context(), input(t, list))
		if err != nil || len(results) != MaxResults {
			t.Errorf("%q on %d elements gives %d results, %v", expression, MaxResults, len(results), err)
		}
		_, err = p.Run(t.Context(), input(t, append(list, 0)))
		var failure *Error
		if !errors.As(err, &failure) || failure.Kind != Bound || failure.Message != "gives more than 1000 results" {
			t.Errorf("%q on %d elements gives %v", expression, MaxResults+1, err)
		}
	}
}

// TestFirst holds that First does not compute what it does not give.
func TestFirst(t *testing.T) {
	in := input(t, map[string]any{"a": []any{map[string]any{"x": 1}, "no object"}})
	for _, expression := range []string{".a[].x", ".a[] | .x | . + 0", `1, error("x")`} {
		value, ok, err := compile(t, expression).First(t.Context(), in)
		if value != 1 || !ok || err != nil {
			t.Errorf("First of %q is %v, %v, %v", expression, value, ok, err)
		}
	}
	if value, ok, err := compile(t, ".b[]?").First(t.Context(), in); value != nil || ok || err != nil {
		t.Errorf("First of nothing is %v, %v, %v", value, ok, err)
	}
	if _, _, err := compile(t, ".a[1].x").First(t.Context(), in); err == nil {
		t.Error("an error before the first result is lost")
	}
}

func TestRuntimeErrors(t *testing.T) {
	in := input(t, map[string]any{"spec": map[string]any{"name": "trainer", "roles": []any{1}}})
	for expression, want := range map[string]string{
		".spec.name.first":       `expected an object at .spec.name but found string ("trainer")`,
		".spec.roles.x":          `expected an object at .spec.roles but found array ([1])`,
		".spec[0]":               `expected an array at .spec but found object ({"name":"trainer","roles":[1]})`,
		".spec.none[]":           `cannot iterate over null at .spec.none`,
		".spec.name[] // 1":      `cannot iterate over string ("trainer") at .spec.name`,
		".spec.roles[] | .a":     `expected an object at .spec.roles[] but found number (1)`,
		`error("no gang")`:       "no gang",
		`{a: 1} | error`:         `raised {"a":1}`,
		`.spec | [.name] + "x"`:  "cannot add",
		"infinite":               "a number that JSON does not have",
		"[nan]":                  "a number that JSON does not have",
		".spec.roles[[1]]":       "use indices",
		`"a" | sub("a"; {b: 1})`: "a replacement must be a string, not object",
	} {
		_, err := compile(t, expression).Run(t.Context(), in)
		var failure *Error
		if !errors.As(err, &failure) || failure.Kind != Runtime || !strings.Contains(failure.Message, want) {
			t.Errorf("%q gives %v, want %q in it", expression, err, want)
			continue
		}
		if failure.Expression != expression || failure.Start != 0 || failure.End != len(expression) {
			t.Errorf("%q: the error is about %q [%d:%d]", expression, failure.Expression, failure.Start, failure.End)
		}
	}
}

// TestResultsShareNothing changes every result and looks whether the input or
// a later run changes with it.
func TestResultsShareNothing(t *testing.T) {
	for _, expression := range []string{".", ".a", ".a[]", ".a // {}", ".x // .a", "[.a]", "{a}", ".a[0:1]", `{"k": [1, {}]}`, "[1, [2]]", ".a | map(.)", "select(true)", "to_entries", ".n", "first(.a[])"} {
		in := input(t, map[string]any{"a": []any{map[string]any{"b": []any{1}}}, "n": json.Number("123456789012345678901234567890")})
		p := compile(t, expression)
		before := encode(in.Value())
		first, err := p.Run(t.Context(), in)
		if err != nil {
			t.Fatalf("%q: %v", expression, err)
		}
		want := encode(any(first))
		for _, result := range first {
			spoil(result)
		}
		if value, ok, _ := p.First(t.Context(), in); ok {
			spoil(value)
		}
		if after := encode(in.Value()); after != before {
			t.Errorf("%q: changing its results changes the input to %s", expression, after)
		}
		second, err := p.Run(t.Context(), in)
		if err != nil || encode(any(second)) != want {
			t.Errorf("%q: changing its results changes the next run to %s, %v", expression, encode(any(second)), err)
		}
	}
}

func spoil(value any) {
	switch v := value.(type) {
	case map[string]any:
		for _, held := range v {
			spoil(held)
		}
		v["spoilt"] = true
	case []any:
		for i, held := range v {
			spoil(held)
			v[i] = "spoilt"
		}
	}
}

// TestConcurrentRuns runs programs on shared inputs from many goroutines; the
// race detector watches.
func TestConcurrentRuns(t *testing.T) {
	c := readCorpus(t)
	programs := []*Program{}
	for _, expression := range []string{".spec.groups[]?.name", ".a // 1", "[.[]? | tojson]", `[.. ]`, `.spec.text? | gsub("[a-z]"; "x")?`, "reduce .[]? as $x (0; . + 1)", "with_entries(.)?", `{"k": [1]}`, "path(.a?)"} {
		if p, err := Compile(expression); err == nil {
			programs = append(programs, p)
		}
	}
	inputs := []Input{}
	for _, value := range c.Inputs {
		inputs = append(inputs, input(t, value))
	}
	want := map[string]string{}
	outcome := func(p *Program, in Input) string {
		results, err := p.Run(t.Context(), in)
		return fmt.Sprint(encode(any(results)), err)
	}
	for i, in := range inputs {
		for _, p := range programs {
			want[fmt.Sprint(i, p)] = outcome(p, in)
		}
	}
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for i, in := range inputs {
				for _, p := range programs {
					if got := outcome(p, in); got != want[fmt.Sprint(i, p)] {
						t.Errorf("%q on input %d gives %s", p, i, got)
					}
					if _, err := p.Paths(t.Context(), in); err != nil && !errors.As(err, new(*Error)) {
						t.Errorf("%q: %v", p, err)
					}
				}
			}
		})
	}
	group.Wait()
}

func TestContextEndsRun(t *testing.T) {
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	for _, expression := range []string{".a", ".a | length"} {
		_, err := compile(t, expression).Run(cancelled, Input{})
		var failure *Error
		if !errors.As(err, &failure) || failure.Kind != Bound || !errors.Is(err, context.Canceled) {
			t.Errorf("%q with a cancelled context gives %v", expression, err)
		}
	}
}

// TestStepsDoNotDependOnTime holds that a run that is ended is ended at the
// same step every time.
func TestStepsDoNotDependOnTime(t *testing.T) {
	p := compile(t, "[.[] | . + 1] | add")
	list := make([]any, 100)
	for i := range list {
		list[i] = i
	}
	in := input(t, list)
	steps := 0
	for i := range 5 {
		m, err := p.take()
		if err != nil {
			t.Fatal(err)
		}
		p.put(m)
		if _, err := p.Run(t.Context(), in); err != nil {
			t.Fatal(err)
		}
		if i > 0 && m.meter.steps != steps {
			t.Errorf("run %d takes %d steps, the first took %d", i, m.meter.steps, steps)
		}
		steps = m.meter.steps
	}
	if steps < 500 || steps > 5000 {
		t.Errorf("adding 100 numbers takes %d steps", steps)
	}
}

func TestPaths(t *testing.T) {
	in := input(t, map[string]any{"a": []any{map[string]any{"on": true}, map[string]any{}}, "m": map[string]any{"x": 1}})
	for expression, want := range map[string][][]any{
		".":                       {{}},
		".spec.replicas":          {{"spec", "replicas"}},
		".a[].n":                  {{"a", 0, "n"}, {"a", 1, "n"}},
		".a[] | select(.on) | .n": {{"a", 0, "n"}},
		".m[]":                    {{"m", "x"}},
		".none // .m.x":           {{"m", "x"}},
		".m.x # why":              {{"m", "x"}},
		".m.x # why \\":           {{"m", "x"}},
		".b[]?":                   {},
		".a[-1]":                  {{"a", -1}},
	} {
		got, err := compile(t, expression).Paths(t.Context(), in)
		if err != nil {
			t.Errorf("Paths of %q: %v", expression, err)
			continue
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("Paths of %q (-want +got):\n%s", expression, diff)
		}
	}
	for _, expression := range []string{".a | length", ".none // 1", "1", ".a[0:1]", "{a: 1}", ".b[]"} {
		_, err := compile(t, expression).Paths(t.Context(), in)
		var failure *Error
		if !errors.As(err, &failure) || failure.Kind != Runtime || failure.Expression != expression {
			t.Errorf("Paths of %q gives %v", expression, err)
		}
	}
}
