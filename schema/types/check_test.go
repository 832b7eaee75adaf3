package types_test

import (
	"encoding/json"
	"os"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/workloadmap/wm/api/v1alpha1"
	"github.com/workloadmap/wm/schema/types"
)

func trainer(t testing.TB) types.Schema {
	t.Helper()
	content, err := os.ReadFile("testdata/trainer.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var definition struct {
		Spec struct {
			Versions []struct {
				Schema struct {
					OpenAPIV3Schema *openAPI `json:"openAPIV3Schema"`
				}
			}
		}
	}
	if err := yaml.Unmarshal(content, &definition); err != nil {
		t.Fatal(err)
	}
	return crd{definition.Spec.Versions[0].Schema.OpenAPIV3Schema, true}
}

func check(t *testing.T, expression string) types.Result {
	t.Helper()
	return types.Check(compile(t, expression).Syntax(), trainer(t))
}

// Each expression has exactly one problem: at these characters, with this
// message.
func TestProblems(t *testing.T) {
	for _, c := range []struct{ expression, at, message string }{
		{`.spec.replica`, `.replica`, "`.spec` has no field `replica`"},
		{`.spec | .mode, .modes`, `.modes`, "`.spec` has no field `modes`"},
		{`.spec["modes"]`, `["modes"]`, "`.spec` has no field `modes`"},
		{`.spec.groups[]?.nam`, `.nam`, "`.spec.groups[]` has no field `nam`"},
		{`[.spec.groups[]? | select(.nam == "a")]`, `.nam`, "`.spec.groups[]` has no field `nam`"},
		{`.spec.groups.name`, `.name`, "`.spec.groups` is a list and has no field `name`"},
		{`.spec.replicas.max`, `.max`, "`.spec.replicas` is a number and has no field `max`"},
		{`.metadata.label["a"]`, `.label`, "`.metadata` has no field `label`"},
		{`.spec as $s | 1 | $s.size, $s.siz`, `.siz`, "`.spec` has no field `siz`"},
		{`.spec as {$size, sise: $x} | $x`, `sise`, "`.spec` has no field `sise`"},
		{`def f: .spec; f | .siz`, `.siz`, "`.spec` has no field `siz`"},
		{`def f(g): g | .siz; f(.spec)`, `.siz`, "`.spec` has no field `siz`"},
		{`.spec.siz?`, `.siz`, "`.spec` has no field `siz`"},
		{`.spec | {mode, modus}`, `modus`, "`.spec` has no field `modus`"},
		{`{a: .spec.mode} | .b`, `.b`, "the object has no field `b`"},
		{`.spec.groups // [] | map(.cont // 0) | add`, `.cont`, "`.spec.groups[]` has no field `cont`"},

		{`.spec.groups[].name`, `[]`, "`.spec.groups` may be absent, and null cannot be iterated over"},
		{`.spec.replicas * 2`, `.spec.replicas`, "`.spec.replicas` may be absent, and null cannot be used with *"},
		{`(.spec.replicas // 1) - .status.ready`, `.status.ready`, "`.status.ready` may be absent, and null cannot be used with -"},
		{`-.spec.replicas`, `-.spec.replicas`, "`.spec.replicas` may be absent, and null cannot be negated"},
		{`.status.phase | ascii_downcase`, `ascii_downcase`, "`.status.phase` may be absent, and null cannot be given to ascii_downcase"},
		{`.spec.groups | map(.name)`, `map`, "`.spec.groups` may be absent, and null cannot be given to map"},
		{`.spec.groups[]? | .count * 2`, `.count`, "`.spec.groups[].count` may be absent, and null cannot be used with *"},
		{`if .spec.paused then .spec.replicas * 2 else 0 end`, `.spec.replicas`, "`.spec.replicas` may be absent, and null cannot be used with *"},

		{`.spec.size[]`, `[]`, "`.spec.size` is a number, which cannot be iterated over"},

		{`1 + "a"`, `+`, "a number and a string cannot be added"},
		{`.spec.mode % 2`, `.spec.mode`, "`.spec.mode` is a string, which cannot be used with %"},

		{`.spec.mode == "elastic"`, `.spec.mode == "elastic"`, "`.spec.mode` is never \"elastic\""},
		{`any(.status.conditions[]?; .status == "true")`, `.status == "true"`, "`.status.conditions[].status` is never \"true\""},
		{`.spec.size == "1"`, `.spec.size == "1"`, "`.spec.size` is a number and never a string"},
		{`.spec.paused == "true"`, `.spec.paused == "true"`, "`.spec.paused` is a boolean and never a string"},
		{`if .status.phase == "Ready" then 1 elif "Redy" == .status.phase then 2 else 3 end`, `"Redy" == .status.phase`, "`.status.phase` is never \"Redy\""},
	} {
		problems := check(t, c.expression).Problems
		if len(problems) != 1 {
			t.Errorf("%s: %d problems: %+v", c.expression, len(problems), problems)
			continue
		}
		p := problems[0]
		if at := c.expression[p.Start:p.End]; at != c.at || p.Message != c.message {
			t.Errorf("%s\n got %q %s\nwant %q %s", c.expression, at, p.Message, c.at, c.message)
		}
	}
}

