package cluster_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	apiruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"

	"github.com/workloadmap/wm/cluster"
	"github.com/workloadmap/wm/cluster/clustertest"
)

const (
	perKind = 1000
	perRoot = 10
)

// generated are objects in JSON form.
type generated struct {
	n    int
	make func(i int) map[string]any
}

func (g generated) Len() int         { return g.n }
func (g generated) Object(i int) any { return g.make(i) }

// generatedPods are pods as heavy as real ones, perRoot for each owner.
type generatedPods struct{ owners []metav1.OwnerReference }

func (g generatedPods) Len() int { return len(g.owners) * perRoot }

func (g generatedPods) Object(i int) any {
	owner := g.owners[i/perRoot]
	yes := true
	now := metav1.NewTime(time.Date(2026, 1, 1, 0, 0, i%60, 0, time.UTC))
	started := now
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Name: fmt.Sprintf("%s-%d", owner.Name, i%perRoot), Namespace: namespaceOf(i / perRoot), UID: types.UID(fmt.Sprintf("pod-%d", i)),
			CreationTimestamp: now, OwnerReferences: []metav1.OwnerReference{owner},
			Labels: map[string]string{
				"ray.io/node-type": "worker", "ray.io/group": "small", "ray.io/cluster": owner.Name,
				"jobset.sigs.k8s.io/replicatedjob-name": "w", "app": owner.Name, "team": "research", "pod-template-hash": "abcdef",
			},
			Annotations:   map[string]string{"kubernetes.io/config.seen": "2026-01-01T00:00:00Z", "cni": fmt.Sprintf(`{"ip":"10.0.%d.%d"}`, i%250, i%200)},
			ManagedFields: []metav1.ManagedFieldsEntry{{Manager: "kubelet", FieldsType: "FieldsV1", FieldsV1: metav1.NewFieldsV1(`{"f:field":"` + strings.Repeat("x", 1500) + `"}`)}},
		},
		Spec: corev1.PodSpec{NodeName: fmt.Sprintf("node-%d", i%5000), Containers: []corev1.Container{{
			Name: "worker", Image: "registry.example.dev/team/train:v1.2.3",
			Resources: corev1.ResourceRequirements{
				Requests: corev1.ResourceList{"cpu": resource.MustParse("8"), "memory": resource.MustParse("64Gi")},
				Limits:   corev1.ResourceList{"nvidia.com/gpu": resource.MustParse("1")},
			},
			VolumeMounts: []corev1.VolumeMount{{Name: "data", MountPath: "/data"}, {Name: "token", MountPath: "/var/run/secrets"}},
		}}},
		Status: corev1.PodStatus{
			Phase: corev1.PodRunning, HostIP: "10.0.0.1", PodIP: "10.1.1.1", StartTime: &now,
			ContainerStatuses: []corev1.ContainerStatus{{
				Name: "worker", Ready: true, Started: &yes, Image: "registry.example.dev/team/train:v1.2.3", ContainerID: "containerd://0123456789abcdef",
				State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: started}},
			}},
		},
	}
	for e := range 20 {
		pod.Spec.Containers[0].Env = append(pod.Spec.Containers[0].Env, corev1.EnvVar{Name: fmt.Sprintf("VARIABLE_%d", e), Value: "some value of a variable"})
	}
	for _, condition := range []corev1.PodConditionType{"PodReadyToStartContainers", "Initialized", "Ready", "ContainersReady", "PodScheduled"} {
		pod.Status.Conditions = append(pod.Status.Conditions, corev1.PodCondition{Type: condition, Status: "True", LastTransitionTime: now})
	}
	return pod
}

func namespaceOf(i int) string { return fmt.Sprintf("team-%d", i%50) }

// rootsOf makes the workloads of one kind.
func rootsOf(apiVersion, kind, prefix, owner string, spec, status map[string]any) generated {
	return generated{perKind, func(i int) map[string]any {
		name := fmt.Sprintf("%s-%d", prefix, i)
		metadata := map[string]any{
			"name": name, "namespace": namespaceOf(i), "uid": kind + "-" + name, "resourceVersion": "1", "generation": 1,
			"creationTimestamp": "2026-01-01T00:00:00Z", "labels": map[string]any{"team": "research"},
		}
		if owner != "" {
			ownerName := fmt.Sprintf("%s-%d", owner, i)
			metadata["ownerReferences"] = []any{map[string]any{
				"apiVersion": ownerVersion[owner], "kind": owner, "name": ownerName, "uid": owner + "-" + ownerName, "controller": true,
			}}
		}
		return map[string]any{"apiVersion": apiVersion, "kind": kind, "metadata": metadata, "spec": spec, "status": status}
	}}
}

