package lint_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/workloadmap/wm/lint"
	"github.com/workloadmap/wm/lint/rules"
	"github.com/workloadmap/wm/source"
)

// lintText checks one named file with all rules.
func lintText(t testing.TB, text string) *lint.Result {
	t.Helper()
	result, err := lint.Run(context.Background(), lint.Options{
		Files: fstest.MapFS{"d.yaml": {Data: []byte(text)}},
		Paths: []string{"d.yaml"},
		Rules: rules.All(),
	})
	if err != nil {
		t.Fatal(err)
	}
	return result
}

func found(result *lint.Result) []string {
	var lines []string
	for _, f := range result.Findings {
		lines = append(lines, f.Rule+" "+f.Message)
	}
	return lines
}

// definitions are documents without any finding, by file name.
func definitions(t testing.TB) map[string]map[string]any {
	t.Helper()
	files, err := filepath.Glob("testdata/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no definitions in testdata: %v", err)
	}
	all := map[string]map[string]any{}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if got := found(lintText(t, string(content))); len(got) > 0 {
			t.Fatalf("%s is not clean: %v", file, got)
		}
		documents, _ := source.Parse(file, content)
		// A copy: the value of a document must not be changed.
		var value map[string]any
		if err := json.Unmarshal([]byte(encode(t, documents[0].Value())), &value); err != nil {
			t.Fatal(err)
		}
		all[file] = value
	}
	return all
}

// place is a value inside a document and a way to change it.
type place struct {
	path string
	old  any
	set  func(any)
	// rename is nil for list items.
	rename func(string)
}

// places lists every value below the header of a document.
func places(value any, path string) []place {
	var all []place
	switch value := value.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(value)) {
			at := path + "." + key
			old := value[key]
			all = append(all, place{
				path: at, old: old,
				set: func(v any) { value[key] = v },
				rename: func(name string) {
					if name == key {
						value[key] = old
						return
					}
					delete(value, key)
					value[name] = old
				},
			})
			all = append(all, places(old, at)...)
		}
	case []any:
		for i, item := range value {
			at := fmt.Sprintf("%s[%d]", path, i)
			all = append(all, place{path: at, old: item, set: func(v any) { value[i] = v }})
			all = append(all, places(item, at)...)
		}
	}
	return all
}

func encode(t testing.TB, value any) string {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// A value of the wrong kind is one mistake, reported once, by the schema rule or,
// where it is a text without quotes, by the rule about these: no other rule takes
// what could not be read for something that is missing.
func TestOneWrongValueIsOneFinding(t *testing.T) {
	for file, definition := range definitions(t) {
		for _, p := range places(definition["spec"], "spec") {
			for _, wrong := range wrongKinds(p.old) {
				p.set(wrong)
				got := found(lintText(t, encode(t, definition)))
				rule := "WM003 "
				if _, text := p.old.(string); text && (wrong == true || wrong == 7) {
					rule = "WM006 "
				}
				if len(got) != 1 || !strings.HasPrefix(got[0], rule) {
					t.Errorf("%s: %s = %s: %q", file, p.path, encode(t, wrong), got)
				}
			}
			p.set(p.old)
		}
	}
}

// wrongKinds gives a value of each JSON kind but that of old.
func wrongKinds(old any) []any {
	all := []any{nil, true, 7, "x", []any{}, map[string]any{}}
	return slices.DeleteFunc(all, func(v any) bool { return fmt.Sprintf("%T", v) == fmt.Sprintf("%T", old) })
}

// A misspelt field is one mistake too: the field that was meant is not reported
// as missing, nor is what depends on it.
func TestOneMisspeltFieldIsOneFinding(t *testing.T) {
	for file, definition := range definitions(t) {
		for _, p := range places(definition["spec"], "spec") {
			if p.rename == nil || strings.Contains(p.path, "matchLabels.") {
				continue
			}
			name := p.path[strings.LastIndexByte(p.path, '.')+1:]
			p.rename(name + "x")
			got := found(lintText(t, encode(t, definition)))
			if want := fmt.Sprintf("WM003 unknown field `%sx`; did you mean `%s`?", name, name); len(got) != 1 || got[0] != want {
				t.Errorf("%s: %s misspelt: %q", file, p.path, got)
			}
			undo(definition, p, name)
		}
	}
}

func undo(definition map[string]any, p place, name string) {
	p.rename(name)
	for _, q := range places(definition, "") {
		if object, ok := q.old.(map[string]any); ok {
			delete(object, name+"x")
		}
	}
}

// Whatever is emptied or left out, the rules answer: no panic, and every finding
// has a place inside the file.
func TestMutationsNeverPanic(t *testing.T) {
	for _, definition := range definitions(t) {
		for _, p := range places(definition, "") {
			for _, value := range []any{nil, "", 0, "x", []any{}, []any{nil}, []any{map[string]any{}}, map[string]any{}, map[string]any{"a": nil}} {
				p.set(value)
				text := encode(t, definition)
				checkRanges(t, text, lintText(t, text))
			}
			p.set(p.old)
		}
	}
}

func checkRanges(t testing.TB, text string, result *lint.Result) {
	t.Helper()
	for _, f := range result.Findings {
		start, end := []int{f.Line, f.Column}, []int{f.EndLine, f.EndColumn}
		first, last := []rune(result.Line("d.yaml", f.Line)), []rune(result.Line("d.yaml", f.EndLine))
		if f.Line < 1 || f.Column < 1 || slices.Compare(start, end) > 0 || f.Column > len(first)+1 || f.EndColumn > len(last)+1 {
			t.Errorf("%s %q is at %v-%v, outside of\n%s", f.Rule, f.Message, start, end, text)
		}
		if f.Message == "" || strings.ContainsAny(f.Rule+f.Name, " \n") || f.Severity == 0 {
			t.Errorf("not a finding: %+v", f)
		}
	}
	if !slices.IsSortedFunc(result.Findings, func(a, b lint.Finding) int {
		return slices.Compare([]int{a.Line, a.Column}, []int{b.Line, b.Column})
	}) {
		t.Errorf("findings are not sorted: %+v", result.Findings)
	}
}

// FuzzLint feeds arbitrary text to the rules, starting from real definitions. Run
// it with -fuzzminimizetime 1x: shortening one input of this size takes minutes.
func FuzzLint(f *testing.F) {
	files, err := filepath.Glob("testdata/*.yaml")
	if err != nil {
		f.Fatal(err)
	}
	catalog, err := filepath.Glob("../catalog/*.yaml")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range append(files, catalog...) {
		content, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(content)
	}
	f.Add([]byte("apiVersion: run.ai/v1alpha1\nkind: Karta\nspec: &a {structureDefinition: {childComponents: [*b]}}"))
	f.Add([]byte("kind: List\nitems:\n- {kind: Karta, apiVersion: run.ai/v1alpha1}\n- &x {kind: kartas, apiVersion: run.ai/v1}\n- *x"))
	all := rules.All()
	f.Fuzz(func(t *testing.T, content []byte) {
		result, _ := lint.Run(context.Background(), lint.Options{
			Files: fstest.MapFS{"d.yaml": {Data: content}}, Paths: []string{"d.yaml"}, Rules: all, Workers: 1,
		})
		checkRanges(t, string(content), result)
	})
}
