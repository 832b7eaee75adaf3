package generators

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const crdFile = "../schema/workloadmaps.workloadmap.dev.yaml"

func read(t *testing.T, file string) []byte {
	t.Helper()
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// The files in the repository are what the generators make of its CRD, every
// time.
func TestGeneratedFilesAreFresh(t *testing.T) {
	for file, generate := range map[string]func([]byte) ([]byte, error){
		"../schema/workloadmap.schema.json": JSONSchema,
		"../docs/reference/fields.md":       FieldReference,
	} {
		for range 10 {
			got, err := generate(read(t, crdFile))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(read(t, file)), string(got)); diff != "" {
				t.Fatalf("%s is stale, run make generate (-file +generated):\n%s", file, diff)
			}
		}
	}
}

// A keyword that the generator would drop must stop it.
func TestUnknownKeywordsAreRefused(t *testing.T) {
	crd := string(read(t, crdFile))
	for name, c := range map[string]struct{ keyword, want string }{
		"new to the reader":     {"x-kubernetes-new-keyword: 1\n", "unknown field"},
		"known to the CRD only": {"maxLength: 9\n", "does not know yet"},
	} {
		t.Run(name, func(t *testing.T) {
			changed := strings.Replace(crd, "minLength: 1\n", c.keyword, 1)
			if changed == crd {
				t.Fatal("the CRD has no minLength")
			}
			_, err := JSONSchema([]byte(changed))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got error %v", err)
			}
		})
	}
}

func TestNotACRD(t *testing.T) {
	for _, text := range []string{"", "a: [", "spec: {versions: [{}, {}]}", "spec: {versions: [{name: v1}]}"} {
		if _, err := JSONSchema([]byte(text)); err == nil {
			t.Errorf("%q: no error", text)
		}
		if _, err := FieldReference([]byte(text)); err == nil {
			t.Errorf("%q: no error", text)
		}
	}
}

// Sharing must not change what the schema says: objects that only look alike stay
// apart, and each place keeps its own description.
func TestShareRepeated(t *testing.T) {
	leaf := func() *jsonSchema { return &jsonSchema{Type: "string"} }
	object := func(description string, properties map[string]*jsonSchema, required ...string) *jsonSchema {
		return &jsonSchema{Description: description, Type: "object", Properties: properties, Required: required}
	}
	document := object("", map[string]*jsonSchema{
		"spec": object("", map[string]*jsonSchema{
			"first":  object("the first", map[string]*jsonSchema{"in": object("inner", map[string]*jsonSchema{"x": leaf()})}),
			"list":   {Type: "array", Items: object("Pair is one", map[string]*jsonSchema{"in": object("inner", map[string]*jsonSchema{"x": leaf()})})},
			"strict": object("strict", map[string]*jsonSchema{"in": object("inner", map[string]*jsonSchema{"x": leaf()})}, "in"),
		}),
	})
	if err := shareRepeated(document); err != nil {
		t.Fatal(err)
	}
	got, err := json.Marshal(document)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"type":"object","properties":{"spec":{"type":"object","properties":{` +
		`"first":{"description":"the first","$ref":"#/$defs/Pair"},` +
		`"list":{"type":"array","items":{"description":"Pair is one","$ref":"#/$defs/Pair"}},` +
		`"strict":{"description":"strict","type":"object","required":["in"],"properties":{"in":{"description":"inner","$ref":"#/$defs/In"}}}}}},` +
		`"$defs":{"In":{"type":"object","properties":{"x":{"type":"string"}}},` +
		`"Pair":{"type":"object","properties":{"in":{"description":"inner","$ref":"#/$defs/In"}}}}}`
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("shared (-want +got):\n%s", diff)
	}
}

func TestShareRefusesOneNameForTwo(t *testing.T) {
	pair := func(field string) *jsonSchema {
		return &jsonSchema{Properties: map[string]*jsonSchema{"same": {Properties: map[string]*jsonSchema{field: {Type: "string"}}}}}
	}
	document := &jsonSchema{Properties: map[string]*jsonSchema{"spec": {Properties: map[string]*jsonSchema{
		"a": pair("x"), "b": {Properties: map[string]*jsonSchema{"same": pair("x").Properties["same"], "other": {Type: "string"}}},
		"c": pair("y"), "d": {Properties: map[string]*jsonSchema{"same": pair("y").Properties["same"], "more": {Type: "string"}}},
	}}}}
	if err := shareRepeated(document); err == nil || !strings.Contains(err.Error(), "Same") {
		t.Errorf("got %v", err)
	}
}

func TestAnchor(t *testing.T) {
	if got, want := anchor("spec.podGroups[].members"), "specpodgroupsmembers"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestOneLine(t *testing.T) {
	if got, want := oneLine("a\nb  c\n\nd\n"), "a b c\n\nd"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
