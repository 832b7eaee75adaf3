package v1alpha1

import (
	"encoding/json"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"
)

// everyField is a document in which each field of the format occurs.
const everyField = "../../schema/testdata/ok/full.yaml"

func parse(t *testing.T, text string) any {
	t.Helper()
	var value any
	if err := yaml.Unmarshal([]byte(text), &value); err != nil {
		t.Fatal(err)
	}
	return value
}

func readEveryField(t *testing.T) map[string]any {
	t.Helper()
	text, err := os.ReadFile(everyField)
	if err != nil {
		t.Fatal(err)
	}
	return parse(t, string(text)).(map[string]any)
}

func TestDecodeKeepsEveryField(t *testing.T) {
	document := readEveryField(t)
	w, err := Decode(document)
	if err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(w.Spec)
	if err != nil {
		t.Fatal(err)
	}
	// Empty strings and lists are the only things that encoding leaves out.
	if diff := cmp.Diff(prune(document["spec"]), prune(parse(t, string(data)))); diff != "" {
		t.Errorf("spec after decoding (-document +decoded):\n%s", diff)
	}
	if w.Name != "example-com-train-v1" || w.Labels["team"] != "ml" || w.Annotations["note"] != "x" || w.Generation != 3 {
		t.Errorf("metadata: %+v", w.ObjectMeta)
	}
	if len(w.Status.Conditions) != 1 || w.Status.Conditions[0].Type != "Ready" {
		t.Errorf("status: %+v", w.Status)
	}
}

// The document is only worth its name if no field of the types is missing in it.
func TestEveryFieldOccurs(t *testing.T) {
	text, err := os.ReadFile(everyField)
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	eachType(reflect.TypeFor[WorkloadMapSpec](), map[reflect.Type]bool{}, func(s reflect.Type) {
		for i := range s.NumField() {
			seen++
			if name := jsonName(s.Field(i)); !strings.Contains(string(text), name+":") {
				t.Errorf("%s lacks %s of %s", everyField, name, s.Name())
			}
		}
	})
	if seen < 60 {
		t.Errorf("saw only %d fields", seen)
	}
}

// Decode handles these kinds of Go types and no other.
func TestSpecIsMadeOfFewKinds(t *testing.T) {
	eachType(reflect.TypeFor[WorkloadMapSpec](), map[reflect.Type]bool{}, func(s reflect.Type) {
		for i := range s.NumField() {
			f := s.Field(i).Type
			for f.Kind() == reflect.Pointer || f.Kind() == reflect.Slice {
				f = f.Elem()
			}
			if f.Kind() != reflect.Struct && f.Kind() != reflect.String && f != reflect.TypeFor[map[string]string]() {
				t.Errorf("%s.%s is a %s", s.Name(), s.Field(i).Name, f)
			}
		}
	})
}

func TestDecodeMistakes(t *testing.T) {
	const header = "apiVersion: run.ai/v1alpha1\nkind: Karta\n"
	for _, c := range []struct{ name, document, want string }{
		{"list", "- a", "a definition must be an object, not a list"},
		{"empty", "", "a definition must be an object, not null"},
		{"other kind", "apiVersion: apps/v1\nkind: Deployment",
			`not a definition: apiVersion "apps/v1" with kind "Deployment" is none of run.ai/v1alpha1 Karta, optimization.nvidia.com/v1alpha1 ResourceInterface, workloadmap.dev/v1alpha1 WorkloadMap`},
		{"mixed header", "apiVersion: run.ai/v1alpha1\nkind: WorkloadMap",
			`not a definition: apiVersion "run.ai/v1alpha1" with kind "WorkloadMap" is none of run.ai/v1alpha1 Karta, optimization.nvidia.com/v1alpha1 ResourceInterface, workloadmap.dev/v1alpha1 WorkloadMap`},
		{"spec", header + "spec: [a]", "spec: must be an object, not a list"},
		{"every mistake, in order", header + `
spec:
  structureDefinition:
    rootComponent: {name: 3, ownerRef: true}
    childComponents:
    - {name: a}
    - {name: b, scaleDefinition: {replicasPath: 1.5}}
    - null
    additionalChildKinds: {kind: Pod}
metadata: {name: true}
status: x`,
			`spec.structureDefinition.rootComponent.name: must be a string, not the number 3
spec.structureDefinition.rootComponent.ownerRef: must be a string, not the boolean true
spec.structureDefinition.childComponents[1].scaleDefinition.replicasPath: must be a string, not the number 1.5
spec.structureDefinition.childComponents[2]: must be a value, not null
spec.structureDefinition.additionalChildKinds: must be a list, not an object
metadata.name: must be a string, not the boolean true
status: must be an object, not a string`},
		{"label", header + "metadata: {labels: {a.b/c: 1}}", "metadata.labels.a.b/c: must be a string, not the number 1"},
		{"other metadata", header + "metadata: {ownerReferences: [{name: true}]}", "metadata.ownerReferences.name: must be a string, not a boolean"},
		{"time", header + "metadata: {creationTimestamp: yesterday}", `metadata: "yesterday" is not a time such as 2026-01-31T12:00:00Z`},
		{"match label", header + "spec: {structureDefinition: {rootComponent: {podSelector: {componentTypeSelector: {matchLabels: {a: null}}}}}}",
			"spec.structureDefinition.rootComponent.podSelector.componentTypeSelector.matchLabels.a: must be a string, not null"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w, err := Decode(parse(t, c.document))
			if err == nil {
				t.Fatalf("decoded %+v", w)
			}
			if diff := cmp.Diff(c.want, err.Error()); diff != "" {
				t.Errorf("error (-want +got):\n%s", diff)
			}
		})
	}
}

