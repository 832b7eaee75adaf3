package resolver_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/workloadmap/wm/resolver"
	"github.com/workloadmap/wm/source"
)

func TestResolveRefusesAnotherKind(t *testing.T) {
	compiled := compile(t, definitionOf("name: a\nkind: {group: example.dev, version: v1, kind: Train}\nstatusDefinition: {statusMappings: {}}"))
	_, err := compiled.Resolve(context.Background(), map[string]any{"apiVersion": "example.dev/v1", "kind": "Plane"})
	var kindError *resolver.KindError
	if !errors.As(err, &kindError) || kindError.Got.Kind != "Plane" {
		t.Errorf("got %v, want a KindError", err)
	}
	if _, err := compiled.Resolve(context.Background(), map[string]any{"apiVersion": "example.dev/v2", "kind": "Train"}); err != nil {
		t.Errorf("another version was refused: %v", err)
	}
}

func TestResolveStopsWithItsContext(t *testing.T) {
	compiled := compile(t, definitionOf("name: a\nkind: {group: example.dev, version: v1, kind: Train}\nstatusDefinition: {statusMappings: {}}"))
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := compiled.Resolve(ctx, map[string]any{"apiVersion": "example.dev/v1", "kind": "Train"}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want context.Canceled", err)
	}
}

func TestCompileNamesEveryFault(t *testing.T) {
	status := "statusDefinition: {statusMappings: {}}"
	kind := "kind: {group: example.dev, version: v1, kind: Train}"
	for name, test := range map[string]struct{ root, children, want string }{
		"no kind":          {"name: a\n" + status, "", `component "a": the root component needs a kind`},
		"no status":        {"name: a\n" + kind, "", `component "a": the root component needs a statusDefinition`},
		"same name":        {"name: a\n" + kind + "\n" + status, "[{name: b, ownerRef: a}, {name: b, ownerRef: a}]", `component "b": another component has the same name`},
		"no owner":         {"name: a\n" + kind + "\n" + status, "[{name: b}]", `component "b": ownerRef is missing`},
		"unknown owner":    {"name: a\n" + kind + "\n" + status, "[{name: b, ownerRef: x}]", `component "b": ownerRef "x" names no component`},
		"circle":           {"name: a\n" + kind + "\n" + status, "[{name: b, ownerRef: c}, {name: c, ownerRef: b}]", `component "b": ownerRef leads back to component "b"`},
		"own owner":        {"name: a\n" + kind + "\n" + status, "[{name: b, ownerRef: b}]", `component "b": ownerRef leads back to component "b"`},
		"two shapes":       {"name: a\n" + kind + "\n" + status, "[{name: b, ownerRef: a, specDefinition: {podSpecPath: .a, podTemplateSpecPath: .b}}]", `component "b": specDefinition holds more than one of`},
		"syntax":           {"name: a\n" + kind + "\n" + status, "[{name: b, ownerRef: a, scaleDefinition: {replicasPath: .a |}}]", `component "b": scaleDefinition.replicasPath:`},
		"unknown function": {"name: a\n" + kind + "\n" + status, "[{name: b, ownerRef: a, specDefinition: {podSpecPath: .a-b}}]", `component "b": specDefinition.podSpecPath:`},
		"forbidden":        {"name: a\n" + kind + "\n" + status, "[{name: b, ownerRef: a, instanceIdPath: '[range(9)]'}]", `component "b": instanceIdPath:`},
	} {
		t.Run(name, func(t *testing.T) {
			value := definitionOf(test.root)
			if test.children != "" {
				structure := value["spec"].(map[string]any)["structureDefinition"].(map[string]any)
				structure["childComponents"] = parseYAML(t, "children", []byte(test.children))
			}
			if _, err := resolver.Compile(decode(t, value)); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %q", err, test.want)
			}
		})
	}
}

func definitionOf(root string) map[string]any {
	documents, _ := source.Parse("root", []byte(root))
	return map[string]any{
		"apiVersion": "workloadmap.dev/v1alpha1", "kind": "WorkloadMap", "metadata": map[string]any{"name": "test"},
		"spec": map[string]any{"structureDefinition": map[string]any{"rootComponent": documents[0].Value()}},
	}
}

func compile(t testing.TB, value any) *resolver.Resolver {
	t.Helper()
	compiled, err := resolver.Compile(decode(t, value))
	if err != nil {
		t.Fatal(err)
	}
	return compiled
}

func parseYAML(t testing.TB, name string, content []byte) any {
	t.Helper()
	documents, faults := source.Parse(name, content)
	if len(faults) > 0 || len(documents) != 1 {
		t.Fatalf("%s: %d documents, faults %v", name, len(documents), faults)
	}
	return documents[0].Value()
}

// deepCopy is the JSON form of a value.
func deepCopy(t testing.TB, value any) any {
	t.Helper()
	content, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	var copied any
	if err := json.Unmarshal(content, &copied); err != nil {
		t.Fatal(err)
	}
	return copied
}

func differences(path string, want, got any) []string {
	switch want := want.(type) {
	case map[string]any:
		object, ok := got.(map[string]any)
		if !ok {
			return []string{fmt.Sprintf("%s: want an object, got %v", path, got)}
		}
		var all []string
		for key, value := range want {
			held, ok := object[key]
			if !ok {
				all = append(all, fmt.Sprintf("%s.%s: is not there", path, key))
				continue
			}
			all = append(all, differences(path+"."+key, value, held)...)
		}
		if path != "" && strings.HasSuffix(path, "requests") && len(object) != len(want) {
			all = append(all, fmt.Sprintf("%s: want %v, got %v", path, want, object))
		}
		return all
	case []any:
		list, ok := got.([]any)
		if !ok || len(list) != len(want) {
			return []string{fmt.Sprintf("%s: want %v, got %v", path, want, got)}
		}
		var all []string
		for i := range want {
			all = append(all, differences(fmt.Sprintf("%s[%d]", path, i), want[i], list[i])...)
		}
		return all
	}
	if fmt.Sprint(want) != fmt.Sprint(got) || (want == nil) != (got == nil) {
		return []string{fmt.Sprintf("%s: want %v, got %v", path, want, got)}
	}
	return nil
}
