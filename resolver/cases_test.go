package resolver_test

import (
	"context"
	"maps"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/workloadmap/wm/api/v1alpha1"
	"github.com/workloadmap/wm/catalog"
	"github.com/workloadmap/wm/resolver"
)

// The cases below testdata are txtar files that begin with a comment saying
// what the expected values follow from. To keep what matters in sight, some
// files are short forms:
//
//   - catalog: the name of a built-in definition, or components.yaml: a list of
//     components, the root first. The root is an example.dev/v1 Train without
//     status unless it says otherwise, children belong to the root.
//   - gangs.yaml: gangScheduling.
//   - object.yaml: without apiVersion it is the Train ns/t with the UID root.
//   - pods.yaml, between.yaml: lists of objects. name, uid, labels and owners
//     (UIDs, the controller first) stand for the metadata; ready for a running
//     pod and its Ready condition.
type files map[string]any

// forEachCase runs test on every file of a folder.
func forEachCase(t *testing.T, folder string, test func(t *testing.T, held files)) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join("testdata", folder, "*.txtar"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no cases in %s: %v", folder, err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if strings.TrimSpace(string(archive.Comment)) == "" {
				t.Error("the file does not say what it is about")
			}
			held := files{}
			for _, file := range archive.Files {
				held[file.Name] = parseYAML(t, file.Name, file.Data)
			}
			test(t, held)
		})
	}
}

// take removes a file, so that left tells about files that no test reads.
func (f files) take(name string) any {
	value := f[name]
	delete(f, name)
	return value
}

func (f files) nothingLeft(t *testing.T) {
	t.Helper()
	for name := range f {
		t.Errorf("%s is read by no test", name)
	}
}

func (f files) resolver(t *testing.T) *resolver.Resolver {
	t.Helper()
	if name, ok := f.take("catalog").(string); ok {
		return builtin(t, name)
	}
	if definition, ok := f.take("definition.yaml").(map[string]any); ok {
		return compile(t, definition)
	}
	components, _ := f.take("components.yaml").([]any)
	if len(components) == 0 {
		t.Fatal("neither catalog nor definition.yaml nor components.yaml")
	}
	return compile(t, definitionFrom(components, f.take("gangs.yaml")))
}

// definitionFrom completes a list of components to a definition.
func definitionFrom(components []any, gangs any) map[string]any {
	root := maps.Clone(components[0].(map[string]any))
	orElse(root, "kind", map[string]any{"group": "example.dev", "version": "v1", "kind": "Train"})
	orElse(root, "statusDefinition", map[string]any{"statusMappings": map[string]any{}})
	var children []any
	for _, child := range components[1:] {
		child := maps.Clone(child.(map[string]any))
		orElse(child, "ownerRef", root["name"])
		children = append(children, child)
	}
	spec := map[string]any{"structureDefinition": map[string]any{"rootComponent": root, "childComponents": children}}
	if gangs != nil {
		spec["optimizationInstructions"] = map[string]any{"gangScheduling": gangs}
	}
	return map[string]any{
		"apiVersion": "workloadmap.dev/v1alpha1", "kind": "WorkloadMap", "metadata": map[string]any{"name": "test"}, "spec": spec,
	}
}

func orElse(object map[string]any, field string, value any) {
	if object[field] == nil {
		object[field] = value
	}
}

func builtin(t testing.TB, name string) *resolver.Resolver {
	t.Helper()
	entry, err := catalog.Find(name)
	if err != nil {
		t.Fatal(err)
	}
	definition, err := entry.Load()
	if err != nil {
		t.Fatal(err)
	}
	compiled, err := resolver.Compile(definition, resolver.WithOrigin(catalog.Origin))
	if err != nil {
		t.Fatal(err)
	}
	return compiled
}

// object is the root object of a case.
func (f files) object(name string) map[string]any {
	object, ok := f.take(name).(map[string]any)
	if !ok {
		object = map[string]any{}
	}
	return withHeader(object)
}

func withHeader(object map[string]any) map[string]any {
	if object["apiVersion"] == nil {
		object["apiVersion"], object["kind"] = "example.dev/v1", "Train"
	}
	orElse(object, "metadata", map[string]any{"name": "t", "namespace": "ns", "uid": "root"})
	return object
}

