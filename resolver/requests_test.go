package resolver

import (
	"encoding/json"
	"fmt"
	"math/rand"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/component-helpers/resource"
)

// TestRequestsAgreeWithKubernetes generates pod specs and compares with the
// scheduler's own arithmetic, after the API server's defaulting of requests
// from limits, which the scheduler never sees missing.
func TestRequestsAgreeWithKubernetes(t *testing.T) {
	random := rand.New(rand.NewSource(1))
	sawSidecar, sawPodLevel := false, false
	for n := range 3000 {
		spec := randomPodSpec(random)
		var pod corev1.Pod
		content, err := json.Marshal(map[string]any{"spec": spec})
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(content, &pod); err != nil {
			t.Fatal(err)
		}
		defaultRequests(&pod)
		sawPodLevel = sawPodLevel || pod.Spec.Resources != nil
		for _, container := range pod.Spec.InitContainers {
			sawSidecar = sawSidecar || container.RestartPolicy != nil
		}
		want := resource.PodRequests(&pod, resource.PodResourcesOptions{})
		reader := &requestReader{}
		got := reader.pod(spec)
		if len(reader.faults) > 0 {
			t.Fatalf("pod %d: %v", n, reader.faults)
		}
		if !equalLists(got, want) {
			t.Fatalf("pod %d\n%s\ngot  %v\nwant %v", n, content, got, want)
		}
	}
	if !sawSidecar || !sawPodLevel {
		t.Error("the generator made no sidecar or no pod-level resources")
	}
}

func randomPodSpec(random *rand.Rand) map[string]any {
	list := func() map[string]any {
		quantities := map[string]any{}
		for name, values := range map[string][]any{
			"cpu": {"100m", 1, "2", "1500m"}, "memory": {"1Gi", "512Mi", 1048576}, "nvidia.com/gpu": {1, "8"},
		} {
			if random.Intn(2) == 0 {
				quantities[name] = values[random.Intn(len(values))]
			}
		}
		return quantities
	}
	container := func() map[string]any {
		resources := map[string]any{}
		for _, field := range []string{"requests", "limits"} {
			if random.Intn(3) > 0 {
				resources[field] = list()
			}
		}
		return map[string]any{"resources": resources}
	}
	containers := func(most int) []any {
		all := []any{}
		for range random.Intn(most + 1) {
			all = append(all, container())
		}
		return all
	}
	spec := map[string]any{"containers": containers(3)}
	inits := containers(4)
	for _, init := range inits {
		if random.Intn(2) == 0 {
			init.(map[string]any)["restartPolicy"] = "Always"
		}
	}
	spec["initContainers"] = inits
	if random.Intn(4) == 0 {
		spec["overhead"] = list()
	}
	if random.Intn(4) == 0 {
		requests := list()
		delete(requests, "nvidia.com/gpu")
		spec["resources"] = map[string]any{"requests": requests}
	}
	return spec
}

// defaultRequests does what the API server does when a pod is created.
func defaultRequests(pod *corev1.Pod) {
	for _, containers := range [][]corev1.Container{pod.Spec.Containers, pod.Spec.InitContainers} {
		for i := range containers {
			resources := &containers[i].Resources
			for name, limit := range resources.Limits {
				if _, ok := resources.Requests[name]; !ok {
					if resources.Requests == nil {
						resources.Requests = corev1.ResourceList{}
					}
					resources.Requests[name] = limit
				}
			}
		}
	}
}

func equalLists(a, b corev1.ResourceList) bool {
	if len(a) != len(b) {
		return false
	}
	for name, quantity := range a {
		other, ok := b[name]
		if !ok || quantity.Cmp(other) != 0 {
			return false
		}
	}
	return true
}

func TestPodLevelLimitsFillInWhatNothingRequests(t *testing.T) {
	spec := map[string]any{
		"containers": []any{map[string]any{"resources": map[string]any{"requests": map[string]any{"cpu": "1"}}}},
		"resources":  map[string]any{"limits": map[string]any{"cpu": "8", "memory": "4Gi", "nvidia.com/gpu": "2"}},
	}
	got := (&requestReader{}).pod(spec)
	if text := fmt.Sprint(got.Cpu(), " ", got.Memory(), " ", len(got)); text != "1 4Gi 2" {
		t.Errorf("got %s, want the container's cpu, the pod's memory, and no gpu: pods cannot hold devices", text)
	}
}

func TestAccelerator(t *testing.T) {
	for name, want := range map[string]bool{
		"nvidia.com/gpu": true, "amd.com/gpu": true, "google.com/tpu": true, "huawei.com/Ascend910": true, "habana.ai/gaudi": true,
		"nvidia.com/mig-1g.5gb": false, "nvidia.com/gpu.shared": false, "nvidia.com/gpumem": false, "huawei.com/Ascend910-memory": false,
		"cpu": false, "memory": false, "rdma/hca": false, "gpu.intel.com/millicores": false, "gpu.intel.com/i915": true,
	} {
		if got := Accelerator(name); got != want {
			t.Errorf("Accelerator(%q) = %v, want %v", name, got, want)
		}
	}
}
