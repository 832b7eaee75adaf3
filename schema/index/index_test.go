package index_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/workloadmap/wm/api/v1alpha1"
	"github.com/workloadmap/wm/schema/index"
)

func kind(group, version, name string) v1alpha1.GroupVersionKind {
	return v1alpha1.GroupVersionKind{Group: group, Version: version, Kind: name}
}

func find(t *testing.T, group, version, name string) *index.Index {
	t.Helper()
	found, err := index.Find(kind(group, version, name))
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func at(t *testing.T, of *index.Index, path string) index.Type {
	t.Helper()
	found, err := of.Root().At(path)
	if err != nil {
		t.Fatalf("%s: %v", index.Title(of.Kind()), err)
	}
	return found
}

// The bundle in the binary is what lies in data/, and every index can be loaded,
// written out and made again.
func TestBundleIsData(t *testing.T) {
	files, err := filepath.Glob("data/*.json")
	if err != nil {
		t.Fatal(err)
	}
	onDisk := map[string]string{}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		onDisk[filepath.Base(file)] = string(content)
	}
	bundled := map[string]string{index.LibraryFile: string(index.Core().Encode())}
	for _, each := range index.Kinds() {
		loaded, err := index.Find(each)
		if err != nil {
			t.Fatal(err)
		}
		bundled[index.Slug(each)+".json"] = string(loaded.Encode())
		again, err := index.New(each, loaded.Root().Schema())
		if err != nil {
			t.Error(err)
			continue
		}
		if diff := cmp.Diff(string(loaded.Encode()), string(again.Encode())); diff != "" {
			t.Errorf("%s is not the same when made again (-first +second):\n%s", index.Title(each), diff)
		}
	}
	if diff := cmp.Diff(onDisk, bundled); diff != "" {
		t.Errorf("indexes.zip is stale, run make generate (-data +bundle):\n%s", diff)
	}
}

func TestSizes(t *testing.T) {
	bundle, err := os.Stat("indexes.zip")
	if err != nil {
		t.Fatal(err)
	}
	if bundle.Size() > 3_000_000 {
		t.Errorf("all indexes take %d bytes of the binary", bundle.Size())
	}
	if size := len(find(t, "ray.io", "v1", "RayCluster").Encode()); size > 40_000 {
		t.Errorf("the index of RayCluster has %d bytes", size)
	}
}

// What the frameworks' own documentation says.
func TestKnownKinds(t *testing.T) {
	for _, test := range []struct {
		group, version, kind, path string
		// want is Description.Words.
		want string
	}{
		{"ray.io", "v1", "RayCluster", ".spec.workerGroupSpecs[].replicas", "integer (int32), default 0"},
		{"ray.io", "v1", "RayCluster", ".spec.workerGroupSpecs[].maxReplicas", "integer (int32), default 2147483647"},
		{"jobset.x-k8s.io", "v1alpha2", "JobSet", ".spec.replicatedJobs[].replicas", "integer (int32), default 1"},
		// The API server fills in a Job, not the Job template of something else.
		{"jobset.x-k8s.io", "v1alpha2", "JobSet", ".spec.replicatedJobs[].template.spec.parallelism", "integer (int32)"},
		{"batch", "v1", "CronJob", ".spec.jobTemplate.spec.parallelism", "integer (int32)"},
		{"batch", "v1", "Job", ".spec.parallelism", "integer (int32), default 1"},
		{"batch", "v1", "Job", ".spec.completions", "integer (int32)"},
		{"batch", "v1", "Job", ".spec.suspend", "boolean, default false"},
		{"apps", "v1", "Deployment", ".spec.replicas", "integer (int32), default 1"},
		{"apps", "v1", "StatefulSet", ".spec.template.spec.restartPolicy",
			`string, default "Always", one of "Always" "Never" "OnFailure"`},
		{"", "v1", "Pod", ".status.phase", `string, one of "Failed" "Pending" "Running" "Succeeded" "Unknown"`},
		{"", "v1", "Pod", ".status.conditions[].status", `string, one of "False" "True" "Unknown"`},
		{"", "v1", "Pod", ".spec.containers[].resources.requests{}", "quantity"},
		{"", "v1", "Pod", ".metadata.creationTimestamp", "date-time"},
		{"leaderworkerset.x-k8s.io", "v1", "LeaderWorkerSet", ".spec.leaderWorkerTemplate.size", "integer (int32), default 1"},
		{"kubeflow.org", "v1", "PyTorchJob", ".spec.pytorchReplicaSpecs{}.replicas", "integer (int32)"},
		{"grove.io", "v1alpha1", "PodCliqueSet", ".spec.replicas", "integer (int32), default 0"},
		{"flink.apache.org", "v1beta1", "FlinkDeployment", ".spec.job.state", `string, one of "running" "suspended"`},
		{"agents.x-k8s.io", "v1beta1", "Sandbox", ".spec.operatingMode", `string, default "Running", one of "Running" "Suspended"`},
	} {
		x := find(t, test.group, test.version, test.kind)
		if got := index.Describe(at(t, x, test.path)).Words(); got != test.want {
			t.Errorf("%s %s is %q, want %q", test.kind, test.path, got, test.want)
		}
	}
}

