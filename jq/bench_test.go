package jq

import (
	"fmt"
	"testing"

	"github.com/itchyny/gojq"
)

// benchmarked are expressions of the kinds that definitions contain.
var benchmarked = []struct{ name, expression string }{
	{"plain", ".spec.groups[].name"},
	{"default", ".spec.replicas // 1"},
	{"select", `.status.conditions[] | select(.type == "Ready") | .status`},
	{"arithmetic", "[.spec.groups[] | (.min // 1) + (.max // 0)] | add"},
	{"entries", ".spec.roles | to_entries | map(.key)"},
	{"string", `"\(.spec.name)-\(.status.phase)"`},
}

func BenchmarkCompile(b *testing.B) {
	for _, bench := range benchmarked {
		b.Run(bench.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Compile(bench.expression); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkRun(b *testing.B) {
	in := input(b, readCorpus(b).Inputs[1])
	for _, bench := range benchmarked {
		p := compile(b, bench.expression)
		b.Run(bench.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := p.RunShared(b.Context(), in); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkEngine is the engine alone, without charges: what the sandbox costs.
func BenchmarkEngine(b *testing.B) {
	in := input(b, readCorpus(b).Inputs[1])
	for _, bench := range benchmarked {
		q, err := gojq.Parse(bench.expression)
		if err != nil {
			b.Fatal(err)
		}
		code, err := gojq.Compile(q)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(bench.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				results := code.RunWithContext(b.Context(), in.Value())
				for _, more := results.Next(); more; _, more = results.Next() {
				}
			}
		})
	}
}

func BenchmarkNewInput(b *testing.B) {
	pods := make([]any, 100)
	for i := range pods {
		pods[i] = map[string]any{"name": fmt.Sprint(i), "index": int64(i), "labels": map[string]any{"a": "b"}}
	}
	object := map[string]any{"items": pods}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := NewInput(object); err != nil {
			b.Fatal(err)
		}
	}
}
