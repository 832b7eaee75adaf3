package jq

import (
	"errors"
	"strings"
	"testing"
)

// TestCompileErrors holds what people get for their mistakes. The marked part
// is given with the text; message and help are fragments.
func TestCompileErrors(t *testing.T) {
	for _, test := range []struct {
		expression, marked string
		kind               Kind
		message, help      string
	}{
		{"", "", Syntax, "empty expression", `"."`},
		{"  \n\t", "  \n\t", Syntax, "empty expression", `"."`},
		{".a-b", "b", Name, "b/0", `write .["a-b"]`},
		{".spec.worker-count.x", "count", Name, "count/0", `write .spec["worker-count"]`},
		{".metadata.labels.foo/bar", "bar", Name, "bar/0", `write .metadata.labels["foo/bar"]`},
		{".metadata.labels.ray.io/node-type", "node", Name, "node/0", `write .metadata.labels["ray.io/node-type"]`},
		{"spec.replicas", "spec", Name, "spec/0", "starts with a dot: .spec.replicas"},
		{" items[0]", "items", Name, "items/0", "starts with a dot: .items[0]"},
		{`.a | "abc`, `"`, Syntax, "has no end", "close it"},
		{`"a\(.b`, `"`, Syntax, "", ""},
		{`.a == 'x'`, "'", Syntax, "single quotes", `"`},
		{".a == “x”", "“", Syntax, "typographic", `write "`},
		{"{{ .spec.x }}", "{{", Syntax, "template", "path alone"},
		{".a && .b", "&&", Syntax, "&&", "write and"},
		{".a || .b", "||", Syntax, "||", "write or"},
		{"!.a", "!", Syntax, "!", "not"},
		{".a === 1", "===", Syntax, "===", "write =="},
		{".a !== 1", "!==", Syntax, "!==", "write !="},
		{`.a =~ "x"`, "=~", Syntax, "=~", "test("},
		{".items[*].name", "[*]", Syntax, "JSONPath", "write []"},
		{"$.spec.x", "$", Syntax, "cannot stand here", "drop the $"},
		{".a.0", ".0", Syntax, "cannot stand here", "write [0]"},
		{".a | .[0", "[", Syntax, "no counterpart", ""},
		{"(.a | (.b)", "(", Syntax, "no counterpart", ""},
		{".a |", "", Syntax, "ends too early", ""},
		{".a | | .b", "|", Syntax, `"|" cannot stand here`, ""},
		{".a)", ")", Syntax, `")" cannot stand here`, ""},
		{`"\q"`, `\q`, Syntax, "escape", ""},
		{".a == 1 .b == 2", "==", Syntax, "cannot stand here", ""},
		{"if .a then 1 else if .b then 2 end", "if", Syntax, "", ""},
		{"def f: 1;", "def f: 1;", Syntax, "gives nothing", ""},
		{".a | $x", "$x", Name, "$x is not defined", "as $x"},
		{". as $count | $cuont", "$cuont", Name, "$cuont", "did you mean $count?"},
		{`"$x" | $x`, "$x", Name, "$x", ""},
		{".a | sellect(.b)", "sellect", Name, "sellect/1", "did you mean select?"},
		{`"lenght" | .lenght | lenght`, "lenght", Name, "lenght/0", "did you mean length?"},
		{".a | map", "map", Name, "map/0", "map takes 1 argument"},
		{".a | length(1)", "length", Name, "length/1", "no arguments"},
		{"def total: 1; tottal", "tottal", Name, "tottal/0", "did you mean total?"},
		{"keys_unsorted", "keys_unsorted", Name, "keys_unsorted/0", "use keys"},
		{"break $out", "$out", Name, "label $out", ""},
		{"label $a | break $b", "$b", Name, "label $b", ""},
		{"@base46", "@base46", Name, "@base46", "@base64"},
		{".a | ..", "..", Forbidden, `".." is not allowed`, "path that you mean"},
		{".a = 1", "=", Forbidden, "changes the object", `"=="`},
		{".x == 1 | .a |= 2", "|=", Forbidden, "changes the object", "never change"},
		{"now - .t", "now", Forbidden, "now", "object alone"},
		{"env.HOME", "env", Forbidden, "env", "object alone"},
		{"[.range, {range: 1}, range(3)]", "range", Forbidden, "range", "without end"},
		{"def f: f; 1", "f", Forbidden, "calls itself", "without end"},
		{"def f: 1; def g: f; def f: g | f; 1", "f", Forbidden, "calls itself", ""},
		{`test(.x)`, "test", Forbidden, "computed regular expression", "literals"},
		{`test("(")`, "test", Syntax, "regular expression is not valid", ""},
		{`test("a"; "q")`, "test", Syntax, "not flags", "g, i and m"},
		{strings.Repeat("(", 2040) + ".a" + strings.Repeat(")", 2050), ")", Syntax, "cannot stand here", ""},
		{strings.Repeat(" ", MaxExpressionBytes) + ".", "", Bound, "longer than 4096 bytes", ""},
	} {
		_, err := Compile(test.expression)
		var failure *Error
		if !errors.As(err, &failure) {
			t.Errorf("Compile(%.60q) gives %v, want an *Error", test.expression, err)
			continue
		}
		if failure.Kind != test.kind {
			t.Errorf("%.60q: kind %v, want %v (%v)", test.expression, failure.Kind, test.kind, failure)
		}
		if failure.Kind != Bound && test.expression != "" && test.message != "" {
			if got := test.expression[failure.Start:failure.End]; got != test.marked {
				t.Errorf("%.60q marks %q, want %q", test.expression, got, test.marked)
			}
		}
		if !strings.Contains(failure.Message, test.message) {
			t.Errorf("%.60q says %q, want %q in it", test.expression, failure.Message, test.message)
		}
		if !strings.Contains(failure.Help, test.help) {
			t.Errorf("%.60q helps %q, want %q in it", test.expression, failure.Help, test.help)
		}
	}
}

