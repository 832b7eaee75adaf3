package mutation

import (
	"context"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/workloadmap/wm/api/v1alpha1"
	"github.com/workloadmap/wm/jq"
)

// TestNeutral says of the only default of each expression whether it is neutral,
// and proves it: what is not neutral differs on the given object, what is
// neutral differs on none of several.
func TestNeutral(t *testing.T) {
	for _, test := range []struct {
		expression string
		// differs is an object that the default matters for; "" when it is neutral.
		differs string
	}{
		{`(.a // "") == "x"`, ``},
		{`(.a // "") == ""`, `{}`},
		{`"x" != (.a // "")`, ``},
		{`(.a // "y") == "x"`, ``},
		{`(.a // "x") == "x"`, `{}`},
		{`(.a // 0) > 0`, ``},
		{`(.a // 1) > 0`, `{}`},
		{`(.a // 0) >= 0`, `{"a": null}`},
		{`(.a // 0) < 1`, ``},
		{`(.a // 2) < 1`, `{}`},
		{`0 < (.a // 0)`, ``},
		{`0 <= (.a // 0)`, `{}`},
		{`(.a // 0) < .b`, `{"b": 0}`},
		{`(.a // 0) + 1`, ``},
		{`(.a // 1) + 1`, `{}`},
		{`(.a // 0) + .b`, `{}`},
		{`(.a // 0) - 1`, `{}`},
		{`(.a // "") + "x"`, ``},
		{`(.a // 0)`, `{}`},
		{`(.a // "") as $x | if $x == "on" then 1 elif "off" != $x then 2 else 3 end`, ``},
		{`(.a // "") as $x | if $x == "on" then 1 else $x end`, `{}`},
		{`(.a // "") as $x | [$x]`, `{}`},
		{`(.a // "") as $x | (.b | . as $x | $x == "on")`, ``},
		{`[.a // 0, 1] | add`, `never`},
		{`(.a // .b) == "x"`, `{"b": "x"}`},
		{`if (.a // true) then 1 else 2 end`, `{}`},
	} {
		program, err := jq.Compile(test.expression)
		if err != nil {
			t.Fatal(err)
		}
		x := &expression{Expression: v1alpha1.Expression{Text: test.expression}, root: program.Syntax()}
		var given *jq.Node
		each(x.root, func(n *jq.Node) {
			if n.Kind == jq.NodeBinary && n.Name == "//" {
				given = n
			}
		})
		if got := neutral(x, given); got != (test.differs == "") {
			t.Errorf("%s: neutral %v", test.expression, got)
		}
		dropped := test.expression[:given.Start] + strings.TrimSpace(test.expression[given.Start:given.MarkStart]) + test.expression[given.End:]
		if test.differs != "" && test.differs != "never" && reflect.DeepEqual(results(t, test.expression, test.differs), results(t, dropped, test.differs)) {
			t.Errorf("%s: the default does not matter for %s", test.expression, test.differs)
		}
		for _, object := range []string{`{}`, `{"a": null}`, `{"a": null, "b": "on"}`, `{"b": "x"}`} {
			if test.differs == "" && !reflect.DeepEqual(results(t, test.expression, object), results(t, dropped, object)) {
				t.Errorf("%s: the default matters for %s", test.expression, object)
			}
		}
	}
}

// results are those on an object; an error is a result too.
func results(t *testing.T, expression, object string) []any {
	t.Helper()
	var value any
	if err := json.Unmarshal([]byte(object), &value); err != nil {
		t.Fatal(err)
	}
	input, err := jq.NewInput(value)
	if err != nil {
		t.Fatal(err)
	}
	program, err := jq.Compile(expression)
	if err != nil {
		t.Fatal(err)
	}
	found, err := program.Run(context.Background(), input)
	if err != nil {
		return []any{"error"}
	}
	return found
}

// TestNoConditions: no conditions and an empty list of them are the same, but
// only for conditionsDefinition.
func TestNoConditions(t *testing.T) {
	program, err := jq.Compile(".status.conditions // []")
	if err != nil {
		t.Fatal(err)
	}
	x := &expression{Expression: v1alpha1.Expression{Text: program.String(), Role: v1alpha1.RoleConditions}, root: program.Syntax()}
	if !neutral(x, x.root) {
		t.Error("the default of the conditions is not neutral")
	}
	x.Role = v1alpha1.RoleStatusExpression
	if neutral(x, x.root) {
		t.Error("the default of a status expression is neutral")
	}
}