var ownerVersion = map[string]string{"JobSet": "jobset.x-k8s.io/v1alpha2", "Deployment": "apps/v1"}

// joined are two tables in one.
type joined struct{ first, second generated }

func (j joined) Len() int { return j.first.n + j.second.n }
func (j joined) Object(i int) any {
	if i < j.first.n {
		return j.first.make(i)
	}
	return j.second.make(i - j.first.n)
}

// bigServer has 5,000 workloads of five kinds with 50,000 pods.
func bigServer(t testing.TB) *clustertest.Server {
	server := clustertest.Start(t)
	template := map[string]any{"spec": map[string]any{"containers": []any{map[string]any{
		"name": "w", "image": "registry.example.dev/team/train:v1.2.3",
		"resources": map[string]any{"requests": map[string]any{"cpu": "8"}, "limits": map[string]any{"nvidia.com/gpu": "1"}},
	}}}}
	workers := map[string]any{"replicas": perRoot, "parallelism": perRoot, "completions": perRoot, "template": template}
	status := map[string]any{"replicas": perRoot, "readyReplicas": perRoot, "availableReplicas": perRoot, "active": perRoot, "ready": perRoot}
	kinds := map[string]clustertest.Kind{}
	for _, kind := range clustertest.StandardKinds() {
		if kind.Group != "batch.volcano.sh" {
			kinds[kind.Kind] = kind
		}
	}
	jobs := rootsOf("batch/v1", "Job", "Job", "", workers, status)
	jobsOfSets := rootsOf("batch/v1", "Job", "ofset", "JobSet", workers, status)
	server.Generate(kinds["Job"], joined{jobs, jobsOfSets})
	server.Generate(kinds["StatefulSet"], rootsOf("apps/v1", "StatefulSet", "StatefulSet", "", workers, status))
	server.Generate(kinds["Deployment"], rootsOf("apps/v1", "Deployment", "Deployment", "", workers, status))
	server.Generate(kinds["ReplicaSet"], rootsOf("apps/v1", "ReplicaSet", "ofdeployment", "Deployment", workers, status))
	server.Generate(kinds["JobSet"], rootsOf("jobset.x-k8s.io/v1alpha2", "JobSet", "JobSet", "",
		map[string]any{"replicatedJobs": []any{map[string]any{"name": "w", "replicas": 1, "template": map[string]any{"spec": workers}}}}, map[string]any{}))
	server.Generate(kinds["RayCluster"], rootsOf("ray.io/v1", "RayCluster", "RayCluster", "",
		map[string]any{"workerGroupSpecs": []any{map[string]any{"groupName": "small", "replicas": perRoot, "template": template}}}, map[string]any{"state": "ready"}))
	yes := true
	var owners []metav1.OwnerReference
	for _, of := range [][3]string{
		{"batch/v1", "Job", "Job"}, {"batch/v1", "Job", "ofset"}, {"apps/v1", "StatefulSet", "StatefulSet"},
		{"apps/v1", "ReplicaSet", "ofdeployment"}, {"ray.io/v1", "RayCluster", "RayCluster"},
	} {
		for i := range perKind {
			name := fmt.Sprintf("%s-%d", of[2], i)
			owners = append(owners, metav1.OwnerReference{APIVersion: of[0], Kind: of[1], Name: name, UID: types.UID(of[1] + "-" + name), Controller: &yes})
		}
	}
	server.Generate(kinds["Pod"], generatedPods{owners})
	return server
}

// TestScale reads 5,000 workloads of five kinds with 50,000 pods. The memory
// includes what the server takes.
func TestScale(t *testing.T) {
	server := bigServer(t)
	answering := serverTime(t, server)
	client := server.Client(t)
	peak := watchMemory(t)
	start := time.Now()
	result := askAll(t, client, cluster.Query{})
	took := time.Since(start)
	most := peak()
	if len(result.Found) != 5*perKind || len(result.Faults) != 0 {
		t.Fatalf("found %d workloads, faults %v", len(result.Found), result.Faults)
	}
	for _, found := range result.Found {
		w := found.Workload
		if w.Replicas.Ready == nil || *w.Replicas.Ready != perRoot || w.Resources.GPUs != perRoot {
			t.Fatalf("%s %s has %s ready pods and %d GPUs, want %d", w.Kind, w.Name, count(w.Replicas.Ready), w.Resources.GPUs, perRoot)
		}
	}
	requests := server.Requests()
	pages := 0
	for _, r := range requests {
		if r.Verb != "list" {
			t.Errorf("asked %s: every owner was in a list", r)
		}
		pages++
	}
	// Twelve covered kinds are served; the lists of four have two pages and that of Jobs has four.
	if want := 5*perKind*perRoot/500 + 20; pages > want {
		t.Errorf("%d requests, want at most %d", pages, want)
	}
	if most > 600<<20 {
		t.Errorf("took %d MiB", most>>20)
	}
	t.Logf("%d requests, %v, of which the server's own answers %v; %d MiB with the server", len(requests), took, answering, most>>20)
}

