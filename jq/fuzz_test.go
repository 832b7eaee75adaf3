package jq

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/itchyny/gojq"
)

// FuzzCompileRun holds for any text that nothing panics, that errors are
// *Error with a place inside the text, that the bounds hold, and that a run
// that ends well gives what the engine alone gives.
func FuzzCompileRun(f *testing.F) {
	c := readCorpus(f)
	for _, expression := range c.Expressions {
		f.Add(expression)
	}
	for _, expression := range []string{`reduce .l[] as $x ("x"; . + .)`, `.s | gsub("x"; "yy")`, `[.,.]|[.,.]|[.,.]|tojson`, `.l | map([.]) | flatten`, `. as $r | [.l[] | $r.l[]]`} {
		f.Add(expression)
	}
	for _, construct := range constructs() {
		f.Add("[" + construct + "]")
	}
	inputs := []Input{hostileInput(f, 20)}
	for _, value := range c.Inputs {
		inputs = append(inputs, input(f, value))
	}
	f.Fuzz(func(t *testing.T, expression string) {
		p, err := Compile(expression)
		if err != nil {
			checkError(t, expression, err)
			return
		}
		for _, in := range inputs {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			start := time.Now()
			results, err := p.Run(t.Context(), in)
			took := time.Since(start)
			runtime.ReadMemStats(&after)
			if took > 3*time.Second*slowdown {
				t.Errorf("%q takes %v", expression, took)
			}
			// The sum of all that was asked for, most of it long gone.
			if asked := after.TotalAlloc - before.TotalAlloc; asked > 512<<20*slowdown {
				t.Errorf("%q asks for %d MiB", expression, asked>>20)
			}
			if len(results) > MaxResults {
				t.Errorf("%q gives %d results", expression, len(results))
			}
			if err != nil {
				checkError(t, expression, err)
				continue
			}
			compareWithEngine(t, expression, in, results)
		}
	})
}

func checkError(t *testing.T, expression string, err error) {
	t.Helper()
	var failure *Error
	if !errors.As(err, &failure) {
		t.Fatalf("%q gives %T: %v", expression, err, err)
	}
	if failure.Kind == 0 || failure.Message == "" || failure.Expression != expression {
		t.Errorf("%q gives an incomplete error: %#v", expression, failure)
	}
	if failure.Start < 0 || failure.Start > failure.End || failure.End > len(expression) {
		t.Errorf("%q: the place [%d:%d] is outside of %d bytes", expression, failure.Start, failure.End, len(expression))
	}
}

func compareWithEngine(t *testing.T, expression string, in Input, got []any) {
	t.Helper()
	q, err := gojq.Parse(expression)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	var want []any
	for iterator := q.RunWithContext(ctx, in.Value()); ; {
		result, ok := iterator.Next()
		if !ok {
			break
		}
		if err, failed := result.(error); failed {
			if ctx.Err() == nil {
				t.Errorf("%q gives results, the engine alone %v", expression, err)
			}
			return
		}
		want = append(want, result)
	}
	if diff := cmp.Diff(asJSON(t, want), asJSON(t, got), compareNumbers); diff != "" {
		t.Errorf("%q differs from the engine (-engine +got):\n%s", expression, diff)
	}
}

// hostileInput is the input for hostile expressions; divisor makes it smaller.
func hostileInput(t testing.TB, divisor int) Input {
	list := make([]any, 1000/divisor)
	for i := range list {
		list[i] = i
	}
	object := map[string]any{}
	for i := range 10_000 / divisor {
		object[fmt.Sprintf("field%d", i)] = i
	}
	return input(t, map[string]any{"l": list, "s": strings.Repeat("x", 1<<20/divisor), "o": object})
}
