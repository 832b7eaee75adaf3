package types_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"

	"github.com/workloadmap/wm/api/v1alpha1"
	"github.com/workloadmap/wm/catalog"
	"github.com/workloadmap/wm/jq"
	"github.com/workloadmap/wm/schema/index"
	"github.com/workloadmap/wm/schema/types"
)

// crdFolder names the environment variable with a folder of CRD files. The
// CRDs of frameworks are not part of this module: without the folder, the
// tests look at the indexes that were made from them.
const crdFolder = "WM_CRDS"

// rootSchemas gives the schemas by "Kind.version.group": the Go types of
// Kubernetes' own kinds, CRD files, and built-in indexes for the rest.
func rootSchemas(t testing.TB) map[string]types.Schema {
	t.Helper()
	schemas := map[string]types.Schema{
		"Deployment.v1.apps": golang{reflect.TypeFor[appsv1.Deployment]()},
		"Job.v1.batch":       golang{reflect.TypeFor[batchv1.Job]()},
	}
	if folder := os.Getenv(crdFolder); folder != "" {
		addCRDs(t, folder, schemas)
	}
	for _, kind := range index.Kinds() {
		key := fmt.Sprintf("%s.%s.%s", kind.Kind, kind.Version, kind.Group)
		if _, taken := schemas[key]; taken {
			continue
		}
		found, err := index.Find(kind)
		if err != nil {
			t.Fatal(err)
		}
		schemas[key] = types.Of(found.Root())
	}
	return schemas
}

func addCRDs(t testing.TB, folder string, schemas map[string]types.Schema) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*.yaml"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no CRDs in %s: %v", folder, err)
	}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var definition struct {
			Spec struct {
				Group    string
				Names    struct{ Kind string }
				Versions []struct {
					Name   string
					Schema struct {
						OpenAPIV3Schema *openAPI `json:"openAPIV3Schema"`
					}
				}
			}
		}
		if err := yaml.Unmarshal(content, &definition); err != nil {
			t.Logf("%s: %v", file, err)
			continue
		}
		for _, version := range definition.Spec.Versions {
			key := fmt.Sprintf("%s.%s.%s", definition.Spec.Names.Kind, version.Name, definition.Spec.Group)
			if _, taken := schemas[key]; !taken && version.Schema.OpenAPIV3Schema != nil {
				schemas[key] = crd{version.Schema.OpenAPIV3Schema, true}
			}
		}
	}
}

// entry is a definition of the catalog whose schema is known.
type entry struct {
	name       string
	definition *v1alpha1.WorkloadMap
	root       types.Schema
}

func (e entry) schemaFor(on v1alpha1.Target) types.Schema {
	if on == v1alpha1.OnPod {
		return golang{reflect.TypeFor[corev1.Pod]()}
	}
	return e.root
}

func entries(t testing.TB) []entry {
	t.Helper()
	schemas := rootSchemas(t)
	var known []entry
	for _, e := range catalog.Entries() {
		definition, err := e.Load()
		if err != nil {
			t.Fatal(err)
		}
		kind := definition.Spec.StructureDefinition.RootComponent.Kind
		root, ok := schemas[fmt.Sprintf("%s.%s.%s", kind.Kind, kind.Version, kind.Group)]
		if !ok {
			continue
		}
		known = append(known, entry{definition.Name, definition, root})
	}
	if len(known) < len(catalog.Entries())*9/10 {
		t.Fatalf("the schemas of only %d definitions are known", len(known))
	}
	return known
}

