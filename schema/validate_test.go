package schema

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"
)

// Each testdata/bad/NAME.yaml comes with NAME.want: one line per violation,
// "path key|value keyword: message (help)". Everything in testdata/ok is silent.
func TestValidateData(t *testing.T) {
	bad := files(t, "testdata/bad/*.yaml")
	if wants := files(t, "testdata/bad/*.want"); len(wants) != len(bad) {
		t.Fatalf("%d documents but %d .want files", len(bad), len(wants))
	}
	for _, file := range bad {
		t.Run(filepath.Base(file), func(t *testing.T) {
			want := string(read(t, strings.TrimSuffix(file, ".yaml")+".want"))
			if strings.TrimSpace(want) == "" {
				t.Fatal("a bad document must want at least one violation")
			}
			if diff := cmp.Diff(want, text(Validate(parse(t, file)))); diff != "" {
				t.Errorf("violations (-want +got):\n%s", diff)
			}
		})
	}
	for _, file := range files(t, "testdata/ok/*.yaml") {
		t.Run(filepath.Base(file), func(t *testing.T) {
			if got := text(Validate(parse(t, file))); got != "" {
				t.Errorf("must be silent, got:\n%s", got)
			}
		})
	}
}

// The engine reports in random order; a report must not.
func TestValidateIsDeterministic(t *testing.T) {
	document := parse(t, "testdata/bad/wrong-types.yaml")
	want := text(Validate(document))
	for range 50 {
		if got := text(Validate(document)); got != want {
			t.Fatalf("two runs differ:\n%s\n%s", want, got)
		}
	}
}

// Parsers differ in the Go types of numbers; the words must not.
func TestValidateNumbers(t *testing.T) {
	for _, number := range []any{int64(3), float64(3), json.Number("3"), 3, uint64(3)} {
		document := parse(t, "testdata/ok/karta.yaml").(map[string]any)
		document["metadata"].(map[string]any)["name"] = number
		want := "metadata.name value type: must be a string, not a number (put it in quotes: \"3\")\n"
		if got := text(Validate(document)); got != want {
			t.Errorf("%T: got %q, want %q", number, got, want)
		}
	}
}

// Go values that JSON does not have must be an answer, neither a panic nor a
// silent pass.
func TestValidateForeignValues(t *testing.T) {
	for name, document := range map[string]any{
		"a map with other keys": map[any]any{"kind": "Karta"},
		"a time":                map[string]any{"kind": time.Time{}},
		"a list of strings":     map[string]any{"metadata": map[string]any{"finalizers": []string{"a"}}},
	} {
		got := Validate(document)
		if len(got) != 1 || got[0].Message != "this is not a JSON value" {
			t.Errorf("%s: got %v", name, got)
		}
	}
}

// A hostile document costs time in proportion to its size.
func TestValidateManyViolations(t *testing.T) {
	document := parse(t, "testdata/ok/full.yaml").(map[string]any)
	var filters []any
	for i := range 50_000 {
		document[fmt.Sprintf("unknown%d", i)] = true
		filters = append(filters, ".same")
	}
	gangs := document["spec"].(map[string]any)["optimizationInstructions"].(map[string]any)["gangScheduling"].(map[string]any)
	member := gangs["podGroups"].([]any)[0].(map[string]any)["members"].([]any)[0].(map[string]any)
	member["filters"] = filters
	start := time.Now()
	got := Validate(document)
	if want := 50_000 + 49_999; len(got) != want {
		t.Errorf("got %d violations, want %d", len(got), want)
	}
	guesses := 0
	for _, v := range got {
		if v.Keyword == "additionalProperties" && (v.Help != "" || v.Suggestion != "") {
			guesses++
		}
	}
	if guesses != maxSuggestions {
		t.Errorf("guessed at %d unknown fields, want %d", guesses, maxSuggestions)
	}
	if took := time.Since(start); took > 10*time.Second {
		t.Errorf("took %v", took)
	}
}

func TestSuggest(t *testing.T) {
	known := []string{"instanceIdPath", "kind", "name", "ownerRef", "podSelector", "specDefinition"}
	for name, want := range map[string]string{
		"PODSELECTOR":    "podSelector",    // the case alone is wrong, in many letters
		"podSelecter":    "podSelector",    // one letter
		"podSelecotr":    "podSelector",    // two letters swapped
		"ownerName":      "ownerRef",       // a word that people expect
		"ownerReference": "ownerRef",       // the same first word
		"instanceIDs":    "instanceIdPath", // the same first word, farther away
		"lin":            "",               // two edits from kind, but a word of its own
		"template":       "",
		"":               "",
		"pending":        "", // a word for another object
	} {
		if got := knownField(name, known); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}

func TestSuggestionIsForUnknownFieldsOnly(t *testing.T) {
	for _, file := range files(t, "testdata/bad/*.yaml") {
		for _, v := range Validate(parse(t, file)) {
			if v.Suggestion != "" && (v.Keyword != "additionalProperties" || !strings.Contains(v.Message, "`"+v.Suggestion+"`")) {
				t.Errorf("%s: %+v", file, v)
			}
		}
	}
}

func BenchmarkValidate(b *testing.B) {
	for _, file := range []string{"testdata/ok/full.yaml", "testdata/bad/wrong-types.yaml"} {
		document := parse(b, file)
		b.Run(filepath.Base(file), func(b *testing.B) {
			for b.Loop() {
				Validate(document)
			}
		})
	}
}

func BenchmarkCompile(b *testing.B) {
	for b.Loop() {
		if _, err := compile(jsonSchema); err != nil {
			b.Fatal(err)
		}
	}
}

func files(t testing.TB, pattern string) []string {
	t.Helper()
	found, err := filepath.Glob(pattern)
	if err != nil || len(found) == 0 {
		t.Fatalf("no files match %s (%v)", pattern, err)
	}
	return found
}

func read(t testing.TB, file string) []byte {
	t.Helper()
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

func parse(t testing.TB, file string) any {
	t.Helper()
	var document any
	if err := yaml.Unmarshal(read(t, file), &document); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return document
}

func text(violations []Violation) string {
	var out strings.Builder
	for _, v := range violations {
		part := "value"
		if v.OnKey {
			part = "key"
		}
		fmt.Fprintf(&out, "%s %s %s: %s", dotted(v.Path), part, v.Keyword, v.Message)
		if v.Help != "" {
			fmt.Fprintf(&out, " (%s)", v.Help)
		}
		out.WriteByte('\n')
	}
	return out.String()
}

func dotted(path []any) string {
	var out strings.Builder
	for _, segment := range path {
		switch segment := segment.(type) {
		case int:
			fmt.Fprintf(&out, "[%d]", segment)
		case string:
			if out.Len() > 0 {
				out.WriteByte('.')
			}
			out.WriteString(segment)
		}
	}
	if out.Len() == 0 {
		return "."
	}
	return out.String()
}