// TestRightOccurrenceMarked holds that of several equal words the wrong one is marked.
func TestRightOccurrenceMarked(t *testing.T) {
	for expression, want := range map[string]int{
		`.now | {now: 1} | "now" | now`:      strings.LastIndex(`.now | {now: 1} | "now" | now`, "now"),
		"# now\n.a | now":                    strings.LastIndex("# now\n.a | now", "now"),
		`"\(.foo)" | .foo | foo`:             strings.LastIndex(`"\(.foo)" | .foo | foo`, "foo"),
		`def foo(x): x; .foo, foo(1), foo`:   strings.LastIndex(`def foo(x): x; .foo, foo(1), foo`, "foo"),
		`(.a == .b) | .c = (.d == 1)`:        strings.Index(`(.a == .b) | .c = (.d == 1)`, " = ") + 1,
		`. as {foo: $foo} | $foo | foo`:      strings.LastIndex(`. as {foo: $foo} | $foo | foo`, "foo"),
		`"é€😀" | foo`:                        strings.Index(`"é€😀" | foo`, "foo"),
		`. as {$foo} | .foo as $x | $fooo`:   strings.Index(`. as {$foo} | .foo as $x | $fooo`, "$fooo"),
		`"a\("now")" | @json "\(1)" | now`:   strings.LastIndex(`"a\("now")" | @json "\(1)" | now`, "now"),
		`.["range"] | ."range" | .a?//range`: strings.LastIndex(`.["range"] | ."range" | .a?//range`, "range"),
	} {
		var failure *Error
		if _, err := Compile(expression); !errors.As(err, &failure) {
			t.Errorf("Compile(%q) gives %v, want an *Error", expression, err)
			continue
		}
		if failure.Start != want {
			t.Errorf("%q marks offset %d (%q), want %d", expression, failure.Start, expression[failure.Start:failure.End], want)
		}
	}
}

func TestErrorText(t *testing.T) {
	_, err := Compile(".a-b")
	want := `function b/0 is not defined in ".a-b": a field with - or / in its name needs quotes: write .["a-b"]`
	if err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}
