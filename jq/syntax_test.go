package jq

import (
	"fmt"
	"strings"
	"testing"
)

// sketch writes a tree as kind:mark(children), so that a case shows both the
// structure and the places.
func sketch(expression string, n *Node) string {
	if n == nil {
		return "-"
	}
	var parts []string
	for _, argument := range n.Args {
		parts = append(parts, sketch(expression, argument))
	}
	for _, entry := range n.Entries {
		parts = append(parts, sketch(expression, entry.Key)+"="+sketch(expression, entry.Value))
	}
	text := expression[n.MarkStart:n.MarkEnd]
	if n.Optional {
		text += "?"
	}
	if len(parts) == 0 {
		return text
	}
	return text + "(" + strings.Join(parts, ", ") + ")"
}

func TestSyntaxPlaces(t *testing.T) {
	for expression, want := range map[string]string{
		`.`:                                   `.`,
		`.a.b`:                                `.b(.a())`,
		`.a["b-c"][0]`:                        `[0](["b-c"](.a()), 0)`,
		`."a"."b"`:                            `."b"(."a"())`,
		`.a.["b"]`:                            `.["b"](.a())`,
		`.[]`:                                 `.[](.)`,
		`.a[]?.b`:                             `.b([]?(.a()))`,
		`.a[]??`:                              `.a[]??([]?(.a()), -)`,
		`.a[1:]`:                              `[1:](.a(), 1, -)`,
		`(.a // 0) * 2`:                       `*(//(.a(), 0), 2)`,
		`.x as {a: $y, $z} | $y`:              `.x as {a: $y, $z} | $y(.x(), $y)`,
		`if .a then 1 elif .b then 2 end`:     `if .a then 1 elif .b then 2 end(.a(), 1, elif .b then 2 end(.b(), 2, -))`,
		`"x\(.a)y\(.b)"`:                      `"x\(.a)y\(.b)"("x\(, .a(), "x\(.a)y\(, .b())`,
		`map(select(.a == "b")) | not`:        `|(map(select(==(.a(), "b"))), not)`,
		`def f(g; $x): g; f(.a; 1)`:           `f(g, f(.a(), 1))`,
		`-(.a) - 1`:                           `-(-(.a)(.a()), 1)`,
		`try .a catch .b`:                     `try .a catch .b(.a(), .b())`,
		`reduce .a[] as [$x, $y] (0; . + $x)`: `reduce .a[] as [$x, $y] (0; . + $x)([](.a()), 0, +(., $x))`,
		`foreach .a[] as $x (0; 1; 2)`:        `foreach .a[] as $x (0; 1; 2)([](.a()), 0, 1, 2)`,
		`label $out | break $out`:             `label $out | break $out(break $out)`,
		`@base64 "a\(.b)"`:                    `@base64 "a\(.b)"(@base64 "a\(, .b())`,
		".a # note\n | [.b, null]":            "|(.a(), [.b, null](,(.b(), null)))",
	} {
		if got := sketch(expression, syntaxOf(expression)); got != want {
			t.Errorf("%s\n got %s\nwant %s", expression, got, want)
		}
	}
	object := `{a: .b, "c": 1, (.k): 2, d}`
	if got, want := sketch(object, syntaxOf(object)), object+`(a=.b(), "c"=1, .k()=2, d=-)`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestSyntaxKnowsPlaces holds that tree and tokens line up for every
// expression that compiles, so that each node has its true place.
func TestSyntaxKnowsPlaces(t *testing.T) {
	checked := 0
	for _, expression := range append(readCorpus(t).Expressions, `.a ?// .b`, `. as [$a] ?// $a | $a`, `{"if": 1, if: 2, and}`, `{a: 1 | 2,}`) {
		program, err := Compile(expression)
		if err != nil {
			continue
		}
		checked++
		root := program.Syntax()
		if root.Start == 0 && root.End == len(expression) && len(root.Args) > 0 && root.Args[0] != nil && root.Args[0].MarkStart == 0 && root.Args[0].MarkEnd == len(expression) {
			t.Errorf("no places for %s", expression)
		}
		holdsPlaces(t, expression, root)
	}
	if checked < 100 {
		t.Errorf("only %d expressions were checked", checked)
	}
}

// holdsPlaces looks for each name at the characters that its node claims.
func holdsPlaces(t *testing.T, expression string, n *Node) {
	t.Helper()
	if n == nil {
		return
	}
	text := expression[n.MarkStart:n.MarkEnd]
	bad := n.Start > n.MarkStart || n.End < n.MarkEnd
	switch n.Kind {
	case NodeField:
		bad = bad || !strings.HasPrefix(text, ".") && !strings.HasPrefix(text, "[")
	case NodeCall, NodeVariable, NodeBinary:
		bad = bad || text != n.Name
	case NodeIterate:
		bad = bad || !strings.HasSuffix(text, "]")
	}
	if bad {
		t.Errorf("%s: %s is placed at %q", expression, fmt.Sprint(n.Kind, n.Name), text)
	}
	for _, argument := range n.Args {
		holdsPlaces(t, expression, argument)
	}
	for _, entry := range n.Entries {
		holdsPlaces(t, expression, entry.Key)
		holdsPlaces(t, expression, entry.Value)
	}
}