// pods are the options that hand the pods of a case to Resolve; none without pods.yaml.
func (f files) pods() []resolver.ResolveOption {
	value, given := f["pods.yaml"]
	delete(f, "pods.yaml")
	between := objects(f.take("between.yaml"))
	if !given {
		return nil
	}
	return []resolver.ResolveOption{resolver.WithPods(objects(value), between...)}
}

func objects(value any) []map[string]any {
	entries, _ := value.([]any)
	all := make([]map[string]any, len(entries))
	for i, entry := range entries {
		all[i] = written(entry.(map[string]any))
	}
	return all
}

// written expands the short form of an object.
func written(object map[string]any) map[string]any {
	object = maps.Clone(object)
	orElse(object, "apiVersion", "v1")
	orElse(object, "kind", "Pod")
	metadata, _ := object["metadata"].(map[string]any)
	if metadata == nil {
		metadata = map[string]any{}
		object["metadata"] = metadata
	}
	for _, field := range []string{"name", "uid", "labels"} {
		if object[field] != nil {
			metadata[field] = object[field]
			delete(object, field)
		}
	}
	if owners, ok := object["owners"].([]any); ok {
		var references []any
		for i, uid := range owners {
			reference := map[string]any{"uid": uid, "apiVersion": "other.dev/v1", "kind": "Other", "name": "o", "controller": i == 0}
			if held, ok := uid.(map[string]any); ok {
				reference = held
			}
			references = append(references, reference)
		}
		metadata["ownerReferences"] = references
		delete(object, "owners")
	}
	if ready, ok := object["ready"].(bool); ok {
		status := "False"
		if ready {
			status = "True"
		}
		object["status"] = map[string]any{"phase": "Running", "conditions": []any{map[string]any{"type": "Ready", "status": status}}}
		delete(object, "ready")
	}
	return object
}

// resolveCase resolves a case and compares with want.yaml, of which mappings
// name the fields that matter and lists are complete. It also holds the view to
// what is true of every view.
func resolveCase(t *testing.T, held files) {
	compiled := held.resolver(t)
	object, options, want := held.object("object.yaml"), held.pods(), held.take("want.yaml")
	held.nothingLeft(t)
	if want == nil {
		t.Fatal("want.yaml is missing")
	}
	before := deepCopy(t, object)
	workload, err := compiled.Resolve(context.Background(), object, options...)
	if err != nil {
		t.Fatal(err)
	}
	got := deepCopy(t, workload)
	for _, difference := range differences("", want, got) {
		t.Error(difference)
	}
	if !reflect.DeepEqual(before, deepCopy(t, object)) {
		t.Error("the object was changed")
	}
	again, err := compiled.Resolve(context.Background(), object, options...)
	if err != nil || !reflect.DeepEqual(got, deepCopy(t, again)) {
		t.Errorf("the second view differs from the first (%v)", err)
	}
}

func TestResolve(t *testing.T) { forEachCase(t, "resolve", resolveCase) }
func TestPods(t *testing.T)    { forEachCase(t, "pods", resolveCase) }
func TestGangs(t *testing.T)   { forEachCase(t, "gangs", resolveCase) }

// TestKAI runs testdata/kai: want.yaml is the complete answer.
func TestKAI(t *testing.T) {
	forEachCase(t, "kai", func(t *testing.T, held files) {
		compiled := held.resolver(t)
		groups, err := compiled.AsKAI(context.Background(), held.object("object.yaml"))
		if err != nil {
			t.Fatal(err)
		}
		for _, difference := range differences("", held.take("want.yaml"), deepCopy(t, groups)) {
			t.Error(difference)
		}
		held.nothingLeft(t)
	})
}

func decode(t testing.TB, value any) *v1alpha1.WorkloadMap {
	t.Helper()
	definition, err := v1alpha1.Decode(value)
	if err != nil {
		t.Fatal(err)
	}
	return definition
}

func quantity(text string) resource.Quantity { return resource.MustParse(text) }
