package generators

import (
	"go/format"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

const aRule = "package rules\n\nimport \"github.com/workloadmap/wm/lint\"\n\n"

func ruleFolder(files map[string]string) fstest.MapFS {
	folder := fstest.MapFS{}
	for name, content := range files {
		folder[name] = &fstest.MapFile{Data: []byte(content)}
	}
	return folder
}

// The registry in the repository is the one that the files make.
func TestRuleRegistryIsFresh(t *testing.T) {
	want, err := RuleRegistry(os.DirFS("../lint/rules"))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(read(t, "../lint/rules/zz_generated.registry.go"))); diff != "" {
		t.Errorf("the registry is stale, run make generate (-generated +file):\n%s", diff)
	}
}

func TestRuleRegistryIsSortedByID(t *testing.T) {
	got, err := RuleRegistry(ruleFolder(map[string]string{
		"wm201_b.go":        aRule + "func later() lint.Rule { return lint.Rule{} }\nfunc helper(int) lint.Rule { return lint.Rule{} }\n",
		"wm005_a_word.go":   aRule + "func first() lint.Rule { return lint.Rule{} }\n",
		"helpers.go":        aRule + "func other() lint.Rule { return lint.Rule{} }\n",
		"wm005_a_word.md":   "",
		"wm201_b_ignore.md": "",
	}))
	if err != nil {
		t.Fatal(err)
	}
	_, list, _ := strings.Cut(string(got), "return []lint.Rule{")
	if want := "\n\t\tfirst(),\n\t\tlater(),\n\t}\n}\n"; list != want {
		t.Errorf("got %q, want %q", list, want)
	}
}

func TestRuleRegistryRefuses(t *testing.T) {
	one := aRule + "func one() lint.Rule { return lint.Rule{} }\n"
	for want, files := range map[string]map[string]string{
		"wm201_b.go: 0 functions func() lint.Rule, want one":           {"wm201_b.go": aRule},
		"wm201_b.go: 2 functions func() lint.Rule, want one":           {"wm201_b.go": one + "func two() lint.Rule { return lint.Rule{} }\n"},
		"wm201_a.go and wm201_b.go have the same id":                   {"wm201_a.go": one, "wm201_b.go": one},
		"wm21_a.go: a rule's file is named wmNNN_what_it_finds.go":     {"wm21_a.go": one},
		"no rules: files are named wmNNN_what_it_finds.go":             {"a.go": one},
		"read a rule: wm201_b.go:1:1: expected 'package', found 'EOF'": {"wm201_b.go": ""},
	} {
		if _, err := RuleRegistry(ruleFolder(files)); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// A new rule is three files: Go that is formatted, a page, and cases that no
// rule meets before it is written.
func TestNewRule(t *testing.T) {
	folder := ruleFolder(map[string]string{"wm101_taken.go": "", "wm199_gone.md": ""})
	files, err := NewRule(folder, "WM299", "pods-made-up")
	if err != nil {
		t.Fatal(err)
	}
	code := files["wm299_pods_made_up.go"]
	formatted, err := format.Source(code)
	if err != nil || string(formatted) != string(code) {
		t.Errorf("not gofmt's format (%v):\n%s", err, code)
	}
	for name, part := range map[string]string{
		"wm299_pods_made_up.go":      "func podsMadeUp() lint.Rule {",
		"wm299_pods_made_up.md":      "#             ^^^^^^ write the mistake above",
		"testdata/WM299/cases.txtar": "#             ^^^^^^ write the mistake above",
	} {
		if !strings.Contains(string(files[name]), part) || strings.Contains(string(files[name]), "{ID}") {
			t.Errorf("%s is\n%s", name, files[name])
		}
	}
	if len(files) != 3 {
		t.Errorf("%d files", len(files))
	}
	for _, c := range []struct{ id, name, want string }{
		{"WM101", "new", "WM101 is taken by wm101_taken.go: ids are never used again"},
		{"WM199", "new", "WM199 is taken by wm199_gone.md: ids are never used again"},
		{"WM298", "taken", "there is a rule taken already, in wm101_taken.go"},
		{"WM600", "new", `"WM600" is not the id of a rule`},
		{"", "new", `"" is not the id of a rule`},
		{"WM298", "New Rule", `"New Rule" is not the name of a rule`},
	} {
		if _, err := NewRule(folder, c.id, c.name); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s %s: got %v, want %s", c.id, c.name, err, c.want)
		}
	}
}