func TestDecodeIsLenientAndExact(t *testing.T) {
	w, err := Decode(parse(t, `
apiVersion: optimization.nvidia.com/v1alpha1
kind: ResourceInterface
extra: 1
spec:
  unknown: {a: [1]}
  structureDefinition:
    rootComponent:
      Name: wrong case
      ownerref: wrong case
      scaleDefinition: null
      statusDefinition: {conditionsDefinition: {path: .c, reasonFieldName: why, messageFieldName: ""}, statusMappings: {}}
    childComponents: []
`))
	if err != nil {
		t.Fatal(err)
	}
	root := w.Spec.StructureDefinition.RootComponent
	if root.Name != "" || root.OwnerRef != nil || root.ScaleDefinition != nil {
		t.Errorf("took a field in the wrong case or a null for a value: %+v", root)
	}
	want := ConditionsDefinition{Path: ".c", TypeFieldName: "type", StatusFieldName: "status", MessageFieldName: "message", ReasonFieldName: "why"}
	if got := *root.StatusDefinition.ConditionsDefinition; got != want {
		t.Errorf("defaults: got %+v, want %+v", got, want)
	}
	if w.APIVersion != "optimization.nvidia.com/v1alpha1" || w.Kind != "ResourceInterface" {
		t.Errorf("header: %+v", w.TypeMeta)
	}
}

func TestDecodeSharesNothing(t *testing.T) {
	document := readEveryField(t)
	w, err := Decode(document)
	if err != nil {
		t.Fatal(err)
	}
	worker := w.Spec.StructureDefinition.ChildComponents[1]
	worker.PodSelector.ComponentTypeSelector.MatchLabels["app"] = "changed"
	again, err := Decode(document)
	if err != nil {
		t.Fatal(err)
	}
	if got := again.Spec.StructureDefinition.ChildComponents[1].PodSelector.ComponentTypeSelector.MatchLabels["app"]; got != "train" {
		t.Errorf("a change of the result changed the document to %q", got)
	}
}

// prune drops what omitempty drops.
func prune(value any) any {
	switch v := value.(type) {
	case map[string]any:
		kept := map[string]any{}
		for name, item := range v {
			if item = prune(item); item != nil && item != "" {
				kept[name] = item
			}
		}
		return kept
	case []any:
		if len(v) == 0 {
			return nil
		}
		kept := make([]any, len(v))
		for i, item := range v {
			kept[i] = prune(item)
		}
		return kept
	default:
		return value
	}
}

func jsonName(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	return name
}

// eachType visits every struct type below t once.
func eachType(t reflect.Type, seen map[reflect.Type]bool, visit func(reflect.Type)) {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct || seen[t] {
		return
	}
	seen[t] = true
	visit(t)
	for i := range t.NumField() {
		eachType(t.Field(i).Type, seen, visit)
	}
}
