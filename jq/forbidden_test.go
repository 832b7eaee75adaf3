package jq

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/itchyny/gojq"
)

// holes are the syntactic positions that can hold an expression, written %s.
var holes = []string{
	`%s`, `(%s)`, `%s | .`, `. | %s`, `%s, 1`, `1, %s`, `. as $v | %s`, `%s as $v | .`,
	`%s // 1`, `1 // %s`, `%s and true`, `true and %s`, `%s or 1`, `1 or %s`,
	`%s + 1`, `1 + %s`, `%s - 1`, `1 - %s`, `%s * 2`, `2 * %s`, `%s / 2`, `2 / %s`, `%s %% 2`, `2 %% %s`,
	`%s == 1`, `1 == %s`, `%s != 1`, `1 < %s`, `%s >= 1`, `1 <= %s`, `. > %s`,
	`%s.a`, `%s[0]`, `%s[]`, `%s?`, `%s."a"`, `%s[1:2]`, `.a[%s]`, `.[%s]`, `.[%s]?`, `.["a"][%s]`,
	`.[%s:]`, `.[:%s]`, `.[1:%s]`, `.a[%s:2]`, `."a\(%s)"`, `.a."b\(%s)"`, `.a["b\(%s)"]`,
	`[%s]`, `[1, %s]`, `{a: %s}`, `{(%s): 1}`, `{"a": %s}`, `{"a\(%s)": 1}`, `{"a\(%s)"}`, `{a: 1 | %s}`, `{a: [{b: %s}]}`,
	`"a\(%s)b"`, `@base64 "x\(%s)"`, `"\("\(%s)")"`, `-%s`, `+%s`, `- - %s`,
	`if %s then 1 else 2 end`, `if 1 then %s else 2 end`, `if 1 then 2 else %s end`, `if 1 then %s end`,
	`if 1 then 2 elif %s then 3 else 4 end`, `if 1 then 2 elif 3 then %s end`, `if 1 then 2 elif 3 then 4 else %s end`,
	`try %s`, `try %s catch 1`, `try 1 catch %s`, `%s??`,
	`reduce %s as $v (0; .)`, `reduce .a as $v (%s; .)`, `reduce .a as $v (0; %s)`, `reduce .a as {(%s): $v} (0; .)`, `reduce .a as [{"\(%s)": $v}] (0; .)`,
	`foreach %s as $v (0; .)`, `foreach .a as $v (%s; .)`, `foreach .a as $v (0; %s)`, `foreach .a as $v (0; .; %s)`, `foreach .a as {(%s): $v} (0; .)`,
	`label $l | %s`, `label $l | (%s, break $l)`,
	`. as {(%s): $v} | .`, `. as {"a\(%s)": $v} | .`, `. as {a: {(%s): $v}} | .`, `. as [{(%s): $v}] | .`, `. as {$a: {(%s): $v}} | .`,
	`. as {a: $v} ?// {(%s): $v} | .`, `. as {a: $v} ?// [$v] | %s`, `. as [$v] | %s`, `. as {a: $v} | %s`,
	`def f: %s; f`, `def f: %s; 1`, `def f: 1; %s`, `def f(g): %s; 1`, `def f($x): %s; 1`, `def f(g): g; f(%s)`, `def f(g; h): g; f(1; %s)`, `def f: def g: %s; 1; 1`,
	`(def f: %s; 1)`, `. as $x | def f: %s; f`,
	`map(%s)`, `select(%s)`, `first(%s)`, `limit(1; %s)`, `limit(%s; 1)`, `path(%s)`, `any(%s; .)`, `any(.a; %s)`, `sub("a"; %s)`, `error(%s)`, `has(%s)`, `sort_by(%s)`,
	"1 + # comment\n%s", `"#" | %s`, `{a: 1, b: [2, (3 | %s)]} | .b`,
}

