package cluster_test

import (
	"context"
	"errors"
	"testing"

	"github.com/workloadmap/wm/api/v1alpha1"
	"github.com/workloadmap/wm/catalog"
	"github.com/workloadmap/wm/cluster"
	"github.com/workloadmap/wm/cluster/clustertest"
	"github.com/workloadmap/wm/resolver"
)

func typesOf(t *testing.T, server *clustertest.Server, set *resolver.Set) *cluster.Types {
	t.Helper()
	types, err := server.Client(t).Types(context.Background(), set)
	if err != nil {
		t.Fatal(err)
	}
	return types
}

func TestWordsForTypes(t *testing.T) {
	types := typesOf(t, clustertest.Start(t), catalogSet(t))
	for word, want := range map[string]string{
		"raycluster": "rayclusters.ray.io", "rayclusters": "rayclusters.ray.io", "RayCluster": "rayclusters.ray.io", "RAYCLUSTERS": "rayclusters.ray.io",
		"rayclusters.ray.io": "rayclusters.ray.io", "raycluster.v1.ray.io": "rayclusters.ray.io", "raycluster.ray": "rayclusters.ray.io",
		"po": "pods", "pod": "pods", "pods.v1": "pods", "deploy": "deployments.apps", "lws": "leaderworkersets.leaderworkerset.x-k8s.io",
		// As kubectl: the first group in discovery has the plain word.
		"job": "jobs.batch", "jobs.batch.volcano.sh": "jobs.batch.volcano.sh", "vcjob": "jobs.batch.volcano.sh",
	} {
		kind, err := types.Find(word)
		if err != nil || kind.Resource.String() != want {
			t.Errorf("%s: got %v, error %v; want %s", word, kind.Resource, err, want)
		}
	}
	if kind, _ := types.Find("job"); len(kind.Also) != 1 || kind.Also[0] != "jobs.batch.volcano.sh" {
		t.Errorf("job can also mean %v", kind.Also)
	}
}

func TestWordsForNoType(t *testing.T) {
	types := typesOf(t, clustertest.Start(t), catalogSet(t))
	for word, want := range map[string]string{
		"rayclutser": `the cluster serves no type "rayclutser"; did you mean raycluster?`,
		"qwertyuiop": `the cluster serves no type "qwertyuiop"`,
		// A definition knows the kind, the cluster does not serve it.
		"pytorchjob":                "the cluster does not serve kubeflow.org PyTorchJob: its CRD is not installed, or serves no version",
		"pytorchjobs.kubeflow.org":  "the cluster does not serve kubeflow.org PyTorchJob: its CRD is not installed, or serves no version",
		"raycluster.somewhere.else": `the cluster serves no type "raycluster.somewhere.else"; did you mean raycluster?`,
		// Served, without a definition.
		"zork":      "no definition for example.dev/v1 Zork",
		"configmap": "no definition for v1 ConfigMap",
	} {
		if _, err := types.Find(word); err == nil || err.Error() != want {
			t.Errorf("%s: got %v, want %s", word, err, want)
		}
	}
	_, err := types.Find("zork")
	if undefined := new(resolver.NoDefinitionError); !errors.As(err, &undefined) {
		t.Errorf("got %T", err)
	}
}

// TestVersionOfADefinition chooses the version that a definition was written
// for over the one that the server prefers, and else lets one stand in.
func TestVersionOfADefinition(t *testing.T) {
	kind := func(version string) clustertest.Kind {
		return clustertest.Kind{Group: "kueue.x-k8s.io", Version: version, Kind: "Workload", Plural: "workloads"}
	}
	ray := func(version, kind, plural string) clustertest.Kind {
		return clustertest.Kind{Group: "ray.io", Version: version, Kind: kind, Plural: plural}
	}
	types := typesOf(t, clustertest.Start(t, clustertest.Kinds(kind("v1beta9"), kind("v1beta1"),
		ray("v2", "RayCluster", "rayclusters"), ray("v2", "RayJob", "rayjobs"), ray("v1", "RayJob", "rayjobs"))), catalogSet(t))
	if got, err := types.Find("workload"); err != nil || got.Version != "v1beta1" || got.OtherVersion {
		t.Errorf("got %s %v, error %v", got.Version, got.OtherVersion, err)
	}
	if got, err := types.Find("raycluster"); err != nil || got.Version != "v2" || !got.OtherVersion {
		t.Errorf("got %s %v, error %v", got.Version, got.OtherVersion, err)
	}
	if got, err := types.Find("rayjob"); err != nil || got.Version != "v1" || got.OtherVersion {
		t.Errorf("got %s %v, error %v", got.Version, got.OtherVersion, err)
	}
	if got, err := types.Find("workloads.v1beta9.kueue.x-k8s.io"); err == nil {
		t.Errorf("two definitions could stand in for v1beta9, got %v", got.Resolver.Definition())
	}
}

// TestCoveredTellsBrokenDefinitions goes on with the others.
func TestCoveredTellsBrokenDefinitions(t *testing.T) {
	broken := resolver.Candidate{
		Kind: v1alpha1.GroupVersionKind{Group: "ray.io", Version: "v1", Kind: "RayJob"}, Name: "mine", Origin: "test",
		Load: func() (*v1alpha1.WorkloadMap, error) { return nil, errors.New("half of it is missing") },
	}
	set, err := resolver.NewSet([]resolver.Candidate{broken}, []resolver.Candidate{catalogCandidate(t, "RayCluster")})
	if err != nil {
		t.Fatal(err)
	}
	covered, faults := typesOf(t, clustertest.Start(t), set).Covered()
	if len(covered) != 1 || covered[0].Kind != "RayCluster" || len(faults) != 1 {
		t.Errorf("got %v, faults %v", covered, faults)
	}
}

func catalogCandidate(t *testing.T, kind string) resolver.Candidate {
	t.Helper()
	for _, candidate := range catalog.Candidates() {
		if candidate.Kind.Kind == kind {
			return candidate
		}
	}
	t.Fatalf("no definition for %s", kind)
	return resolver.Candidate{}
}