func compile(t testing.TB, text string) *jq.Program {
	t.Helper()
	program, err := jq.Compile(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return program
}

// Nothing is wrong with the catalog.
func TestNoFalseAlarms(t *testing.T) {
	for _, e := range entries(t) {
		for _, expression := range e.definition.Expressions() {
			result := types.Check(compile(t, expression.Text).Syntax(), e.schemaFor(expression.On))
			for _, p := range result.Problems {
				t.Errorf("%s %s %s: %q: %s", e.name, expression.Component, expression.Field, expression.Text[p.Start:p.End], p.Message)
			}
		}
	}
}

// What an expression gives for the objects of the cases is among what was
// computed from the schema.
func TestSoundOnCases(t *testing.T) {
	results := 0
	for _, e := range entries(t) {
		objects, err := filepath.Glob(filepath.Join("..", "..", "fixtures", e.name, "*", "*.yaml"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range objects {
			if base := filepath.Base(file); base == "case.yaml" || base == "golden.yaml" {
				continue
			}
			content, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, document := range strings.Split(string(content), "\n---\n") {
				results += soundOn(t, e, document)
			}
		}
	}
	t.Logf("%d results were compared", results)
	if results < 500 {
		t.Errorf("only %d results were compared", results)
	}
}

func soundOn(t *testing.T, e entry, document string) int {
	t.Helper()
	data, err := yaml.YAMLToJSON([]byte(document))
	if err != nil {
		return 0
	}
	var object map[string]any
	if err := json.Unmarshal(data, &object); err != nil || object == nil {
		return 0
	}
	on := v1alpha1.OnRoot
	switch object["kind"] {
	case "Pod":
		on = v1alpha1.OnPod
	case e.definition.Spec.StructureDefinition.RootComponent.Kind.Kind:
	default:
		return 0
	}
	input, err := jq.NewInput(object)
	if err != nil {
		t.Fatal(err)
	}
	compared := 0
	for _, expression := range e.definition.Expressions() {
		if expression.On != on {
			continue
		}
		compared += sound(t, expression.Text, e.schemaFor(on), input)
	}
	return compared
}

// sound runs an expression and compares its results with what was computed.
func sound(t *testing.T, text string, schema types.Schema, input jq.Input) int {
	t.Helper()
	program := compile(t, text)
	computed := types.Check(program.Syntax(), schema)
	results, err := program.Run(context.Background(), input)
	if err != nil {
		return 0
	}
	if len(results) < computed.Count.Min || computed.Count.Max < types.Many && len(results) > computed.Count.Max {
		t.Errorf("%s gives %d results, computed was %+v", text, len(results), computed.Count)
	}
	for _, result := range results {
		if !computed.Value.Contains(result) {
			t.Errorf("%s gives %v, computed was %s %v", text, result, computed.Value.Kinds(), computed.Value.Texts())
		}
	}
	return len(results)
}

// Every field of a schema that an expression of the catalog names, misspelt, is
// found at its characters. Of keys of maps nothing is known; fields of objects
// of which the checker lost track have to be few.
func TestFindsMisspeltFields(t *testing.T) {
	mutants, found, open := 0, 0, 0
	for _, e := range entries(t) {
		for _, expression := range e.definition.Expressions() {
			schema := e.schemaFor(expression.On)
			for _, read := range types.Check(compile(t, expression.Text).Syntax(), schema).Reads {
				name := expression.Text[read.Start:read.End]
				if read.Key || strings.HasPrefix(name, "[") {
					continue
				}
				if read.Object == nil || !read.Object.Closed() {
					t.Logf("%s: nothing is known of the object of %s in %s", e.name, name, expression.Text)
					open++
					continue
				}
				mutant := expression.Text[:read.End] + "Zq" + expression.Text[read.End:]
				result := types.Check(compile(t, mutant).Syntax(), schema)
				mutants++
				if problemAt(result.Problems, read.Start, read.End+2) {
					found++
				} else {
					t.Logf("%s: %s", e.name, mutant)
				}
			}
		}
	}
	t.Logf("%d of %d misspelt fields were found, %d are fields of unknown objects", found, mutants, open)
	if found*100 < mutants*99 {
		t.Error("less than 99 % were found")
	}
	if open*100 > (open+mutants)*10 {
		t.Error("of more than 10 % of the objects nothing is known")
	}
}

func problemAt(problems []types.Problem, start, end int) bool {
	for _, p := range problems {
		if p.Kind == types.NoSuchField && p.Start == start && p.End == end {
			return true
		}
	}
	return false
}

func BenchmarkCatalog(b *testing.B) {
	all := entries(b)
	type job struct {
		syntax *jq.Node
		schema types.Schema
	}
	var jobs []job
	for _, e := range all {
		seen := map[string]bool{}
		for _, expression := range e.definition.Expressions() {
			// A definition tests one expression for several phases.
			if seen[expression.Text] {
				continue
			}
			seen[expression.Text] = true
			jobs = append(jobs, job{compile(b, expression.Text).Syntax(), e.schemaFor(expression.On)})
		}
	}
	for b.Loop() {
		for _, j := range jobs {
			types.Check(j.syntax, j.schema)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/float64(len(all)), "µs/definition")
}
