package jq_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"testing"

	"github.com/itchyny/gojq"
	corev1 "k8s.io/api/core/v1"

	"github.com/workloadmap/wm/api/v1alpha1"
	"github.com/workloadmap/wm/catalog"
	"github.com/workloadmap/wm/resolver"
	"github.com/workloadmap/wm/source"
)

// The baseline stands here because only this folder may import the engine.

// firstImplementation does for one view what the first implementation of the
// format does, with the bare engine: the definition is validated (every
// expression parsed), the object becomes JSON and is read back, every
// expression is parsed and compiled where it is used, instance IDs are read
// again for each extraction that is paired with them, a matcher's expression
// is wrapped in tostring, and pod templates are converted to typed structs.
type firstImplementation struct {
	definition *v1alpha1.WorkloadMap
	object     map[string]any
	value      any
}

func (f *firstImplementation) view() error {
	for _, expression := range f.definition.Expressions() {
		if _, err := gojq.Parse(expression.Text); err != nil {
			return err
		}
	}
	content, err := json.Marshal(f.object)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(content, &f.value); err != nil {
		return err
	}
	if err := f.status(); err != nil {
		return err
	}
	for _, c := range f.definition.Spec.StructureDefinition.ChildComponents {
		if err := f.component(c); err != nil {
			return err
		}
	}
	return nil
}

func (f *firstImplementation) run(expression string) ([]any, error) {
	query, err := gojq.Parse(expression)
	if err != nil {
		return nil, err
	}
	code, err := gojq.Compile(query)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var results []any
	for iterator := code.RunWithContext(ctx, f.value); ; {
		result, ok := iterator.Next()
		if !ok {
			return results, nil
		}
		if err, failed := result.(error); failed {
			return nil, fmt.Errorf("%s: %w", expression, err)
		}
		results = append(results, result)
	}
}

func (f *firstImplementation) status() error {
	status := f.definition.Spec.StructureDefinition.RootComponent.StatusDefinition
	if _, err := f.run(status.PhaseDefinition.Path); err != nil {
		return err
	}
	if _, err := f.run(status.ConditionsDefinition.Path); err != nil {
		return err
	}
	for _, phase := range v1alpha1.MatchPhases() {
		for _, matcher := range status.StatusMappings.For(phase) {
			if matcher.ByExpression == nil {
				continue
			}
			if _, err := f.run("(" + matcher.ByExpression.Expression + ") | tostring"); err != nil {
				return err
			}
		}
	}
	return nil
}

func (f *firstImplementation) component(c v1alpha1.Component) error {
	instances := func() error {
		if c.InstanceIDPath == nil {
			return nil
		}
		_, err := f.run(*c.InstanceIDPath)
		return err
	}
	if err := instances(); err != nil {
		return err
	}
	templates, err := f.run(*c.SpecDefinition.PodTemplateSpecPath)
	if err != nil {
		return err
	}
	for _, template := range templates {
		content, err := json.Marshal(template)
		if err != nil {
			return err
		}
		var typed corev1.PodTemplateSpec
		if err := json.Unmarshal(content, &typed); err != nil {
			return err
		}
	}
	if err := instances(); err != nil {
		return err
	}
	for _, path := range []*string{c.ScaleDefinition.ReplicasPath, c.ScaleDefinition.MinReplicasPath, c.ScaleDefinition.MaxReplicasPath} {
		if path == nil {
			continue
		}
		if _, err := f.run(*path); err != nil {
			return err
		}
	}
	return nil
}

func readObject(b *testing.B, name string) map[string]any {
	b.Helper()
	content, err := os.ReadFile(name)
	if err != nil {
		b.Fatal(err)
	}
	documents, faults := source.Parse(name, content)
	if len(faults) > 0 {
		b.Fatal(faults[0])
	}
	return documents[0].Value().(map[string]any)
}

// BenchmarkView compares one view of a RayCluster with three worker groups,
// without pods, in one run.
func BenchmarkView(b *testing.B) {
	entry, err := catalog.Find("ray-io-raycluster-v1")
	if err != nil {
		b.Fatal(err)
	}
	definition, err := entry.Load()
	if err != nil {
		b.Fatal(err)
	}
	object := readObject(b, "testdata/raycluster.yaml")
	b.Run("first-implementation", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if err := (&firstImplementation{definition: definition, object: object}).view(); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("wm", func(b *testing.B) {
		compiled, err := resolver.Compile(definition)
		if err != nil {
			b.Fatal(err)
		}
		b.ReportAllocs()
		for b.Loop() {
			if _, err := compiled.Resolve(context.Background(), object); err != nil {
				b.Fatal(err)
			}
		}
	})
}
