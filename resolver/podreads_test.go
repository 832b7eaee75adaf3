package resolver_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/workloadmap/wm/api/v1alpha1"
	"github.com/workloadmap/wm/catalog"
	"github.com/workloadmap/wm/resolver"
)

func TestKindsOfASet(t *testing.T) {
	set, err := resolver.NewSet(catalog.Candidates())
	if err != nil {
		t.Fatal(err)
	}
	kinds := set.Kinds()
	if len(kinds) != len(catalog.Candidates()) {
		t.Errorf("got %d kinds of %d definitions", len(kinds), len(catalog.Candidates()))
	}
	if first := kinds[0]; first.Group != "" || first.Kind != "Pod" {
		t.Errorf("the first is %v", first)
	}
}

func builtIn(t *testing.T, group, version, kind string) *resolver.Resolver {
	t.Helper()
	set, err := resolver.NewSet(catalog.Candidates())
	if err != nil {
		t.Fatal(err)
	}
	match, err := set.Find(v1alpha1.GroupVersionKind{Group: group, Version: version, Kind: kind})
	if err != nil {
		t.Fatal(err)
	}
	return match.Resolver
}

func TestReadsOfPods(t *testing.T) {
	r := builtIn(t, "ray.io", "v1", "RayCluster")
	for within, want := range map[string]bool{".metadata.labels": true, `.metadata.labels["ray.io/group"]`: false, ".spec": false} {
		if got, err := r.ReadsOfPods(within); got != want || err != nil {
			t.Errorf("%s: got %v, error %v", within, got, err)
		}
	}
	if _, err := r.ReadsOfPods(".a | .b | length"); err == nil {
		t.Error("took an expression that is no path")
	}
}

func TestNameLabels(t *testing.T) {
	if got := builtIn(t, "ray.io", "v1", "RayCluster").NameLabels(); !slices.Equal(got, []string{"ray.io/cluster"}) {
		t.Errorf("RayCluster: got %v", got)
	}
	if got := builtIn(t, "apps", "v1", "Deployment").NameLabels(); len(got) != 0 {
		t.Errorf("Deployment has no gang, got %v", got)
	}
}

func TestWhy(t *testing.T) {
	definition := &v1alpha1.WorkloadMap{}
	definition.Name = "mine"
	definition.Spec.StructureDefinition.RootComponent = v1alpha1.Component{
		Name: "root", Kind: &v1alpha1.GroupVersionKind{Group: "example.dev", Version: "v1", Kind: "Thing"},
		StatusDefinition: &v1alpha1.StatusDefinition{
			PhaseDefinition:      &v1alpha1.PhaseDefinition{Path: ".status.phase"},
			ConditionsDefinition: &v1alpha1.ConditionsDefinition{Path: ".status.conditions // []"},
			StatusMappings: v1alpha1.StatusMappings{
				Running: []v1alpha1.StatusMatcher{
					{ByPhase: "Other"},
					{ByPhase: "Up", ByConditions: []v1alpha1.ConditionMatcher{{Type: "Ready", Status: "True"}}},
				},
				Degraded: []v1alpha1.StatusMatcher{{ByExpression: &v1alpha1.ExpressionMatcher{Expression: ".status.lost > 0", ExpectedResult: "true"}}},
			},
		},
	}
	r, err := resolver.Compile(definition)
	if err != nil {
		t.Fatal(err)
	}
	object := map[string]any{"apiVersion": "example.dev/v1", "kind": "Thing", "status": map[string]any{
		"phase": "Up", "lost": 1,
		"conditions": []any{map[string]any{"type": "Ready", "status": "False"}, map[string]any{"type": "Ready", "status": "True", "reason": "Fine"}},
	}}
	got, err := r.Why(context.Background(), object)
	if err != nil {
		t.Fatal(err)
	}
	want := []resolver.Why{
		{Phase: "Running", Field: "statusMappings.running[1]", NativePhase: "Up", Conditions: []resolver.Condition{{Type: "Ready", Status: "True", Reason: "Fine"}}},
		{Phase: "Degraded", Field: "statusMappings.degraded[0]", Expression: ".status.lost > 0", Result: "true"},
	}
	slices.SortFunc(want, func(a, b resolver.Why) int { return strings.Compare(string(a.Phase), string(b.Phase)) })
	slices.SortFunc(got, func(a, b resolver.Why) int { return strings.Compare(string(a.Phase), string(b.Phase)) })
	if difference := cmp.Diff(want, got); difference != "" {
		t.Errorf("want (-), got (+):\n%s", difference)
	}
	if got, err := r.Why(context.Background(), map[string]any{"apiVersion": "example.dev/v1", "kind": "Thing"}); err != nil || len(got) != 1 || got[0].Phase != v1alpha1.PhaseUndefined || got[0].Field != "" {
		t.Errorf("of an object without status: got %v, error %v", got, err)
	}
}

// A RayCluster owns its pods, and the Job that cleans up Redis.
func TestNames(t *testing.T) {
	compiled := builtin(t, "ray-io-raycluster-v1")
	for _, c := range []struct {
		group, kind string
		want        bool
	}{{"ray.io", "RayCluster", true}, {"", "Pod", true}, {"batch", "Job", true}, {"apps", "ReplicaSet", false}, {"ray.io", "RayJob", false}} {
		if got := compiled.Names(c.group, c.kind); got != c.want {
			t.Errorf("names %s %s: %v", c.group, c.kind, got)
		}
	}
}