// A pod template is recognized in every operator's CRD, whatever the release that
// the operator was built against.
func TestPodTemplatesAreRecognized(t *testing.T) {
	for _, test := range []struct{ group, version, kind, path, core string }{
		{"ray.io", "v1", "RayCluster", ".spec.headGroupSpec.template", "PodTemplateSpec"},
		{"kubeflow.org", "v1", "PyTorchJob", ".spec.pytorchReplicaSpecs{}.template", "PodTemplateSpec"},
		{"jobset.x-k8s.io", "v1alpha2", "JobSet", ".spec.replicatedJobs[].template", "JobTemplateSpec"},
		{"jobset.x-k8s.io", "v1alpha2", "JobSet", ".spec.replicatedJobs[].template.spec.template.spec", "PodSpec"},
		{"leaderworkerset.x-k8s.io", "v1", "LeaderWorkerSet", ".spec.leaderWorkerTemplate.workerTemplate", "PodTemplateSpec"},
		{"batch.volcano.sh", "v1alpha1", "Job", ".spec.tasks[].template", "PodTemplateSpec"},
		{"grove.io", "v1alpha1", "PodClique", ".spec.podSpec", "PodSpec"},
		{"machinelearning.seldon.io", "v1", "SeldonDeployment", ".spec.predictors[].componentSpecs[].spec", "PodSpec"},
		{"ray.io", "v1", "RayCluster", ".status.conditions[]", "Condition"},
		{"serving.kserve.io", "v1beta1", "InferenceService", ".spec.predictor.containers[]", "Container"},
		{"apps.nvidia.com", "v1alpha1", "NIMService", ".spec.resources", "ResourceRequirements"},
		// These have a spec, a status or a few names in common with a core type.
		{"leaderworkerset.x-k8s.io", "v1", "LeaderWorkerSet", "", ""},
		{"apps.nvidia.com", "v1alpha1", "NIMService", "", ""},
		{"apps.nvidia.com", "v1alpha1", "NIMService", ".spec", ""},
		{"ray.io", "v1", "RayCluster", ".spec.workerGroupSpecs[]", ""},
	} {
		if got, _ := at(t, find(t, test.group, test.version, test.kind), test.path).Core(); got != test.core {
			t.Errorf("%s %s is a %q, want %q", test.kind, test.path, got, test.core)
		}
	}
}

func TestNamed(t *testing.T) {
	for _, word := range []string{"RayCluster", "raycluster"} {
		if found, err := index.Named(word); err != nil || len(found) != 2 {
			t.Errorf("%s: %v, %v; want v1 and v1alpha1", word, found, err)
		}
	}
	for _, word := range []string{"ray-io-raycluster-v1", "ray.io/v1/RayCluster"} {
		found, err := index.Named(word)
		if diff := cmp.Diff([]v1alpha1.GroupVersionKind{kind("ray.io", "v1", "RayCluster")}, found); err != nil || diff != "" {
			t.Errorf("%s: %v\n%s", word, err, diff)
		}
	}
	_, err := index.Named("Deploymnt")
	if !errors.Is(err, index.ErrUnknown) || !strings.Contains(err.Error(), "did you mean Deployment?") {
		t.Errorf("error %v", err)
	}
	if _, err := index.Find(kind("example.com", "v1", "Nothing")); !errors.Is(err, index.ErrUnknown) {
		t.Errorf("error %v", err)
	}
	// A kind in other capitals has the same file name and is another kind.
	if _, err := index.Find(kind("ray.io", "v1", "Raycluster")); !errors.Is(err, index.ErrUnknown) {
		t.Errorf("error %v", err)
	}
}

func TestConcurrentUse(t *testing.T) {
	x := find(t, "ray.io", "v1", "RayCluster")
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			container, err := x.Root().At(".spec.workerGroupSpecs[].template.spec.containers[]")
			if err != nil {
				t.Error(err)
			}
			if _, exists, closed := container.Field("image"); !exists || !closed {
				t.Error("a container has no image")
			}
		})
	}
	group.Wait()
}

func BenchmarkFind(b *testing.B) {
	index.Core()
	for _, each := range []v1alpha1.GroupVersionKind{
		kind("batch", "v1", "Job"), kind("ray.io", "v1", "RayCluster"), kind("argoproj.io", "v1alpha1", "Workflow"),
		kind("serving.kserve.io", "v1beta1", "InferenceService"),
	} {
		b.Run(each.Kind, func(b *testing.B) {
			for b.Loop() {
				if _, err := index.Find(each); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkCore is what the first index costs on top.
func BenchmarkCore(b *testing.B) {
	content := index.Core().Encode()
	for b.Loop() {
		if _, err := index.LoadLibrary(content); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkField(b *testing.B) {
	x, err := index.Find(kind("ray.io", "v1", "RayCluster"))
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := x.Root().At(".spec.workerGroupSpecs[].template.spec.containers[].image"); err != nil {
			b.Fatal(err)
		}
	}
}
