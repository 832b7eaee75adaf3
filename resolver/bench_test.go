package resolver_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/workloadmap/wm/catalog"
	"github.com/workloadmap/wm/resolver"
)

// rayCluster is a RayCluster as an API server gives it, with some groups of four workers.
func rayCluster(groups int) map[string]any {
	template := func(gpus string) map[string]any {
		return map[string]any{
			"metadata": map[string]any{"labels": map[string]any{"team": "research"}, "annotations": map[string]any{"note": "x"}},
			"spec": map[string]any{
				"containers": []any{map[string]any{
					"name": "ray", "image": "registry.example/ray:2.40.0",
					"resources": map[string]any{
						"limits":   map[string]any{"cpu": "8", "memory": "64Gi", "nvidia.com/gpu": gpus},
						"requests": map[string]any{"cpu": "8", "memory": "64Gi"},
					},
					"env":          []any{map[string]any{"name": "A", "value": "1"}, map[string]any{"name": "B", "value": "2"}},
					"volumeMounts": []any{map[string]any{"name": "data", "mountPath": "/data"}},
				}},
				"volumes": []any{map[string]any{"name": "data", "emptyDir": map[string]any{}}},
			},
		}
	}
	var specs []any
	for i := range groups {
		specs = append(specs, map[string]any{
			"groupName": fmt.Sprintf("group-%d", i), "replicas": int64(4), "minReplicas": int64(1), "maxReplicas": int64(10),
			"numOfHosts": int64(1), "rayStartParams": map[string]any{}, "template": template("8"),
		})
	}
	return map[string]any{
		"apiVersion": "ray.io/v1", "kind": "RayCluster",
		"metadata": map[string]any{"name": "train", "namespace": "ml", "uid": "root", "creationTimestamp": "2026-01-01T00:00:00Z", "generation": int64(2)},
		"spec": map[string]any{
			"rayVersion":       "2.40.0",
			"headGroupSpec":    map[string]any{"rayStartParams": map[string]any{}, "template": template("0")},
			"workerGroupSpecs": specs,
		},
		"status": map[string]any{
			"state": "ready", "desiredWorkerReplicas": int64(4 * groups), "readyWorkerReplicas": int64(4 * groups),
			"conditions": []any{
				map[string]any{"type": "HeadPodReady", "status": "True", "reason": "HeadPodRunningAndReady"},
				map[string]any{"type": "RayClusterProvisioned", "status": "True", "reason": "AllPodRunningAndReadyFirstTime"},
			},
		},
	}
}

// rayPods are worker pods of a RayCluster as an API server gives them.
func rayPods(count, groups int) []map[string]any {
	pods := make([]map[string]any, count)
	for i := range pods {
		group := fmt.Sprintf("group-%d", i%groups)
		pods[i] = map[string]any{
			"apiVersion": "v1", "kind": "Pod",
			"metadata": map[string]any{
				"name": fmt.Sprintf("train-%s-worker-%d", group, i), "namespace": "ml", "uid": fmt.Sprint("pod-", i), "resourceVersion": "1",
				"labels": map[string]any{
					"ray.io/cluster": "train", "ray.io/node-type": "worker", "ray.io/group": group, "ray.io/is-ray-node": "yes",
					"app.kubernetes.io/name": "kuberay", "app.kubernetes.io/created-by": "kuberay-operator",
				},
				"ownerReferences": []any{map[string]any{"apiVersion": "ray.io/v1", "kind": "RayCluster", "name": "train", "uid": "root", "controller": true}},
			},
			"spec": map[string]any{
				"nodeName": fmt.Sprint("node-", i%100), "restartPolicy": "Always", "terminationGracePeriodSeconds": int64(30),
				"containers": []any{map[string]any{
					"name": "ray", "image": "registry.example/ray:2.40.0",
					"resources": map[string]any{"limits": map[string]any{"nvidia.com/gpu": "8"}},
					"ports":     []any{map[string]any{"containerPort": int64(8080), "protocol": "TCP"}},
				}},
				"tolerations": []any{map[string]any{"key": "node.kubernetes.io/not-ready", "operator": "Exists", "tolerationSeconds": int64(300)}},
			},
			"status": map[string]any{
				"phase": "Running", "podIP": "10.0.0.1",
				"conditions": []any{
					map[string]any{"type": "Initialized", "status": "True"}, map[string]any{"type": "Ready", "status": "True"},
					map[string]any{"type": "PodScheduled", "status": "True"},
				},
				"containerStatuses": []any{map[string]any{
					"name": "ray", "ready": true, "restartCount": int64(0), "state": map[string]any{"running": map[string]any{"startedAt": "2026-01-01T00:00:00Z"}},
				}},
			},
		}
	}
	return pods
}

// BenchmarkResolve is one view without pods; BenchmarkView in jq compares it with
// the first implementation.
func BenchmarkResolve(b *testing.B) {
	compiled, object := builtin(b, "ray-io-raycluster-v1"), rayCluster(3)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := compiled.Resolve(context.Background(), object); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkResolvePods grows the pods of a RayCluster of 50 groups.
func BenchmarkResolvePods(b *testing.B) {
	compiled, object := builtin(b, "ray-io-raycluster-v1"), rayCluster(50)
	for _, count := range []int{0, 500, 5_000, 50_000} {
		pods := rayPods(count, 50)
		b.Run(fmt.Sprint(count), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				view, err := compiled.Resolve(context.Background(), object, resolver.WithPods(pods))
				if err != nil || *view.Replicas.Ready != int64(count) {
					b.Fatal(view.Replicas, err)
				}
			}
			if count > 0 {
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(count), "ns/pod")
			}
		})
	}
}

func BenchmarkResolveParallel(b *testing.B) {
	compiled, object := builtin(b, "ray-io-raycluster-v1"), rayCluster(3)
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if _, err := compiled.Resolve(context.Background(), object); err != nil {
				b.Error(err)
				return
			}
		}
	})
}

func BenchmarkEdit(b *testing.B) {
	compiled, object := builtin(b, "ray-io-raycluster-v1"), rayCluster(3)
	for b.Loop() {
		if _, err := compiled.Edit(context.Background(), object, resolver.Target{}, resolver.Patch{SchedulerName: "kai"}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkSetStart makes a Set of the whole catalog, which compiles nothing yet.
func BenchmarkSetStart(b *testing.B) {
	for b.Loop() {
		if _, err := resolver.NewSet(catalog.Candidates()); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkCompileCatalog reads and compiles every built-in definition.
func BenchmarkCompileCatalog(b *testing.B) {
	for b.Loop() {
		for _, entry := range catalog.Entries() {
			definition, err := entry.Load()
			if err != nil {
				b.Fatal(err)
			}
			if _, err := resolver.Compile(definition); err != nil {
				b.Fatal(err)
			}
		}
	}
}