// None of these can be wrong, or nobody can know that it is.
func TestSilence(t *testing.T) {
	for _, expression := range []string{
		`.spec.labels.anything`, `.spec.labels["a/b"] | split("-")`, `.spec.config.a.b[].c * 2`,
		`.spec.port // 1 | . * 2`, `.spec.port // "1" | tonumber`, `.spec.mode.x?`, `.spec.size * 2`, `.spec.mode | split("a")`,
		`.spec.replicas + 1`, `.spec.groups | length`, `.status.phase == null`,
		`.spec.groups[]?.name`, `.spec.groups // [] | .[].name`, `[.spec.groups[]? | .count // 0] | add`,
		`if .spec.replicas then .spec.replicas * 2 else 0 end`,
		`if .spec.replicas == null then 1 else .spec.replicas * 2 end`,
		`if .spec.replicas | not then 1 else .spec.replicas * 2 end`,
		`if .spec.replicas > 0 then 10 / .spec.replicas else 0 end`,
		`.spec | select(.replicas != null) | .replicas * 2`,
		`.spec.replicas as $r | if $r == null then 0 else $r * 2 end`,
		`.spec.replicas as $r | if $r == null then 0 else .spec.replicas * 2 end`,
		`if .spec | has("replicas") and (.replicas | type) == "number" then .spec.replicas * 2 else 0 end`,
		`if (.spec.groups | length) > 0 then .spec.groups[].name else empty end`,
		`try (.spec.replicas * 2) catch 0`, `(.spec.replicas * 2)? // 0`, `.spec.replicas * 2 // 1`,
		`.spec.groups[]? | select(.count != null) | .count * 2`,
		`.spec.groups | if type == "array" then .[].name else empty end`,
		`[.spec.groups[]? | select(.count) | {name, n: (.count * 2)}] | map(.n) | add`,
		`.spec.labels // {} | to_entries[] | .key, .value`, `.spec.labels // {} | with_entries(.key)`,
		`reduce .spec.groups[]? as $g (0; . + ($g.count // 0))`,
		`.metadata.labels["a"], .metadata.annotations["b"], .metadata.generation`,
		`.spec.template.spec.containers | sort_by(.name) | first | .image`,
		`min_by(.count)`, `.spec.groups // [] | min_by(.count) | .count`,
		`.spec.mode == "Fixed" or .status.phase == "Failed"`,
		`.status.conditions // [] | map(select(.type == "Ready")) | first | .status == "True"`,
	} {
		for _, p := range check(t, expression).Problems {
			t.Errorf("%s: %q: %s", expression, expression[p.Start:p.End], p.Message)
		}
	}
}

// What a condition says narrows what comes after it.
func TestNarrowing(t *testing.T) {
	for expression, want := range map[string]types.Kinds{
		`.spec.replicas`:                                                    types.Number | types.Null,
		`.spec | select(.replicas) | .replicas`:                             types.Number,
		`.spec | select(.replicas | not) | .replicas`:                       types.Null,
		`.spec.replicas | select(. != null)`:                                types.Number,
		`if .spec.replicas == null then 1 else .spec.replicas end`:          types.Number,
		`if .spec.replicas > 0 then .spec.replicas else "" end`:             types.Number | types.String,
		`if 0 < .spec.replicas then .spec.replicas else "" end`:             types.Number | types.String,
		`.spec.replicas as $x | if $x then $x else 0 end`:                   types.Number,
		`.spec | select(.replicas and .paused) | .paused`:                   types.True,
		`if .spec.paused == true then .spec.paused else 0 end`:              types.True | types.Number,
		`.spec.port | select(type == "string")`:                             types.String,
		`.spec | select((.port | type) != "string") | .port`:                types.Number | types.Null,
		`.spec | if .replicas == null or .paused then 0 else .replicas end`: types.Number,
		`.spec.port | strings`:                                              types.String,
		`.spec.paused // 1`:                                                 types.True | types.Number,
	} {
		if got := check(t, expression).Value.Kinds(); got != want {
			t.Errorf("%s: got %s, want %s", expression, got, want)
		}
	}
}