// constructs must not occur anywhere. Each is a term, so that it fits every hole.
func constructs() []string {
	list := []string{
		`..`, `(.. | .a)`, `(.a = 1)`, `(.a |= 1)`, `(.a += 1)`, `(.a -= 1)`, `(.a *= 2)`, `(.a /= 2)`, `(.a %= 2)`, `(.a //= 1)`,
		`$ENV`, `$ENV.HOME`, `$__loc__`, `$__prog_args`, `{$ENV}`, `{$__loc__}`,
		`(def r: r; 1)`, `(def r: 1, r; r)`, `(def r(f): r(f); 1)`, `(def r($x): r($x - 1); 1)`, `(def a: def b: a; b; 1)`, `(def a: . as $x | [a?]; 1)`,
		`(def range: 1; 1)`, `(def range($x): 1; 1)`, `(def del(f): f; 1)`, `(def h(range): 1; 1)`, `(def env: 1; 1)`, `(def __made: 1; 1)`, `(def _x: 1; 1)`,
		`(. as $__argument | 1)`, `(. as [$__x] | 1)`, `(. as {$_y} | 1)`, `(def h(_z): 1; 1)`, `(label $__l | 1)`,
		`test(.re)`, `test("a" + "b")`, `test("a"; .flags)`, `test("\(.a)")`, `gsub(.a; "b")`, `test([.a])`, `test("x{500}x{500}x{500}x{500}x{500}")`,
	}
	for _, name := range strings.Fields(`range paths leaf_paths recurse walk repeat until while combinations tostream
		fromstream truncate_stream del delpaths setpath pick input inputs debug stderr input_filename
		input_line_number env builtins modulemeta get_search_list halt halt_error now localtime strflocaltime
		strptime strftime bsearch INDEX JOIN jn yn`) {
		list = append(list, name, name+`(1)`, name+`(.a; 2)`, name+`(1; 2; 3)`, name+`.a`)
	}
	return list
}

// TestForbiddenEverywhere puts every construct into every hole. Each must be
// refused as Forbidden, with the marked place inside the construct.
func TestForbiddenEverywhere(t *testing.T) {
	for _, hole := range holes {
		if _, err := Compile(fmt.Sprintf(hole, "(.a)")); err != nil {
			t.Errorf("hole %q is not valid with a harmless path: %v", hole, err)
		}
		for _, construct := range constructs() {
			expression := fmt.Sprintf(hole, construct)
			_, err := Compile(expression)
			var failure *Error
			if !errors.As(err, &failure) || failure.Kind != Forbidden {
				t.Errorf("%s in %s: %q gives %v, want Forbidden", construct, hole, expression, err)
				continue
			}
			start := strings.Index(expression, construct)
			if failure.Start < start || failure.End > start+len(construct) || failure.Start >= failure.End {
				t.Errorf("%q marks %q, which is not in %s", expression, expression[failure.Start:failure.End], construct)
			}
			if failure.Help == "" {
				t.Errorf("%q gives no reason", expression)
			}
		}
	}
}

// TestModulesForbidden is apart since modules stand only at the beginning.
func TestModulesForbidden(t *testing.T) {
	for _, expression := range []string{`import "a" as a; .`, `include "a"; .`, `module {name: "x"}; .`, `import "a" as $a; $a`} {
		var failure *Error
		if _, err := Compile(expression); !errors.As(err, &failure) || failure.Kind != Forbidden {
			t.Errorf("%q gives %v, want Forbidden", expression, err)
		}
	}
}

// TestInternalNamesUnreachable holds that an expression cannot call the
// functions that charge it, nor the engine's own, nor see their variables.
func TestInternalNamesUnreachable(t *testing.T) {
	names := []string{"__made", "__sum", "__keys(.)", "__sub(1; 2)", "_plus", "_negate", "_match(1; 2; 3)", "_sort_by(.)", "_index(1; 2)", "_assign(.; 1)", "_modify(.; 1)", "_last(.)", "_range(1; 2; 3)", "$__argument", "$re", "__1_f"}
	for _, hole := range holes {
		for _, name := range names {
			expression := fmt.Sprintf(hole, name)
			var failure *Error
			if _, err := Compile(expression); !errors.As(err, &failure) || failure.Kind != Name {
				t.Errorf("%q gives %v, want Name", expression, err)
			}
		}
	}
}

// TestAllowListMatchesEngine holds that what the allow-list promises exists in
// the engine, and that every function of the engine was decided about.
func TestAllowListMatchesEngine(t *testing.T) {
	q, err := gojq.Parse("builtins")
	if err != nil {
		t.Fatal(err)
	}
	result, _ := q.Run(nil).Next()
	existing := map[string]bool{}
	for _, name := range result.([]any) {
		existing[name.(string)] = true
	}
	seen := map[string]bool{}
	for _, f := range functions() {
		key := fmt.Sprintf("%s/%d", f.name, f.arity)
		if !existing[key] {
			t.Errorf("the engine has no %s", key)
		}
		if seen[key] {
			t.Errorf("%s is listed twice", key)
		}
		if _, is := refused(f.name); is {
			t.Errorf("%s is both allowed and refused", key)
		}
		seen[key] = true
	}
	for key := range existing {
		name, _, _ := strings.Cut(key, "/")
		if _, is := refused(name); !seen[key] && !is {
			t.Errorf("%s of the engine is neither allowed nor refused", key)
		}
	}
}
