package schema

import (
	"encoding/json"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// An engine that resolves references over files or the network would make the
// result depend on the machine.
func TestCompileRefusesReferences(t *testing.T) {
	secret := t.TempDir() + "/other.json"
	if err := os.WriteFile(secret, []byte(`{"type":"object"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := compile([]byte(`{"$id":"` + schemaURL + `","$ref":"file://` + secret + `"}`))
	if err == nil || !strings.Contains(err.Error(), "must stand alone") {
		t.Errorf("got %v", err)
	}
}

func TestSchemaHasItsAbsoluteID(t *testing.T) {
	var header struct {
		Schema string `json:"$schema"`
		ID     string `json:"$id"`
	}
	if err := json.Unmarshal(JSON(), &header); err != nil {
		t.Fatal(err)
	}
	if header.ID != schemaURL || header.Schema != "https://json-schema.org/draft/2020-12/schema" {
		t.Errorf("got %+v", header)
	}
}

// Each field of the schema is described for editors, refuses what it does not
// know, and stands in the field reference under its own name.
func TestEveryFieldIsDescribed(t *testing.T) {
	reference := string(read(t, "../docs/reference/fields.md"))
	seen := 0
	var walk func(path string, r map[string]any)
	walk = func(path string, r map[string]any) {
		properties, _ := r["properties"].(map[string]any)
		if strings.HasPrefix(path, ".spec") && properties != nil && r["additionalProperties"] != false {
			t.Errorf("%s accepts unknown fields", path)
		}
		for _, name := range slices.Sorted(maps.Keys(properties)) {
			seen++
			field := properties[name].(map[string]any)
			if text, _ := field["description"].(string); len(text) < 10 {
				t.Errorf("%s.%s has no description", path, name)
			}
			if !strings.Contains(reference, "`"+name+"`") {
				t.Errorf("%s.%s is not in docs/reference/fields.md", path, name)
			}
			walk(path+"."+name, field)
		}
		if items, ok := r["items"].(map[string]any); ok {
			walk(path+"[]", items)
		}
	}
	var root map[string]any
	if err := json.Unmarshal(JSON(), &root); err != nil {
		t.Fatal(err)
	}
	walk("", root)
	for name, shared := range root["$defs"].(map[string]any) {
		walk(".spec..."+name, shared.(map[string]any))
	}
	if seen < 70 {
		t.Errorf("walked only %d fields", seen)
	}
}

func TestReferenceLinksResolve(t *testing.T) {
	reference := string(read(t, "../docs/reference/fields.md"))
	anchors := map[string]bool{}
	for line := range strings.Lines(reference) {
		if heading, ok := strings.CutPrefix(line, "## "); ok {
			anchors[strings.NewReplacer(".", "", "[", "", "]", "", "\n", "").Replace(strings.ToLower(heading))] = true
		}
	}
	links := 0
	for _, part := range strings.Split(reference, "](#")[1:] {
		links++
		if target, _, _ := strings.Cut(part, ")"); !anchors[target] {
			t.Errorf("link to #%s leads nowhere", target)
		}
	}
	if links < 30 {
		t.Errorf("found only %d links", links)
	}
}

// What the API server needs to know of the format, from its description and not
// from the types.
func TestCRD(t *testing.T) {
	var crd map[string]any
	if err := yaml.Unmarshal(CRD(), &crd); err != nil {
		t.Fatal(err)
	}
	version := dig(t, crd, "spec", "versions", 0)
	structure := []any{"schema", "openAPIV3Schema", "properties", "spec", "properties", "structureDefinition", "properties"}
	child := append(slices.Clone(structure), "childComponents")
	component := append(slices.Clone(child), "items", "properties")
	gangs := []any{"schema", "openAPIV3Schema", "properties", "spec", "properties", "optimizationInstructions", "properties", "gangScheduling", "properties"}
	for _, c := range []struct {
		at   any
		path []any
		want string
	}{
		{crd, []any{"metadata", "name"}, `"workloadmaps.workloadmap.dev"`},
		{crd, []any{"spec", "scope"}, `"Cluster"`},
		{crd, []any{"spec", "names", "shortNames"}, `["wm"]`},
		{version, []any{"name"}, `"v1alpha1"`},
		{version, []any{"subresources"}, `{"status":{}}`},
		{version, []any{"additionalPrinterColumns", 0, "name"}, `"Framework"`},
		{version, []any{"additionalPrinterColumns", 0, "jsonPath"}, `".spec.structureDefinition.rootComponent.kind.kind"`},
		{version, []any{"additionalPrinterColumns", 1, "name"}, `"Root Component"`},
		{version, []any{"additionalPrinterColumns", 2, "name"}, `"Age"`},
		{version, append(slices.Clone(child), "x-kubernetes-list-map-keys"), `["name"]`},
		{version, append(slices.Clone(structure), "additionalChildKinds", "x-kubernetes-list-map-keys"), `["kind"]`},
		{version, append(slices.Clone(child), "items", "required"), `["name"]`},
		{version, append(slices.Clone(component), "statusDefinition", "required"), `["statusMappings"]`},
		{version, append(slices.Clone(component), "statusDefinition", "properties", "conditionsDefinition", "properties", "reasonFieldName", "default"), `"reason"`},
		{version, append(slices.Clone(component), "podSelector", "properties", "componentTypeSelector", "x-kubernetes-validations", 0, "rule"), `"has(self.keyPath) || has(self.matchLabels)"`},
		{version, append(slices.Clone(component), "podSelector", "properties", "componentTypeSelector", "x-kubernetes-validations", 1, "rule"), `"!has(self.value) || has(self.keyPath)"`},
		{version, append(slices.Clone(component), "suspendDefinition", "properties", "resumeActions", "minItems"), `1`},
		{version, append(slices.Clone(gangs), "podGroups", "items", "required"), `["members","name"]`},
		{version, append(slices.Clone(gangs), "podGroups", "items", "properties", "members", "items", "properties", "filters", "x-kubernetes-list-type"), `"set"`},
	} {
		got, err := json.Marshal(dig(t, c.at, c.path...))
		if err != nil || strings.ReplaceAll(strings.ReplaceAll(string(got), `\u0026`, "&"), `\u003e`, ">") != c.want {
			t.Errorf("%v: got %s, want %s", c.path, got, c.want)
		}
	}
}

func dig(t *testing.T, value any, path ...any) any {
	t.Helper()
	for i, segment := range path {
		var ok bool
		switch segment := segment.(type) {
		case int:
			list, isList := value.([]any)
			if ok = isList && segment < len(list); ok {
				value = list[segment]
			}
		case string:
			fields, _ := value.(map[string]any)
			value, ok = fields[segment]
		}
		if !ok {
			t.Fatalf("%v is not there", path[:i+1])
		}
	}
	return value
}