func TestCounts(t *testing.T) {
	for expression, want := range map[string]types.Count{
		`.spec.mode`:                             {Min: 1, Max: 1},
		`.spec.groups[]?`:                        {Max: types.Many},
		`.spec.groups[]? | select(.name == "a")`: {Max: types.Many, Filtered: true},
		`[.spec.groups[]?] | length`:             {Min: 1, Max: 1},
		`first(.spec.groups[]?)`:                 {Max: 1},
		`.spec.mode, .spec.size`:                 {Min: 1, Max: types.Many},
		`empty`:                                  {},
		`if .spec.paused then empty else 1 end`:  {Max: 1},
		`.spec.paused // .spec.mode`:             {Min: 1, Max: 1},
		`.spec | select(.paused) | .mode`:        {Max: 1, Filtered: true},
		`(.spec.groups // [])[] as $g | $g.name`: {Max: types.Many},
		`error("no")`:                            {},
	} {
		if got := check(t, expression).Count; got != want {
			t.Errorf("%s: got %+v, want %+v", expression, got, want)
		}
	}
}

func TestFits(t *testing.T) {
	for _, c := range []struct {
		expression string
		role       v1alpha1.Role
		want       string
	}{
		{`.spec.template`, v1alpha1.RolePodTemplate, ""},
		{`.spec.template.spec`, v1alpha1.RolePodTemplate, "gives an object without `spec`, which is not a pod template"},
		{`.spec.template`, v1alpha1.RolePodSpec, "gives an object without `containers`, which is not a pod spec"},
		{`.spec.template.spec`, v1alpha1.RolePodSpec, ""},
		{`.spec.config`, v1alpha1.RolePodTemplate, ""},
		{`.spec.mode`, v1alpha1.RolePodTemplate, "gives a string where a pod template is needed"},
		{`.spec.paused`, v1alpha1.RoleReplicas, "gives a boolean where a number is needed"},
		{`.spec.port`, v1alpha1.RoleReplicas, ""},
		{`.spec.size`, v1alpha1.RolePhase, "gives a number where a text is needed"},
		{`.status.conditions[]?`, v1alpha1.RoleConditions, "gives an object where a list of conditions is needed"},
		{`.status.conditions`, v1alpha1.RoleConditions, ""},
		{`null`, v1alpha1.RoleReplicas, ""},
		{`.spec.mode`, v1alpha1.RoleFilter, "gives a string where true or false is needed"},
		{`.spec.mode == "Fixed"`, v1alpha1.RoleFilter, ""},
		{`.metadata`, v1alpha1.RoleMetadata, ""},
		{`.spec.groups`, v1alpha1.RoleInstanceID, "gives a list where a text is needed"},
	} {
		misfit, ok := check(t, c.expression).Fits(c.role)
		if misfit.Message != c.want || ok != (c.want == "") {
			t.Errorf("%s as %s: got %q, want %q", c.expression, c.role, misfit.Message, c.want)
		}
	}
}

func TestCanGiveAndTakes(t *testing.T) {
	for _, c := range []struct {
		expression, expected string
		want                 bool
	}{
		{`.spec.mode == "Fixed"`, "true", true},
		{`.spec.mode == "Fixed"`, "True", false},
		{`if .spec.paused then "Paused" else "Running" end`, "Running", true},
		{`if .spec.paused then "Paused" else "Running" end`, "running", false},
		{`.status.phase`, "Ready", true},
		{`.status.phase`, "ready", false},
		{`.status.phase`, "null", true},
		{`.spec.size`, "3", true},
		{`.spec.config.x`, "ready", true},
		{`.spec.mode | ascii_downcase`, "fixed", true},
	} {
		if got := check(t, c.expression).CanGive(c.expected); got != c.want {
			t.Errorf("%s gives %q: got %v", c.expression, c.expected, got)
		}
	}
	for _, c := range []struct {
		expression, value string
		want              bool
	}{
		{`.spec.paused`, `true`, true},
		{`.spec.paused`, `"true"`, false},
		{`.spec.paused`, `null`, true},
		{`.spec.replicas`, `0`, true},
		{`.spec.replicas`, `"0"`, false},
		{`.spec.mode`, `"Fixed"`, true},
		{`.spec.mode`, `"Paused"`, false},
		{`.spec.config.x`, `"x"`, true},
	} {
		var value any
		if err := json.Unmarshal([]byte(c.value), &value); err != nil {
			t.Fatal(err)
		}
		if got := check(t, c.expression).Takes(value); got != c.want {
			t.Errorf("%s takes %s: got %v", c.expression, c.value, got)
		}
	}
}
