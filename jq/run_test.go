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

// TestArrayAsIndexEndsRun holds that refusing this form of search is not an
// error that the expression can swallow.
func TestArrayAsIndexEndsRun(t *testing.T) {
	in := input(t, []any{1, 2, 1})
	for _, expression := range []string{".[[1]]", ".[[1]]?", "try .[[1]] catch 0", "(.[[1]] // 3)?", "getpath([[1]])?", ". as {([1]): $x} ?// $x | 0"} {
		_, err := compile(t, expression).Run(t.Context(), in)
		var failure *Error
		if !errors.As(err, &failure) || failure.Kind != Forbidden {
			t.Errorf("%q gives %v, want Forbidden", expression, err)
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

// costOf runs an expression and gives the meter as the run left it.
func costOf(t *testing.T, expression string, in Input) *meter {
	t.Helper()
	p := compile(t, expression)
	_, _ = p.Run(t.Context(), in)
	m, err := p.take()
	if err != nil {
		t.Fatal(err)
	}
	return m.meter
}

// TestEverythingBuiltIsCharged holds that each way to build a value costs at
// least the memory that 100 such values take.
func TestEverythingBuiltIsCharged(t *testing.T) {
	list := make([]any, 100)
	for i := range list {
		list[i] = "0123456789"
	}
	in := input(t, list)
	idle := costOf(t, "(.[] as $x | .) | empty", in).bytes
	for expression, least := range map[string]int64{
		"([.] + [.[] | []] | transpose) | empty":                      100 * 101 * slotBytes,
		"(.[] | {a: .}) | empty":                                      100 * objectBytes,
		"(.[] | [., .]) | empty":                                      100 * 2 * slotBytes,
		`(.[] | . + .) | empty`:                                       100 * 20,
		`(.[] | "\(.)\(.)") | empty`:                                  100 * 20,
		"(.[] | explode) | empty":                                     100 * 10 * slotBytes,
		`(.[] | split("")) | empty`:                                   100 * 10 * slotBytes,
		"(.[] as $x | to_entries) | empty":                            100 * 100 * objectBytes,
		"(.[] as $x | sort) | empty":                                  100 * 100 * slotBytes,
		"(.[] as $x | map(.)) | empty":                                100 * 100 * slotBytes,
		"(.[] as $x | reverse) | empty":                               100 * 100 * slotBytes,
		"(.[] as $x | . - [$x]) | empty":                              100 * 100 * slotBytes,
		`(.[] as $x | join(",")) | empty`:                             100 * 1000,
		"(.[] | ascii_upcase) | empty":                                100 * 10,
		"(.[] | tojson) | empty":                                      100 * 12,
		"(.[] | @base64) | empty":                                     100 * 16,
		`(.[] * 3) | empty`:                                           100 * 30,
		`(.[] | gsub("0"; "xyz")) | empty`:                            100 * 12,
		`(.[] | match("0")) | empty`:                                  100 * 100,
		"(.[] as $x | .[]) | empty":                                   100 * 100 * slotBytes,
		"(.[] as $x | add) | empty":                                   100 * 1000,
		"(.[] as $x | path(.[0])) | empty":                            100 * slotBytes,
		`({a: 1} as $o | .[] as $x | $o * {b: 1}) | empty`:            100 * objectBytes,
		`(.[] | "[1, 2, 3]" | fromjson) | empty`:                      100 * 3 * slotBytes,
		"(.[] as $x | group_by(.)) | empty":                           100 * 100 * slotBytes,
		`(.[] | {"k": .} | with_entries(.)) | empty`:                  100 * objectBytes,
		"(.[] as $x | flatten) | empty":                               100 * 100 * slotBytes,
		`(.[] | map_values(.)?), (.[] as $x | map_values(.)) | empty`: 100 * 100 * slotBytes,
	} {
		if got := costOf(t, expression, in).bytes - idle; got < least {
			t.Errorf("%q is charged %d bytes, want at least %d", expression, got, least)
		}
	}
}

// TestEverythingReadIsCharged holds that operations that read long strings or
// large trees within one step cost work.
func TestEverythingReadIsCharged(t *testing.T) {
	tree := any("leaf")
	for range 10 {
		tree = []any{tree, tree}
	}
	in := input(t, map[string]any{"s": strings.Repeat("x", 64_000), "t": tree})
	for expression, least := range map[string]int64{
		".s | length":                        1000,
		".s | test(\"y\")":                   64_000,
		".s | ltrimstr(\"x\")":               1000,
		"(.s, 1) | .[-1]?":                   1000,
		".s | .[2:]":                         1000,
		".s | first":                         1000,
		"{} as $o | .s as $s | $o | has($s)": 1000,
		"{}[.s]":                             1000,
		".s == (.s + \"y\")":                 1000,
		".s | contains(\"y\")":               1000,
		".t == [.t]":                         2047,
		".t < [.t, 1]":                       2047,
		".t | tojson":                        2047,
		".t | contains([[1]])":               2047,
		".t | sort":                          2047,
		".t | unique":                        2047,
		".t | min":                           2047,
		".t | flatten":                       2047,
		".t | sort_by(.)":                    2047,
		".t - [[.t]]":                        2047,
		".t | indices([1])":                  2047,
		".t | tostring":                      2047,
		".t | try error catch 1":             2047,
		".t | try error(.) catch 1":          2047,
		".t | IN([1], .)":                    2047,
		"[.t]":                               2047,
		`.t | "\(.)"`:                        2047,
		`{"k\(.t | length)": .t}`:            2047,
	} {
		if got := costOf(t, expression, in).work; got < least {
			t.Errorf("%q is charged %d values, want at least %d", expression, got, least)
		}
	}
}

// TestDepthBound holds that nobody gets a value that is too deep to walk.
func TestDepthBound(t *testing.T) {
	list := make([]any, MaxDepth)
	for expression, bound := range map[string]bool{
		"reduce .[] as $x (1; [.])":              false,
		"reduce .[] as $x (1; {a: .})":           false,
		"reduce .[] as $x ([1]; [.])":            true,
		"reduce .[] as $x ({}; {a: .})":          true,
		"reduce .[] as $x ([1]; [.]) | tojson":   true,
		"[reduce .[] as $x (1; [.])] | . == [.]": true,
		"reduce .[] as $x ([1]; [.]) | flatten":  true,
	} {
		_, err := compile(t, expression).RunShared(t.Context(), input(t, list))
		var failure *Error
		if got := errors.As(err, &failure) && failure.Kind == Bound; got != bound {
			t.Errorf("%q gives %v", expression, err)
		}
	}
}

// TestStoppedRunTakesNoSteps holds that catching the end of the budget does
// not give another million steps.
func TestStoppedRunTakesNoSteps(t *testing.T) {
	list := make([]any, 1000)
	m := costOf(t, `. as $l | try (reduce .[] as $x ("x"; . + .)) catch 0 | [$l[] | $l[]] | length`, input(t, list))
	if m.stopped == nil || m.steps > 2000 {
		t.Errorf("stopped: %v after %d steps", m.stopped, m.steps)
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
