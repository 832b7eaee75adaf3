package source_test

import (
	"fmt"
	"github.com/workloadmap/wm/source"
	"testing"
)

func TestDbg(t *testing.T) {
	more := []string{"a: [1, 2\nb: 3\n", "a: b: c\n", "a: *x\n", "a:\n\tb: c\n", "a:\n  b: c\n\td: e\n", "a: 'x\nb: c\n", "a: [.m[\"x\"]]\n", "a:\n  b: c\n d: e\n", "a: b\n c: d\n", "- a\nb: c\n", "a: {b: c\n", "a: {b: c]\n", "a: @x\n", "a: |x\n  b\n", "a: \"\\q\"\n", "key\nother: x\n", "a: !<x\n", "a: 'b' c\n", "[a]]\n", "}\n", "a: ]\n", "? a\n? b\nc\n", "a: - b\n", "%FOO\n", "%YAML 3.0\n---\na\n", "- a\n - b\n  - c: d\n", "a: |\n\tx\n", "a: |\n\n    \n  x\n", "日本語: 'x' y\n", "a: *\n", "{a: b}: c\n", "a: !!int x\n", "a: .nan\n", "~: x\n", "a: x\x01\n", "a: \xff\n", "a: \x00", "\xff\xfea", "a: !!binary aGk=\n", "<<: 3\n", "{\"a\": 1, \"b\" 2}", "{\"a\": 1\n", "{\"a\": tru}\n{\"b\": 1}\n", "{\"a\": \"x}\n", "[1, 2", "{\"a\": 1e400}", "a: 1\n---\nb: [\n---\nc: 2\n", "a: {x: 1,, y: 2}\n", "a:\n  - b\n - c\n", "x: &a [*a]\n", "a: \"b\n---\nc\n", "a: b\n\ufeffc: d\n", "status: {phase: .status.x[0].y, z: 1}\n", "a: %x\n", "a: `x`\n", "\"a\n", "a\nb: |\n"}
	for _, s := range append(seeds, more...) {
		ds, es := source.Parse("f.yaml", []byte(s))
		fmt.Printf("=== %q\n", s)
		for _, d := range ds {
			fmt.Printf("  doc %d %#v dup=%v\n", d.Index(), d.Value(), d.Duplicates())
		}
		for _, e := range es {
			fmt.Printf("  ERR %v..%d:%d (%s) [%s]\n", e, e.Range.End.Line, e.Range.End.Column, e.Help, s[e.Range.Start.Offset:e.Range.End.Offset])
		}
	}
}