// serverTime is how long the same answers take when nobody reads them.
func serverTime(t *testing.T, server *clustertest.Server) time.Duration {
	t.Helper()
	web, err := rest.HTTPClientFor(server.Config())
	if err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	var group sync.WaitGroup
	for path, pages := range map[string]int{
		"/api/v1/pods": 100, "/apis/batch/v1/jobs": 4, "/apis/apps/v1/statefulsets": 2, "/apis/apps/v1/deployments": 2,
		"/apis/apps/v1/replicasets": 2, "/apis/jobset.x-k8s.io/v1alpha2/jobsets": 2, "/apis/ray.io/v1/rayclusters": 2,
	} {
		group.Go(func() {
			for page := range pages {
				request, _ := http.NewRequestWithContext(context.Background(), http.MethodGet, fmt.Sprintf("%s%s?limit=500&continue=%d", server.URL, path, page*500), nil)
				request.Header.Set("Accept", "application/vnd.kubernetes.protobuf,application/json")
				answer, err := web.Do(request)
				if err != nil {
					t.Error(err)
					return
				}
				_, _ = io.Copy(io.Discard, answer.Body)
				_ = answer.Body.Close()
			}
		})
	}
	group.Wait()
	server.Requests()
	return time.Since(start)
}

// watchMemory samples the heap until its result is called, which gives the most there was.
func watchMemory(t *testing.T) (peak func() uint64) {
	t.Helper()
	runtime.GC()
	stop, done := make(chan struct{}), make(chan uint64)
	go func() {
		var most uint64
		for {
			var stats runtime.MemStats
			runtime.ReadMemStats(&stats)
			most = max(most, stats.HeapInuse+stats.StackInuse)
			select {
			case <-stop:
				done <- most
				return
			case <-time.After(20 * time.Millisecond):
			}
		}
	}()
	return func() uint64 { close(stop); return <-done }
}

// TestOneLargeWorkload reads a workload with 2,000 pods as describe does.
func TestOneLargeWorkload(t *testing.T) {
	server := clustertest.Start(t)
	server.AddYAML(t, strings.ReplaceAll(rayCluster, "namespace: a", "namespace: team-0"))
	yes := true
	owner := metav1.OwnerReference{APIVersion: "ray.io/v1", Kind: "RayCluster", Name: "train", UID: "raycluster-train", Controller: &yes}
	pods := generatedPods{slices.Repeat([]metav1.OwnerReference{owner}, 2000/perRoot)}
	kind := clustertest.StandardKinds()[0]
	for i := range pods.Len() {
		pod := pods.Object(i).(*corev1.Pod)
		pod.Name, pod.Namespace = fmt.Sprintf("train-%d", i), "team-0"
		pod.APIVersion, pod.Kind = "v1", kind.Kind
		object, err := apiruntime.DefaultUnstructuredConverter.ToUnstructured(pod)
		if err != nil {
			t.Fatal(err)
		}
		server.Add(t, object)
	}
	client := server.Client(t)
	start := time.Now()
	result := ask(t, client, "raycluster", cluster.Query{Namespace: "team-0", Names: []string{"train"}, KeepPods: true})
	if got, want := told(result), "RayCluster team-0/train Running ready 2000 of 3 gpus 8\n"; got != want || len(result.Found[0].Pods) != 2000 {
		t.Fatalf("got %d pods, %s", len(result.Found[0].Pods), got)
	}
	if _, err := client.Warnings(context.Background(), result.Found[0]); err != nil {
		t.Error(err)
	}
	t.Logf("took %v with the server's own answers", time.Since(start))
}

// TestFewRequestsAtATime counts the requests that run together.
func TestFewRequestsAtATime(t *testing.T) {
	server := rayServer(t)
	var running, most atomic.Int32
	server.Handle(func(http.ResponseWriter, *http.Request, clustertest.Request) bool {
		n := running.Add(1)
		for held := most.Load(); n > held && !most.CompareAndSwap(held, n); held = most.Load() {
		}
		time.Sleep(50 * time.Millisecond)
		running.Add(-1)
		return false
	})
	if got := told(askAll(t, server.Client(t), cluster.Query{Namespace: "a"})); got != trainLine {
		t.Errorf("got %s", got)
	}
	if most.Load() > 8 || most.Load() < 4 {
		t.Errorf("%d requests ran together, want up to 8", most.Load())
	}
}
