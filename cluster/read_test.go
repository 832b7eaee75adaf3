package cluster_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/workloadmap/wm/catalog"
	"github.com/workloadmap/wm/cluster"
	"github.com/workloadmap/wm/cluster/clustertest"
	"github.com/workloadmap/wm/resolver"
)

const rayCluster = `
apiVersion: ray.io/v1
kind: RayCluster
metadata: {name: train, namespace: a}
spec:
  headGroupSpec: {template: {spec: {containers: [{name: head, resources: {requests: {cpu: 1}}}]}}}
  workerGroupSpecs:
  - {groupName: small, replicas: 2, minReplicas: 0, maxReplicas: 4, template: {spec: {containers: [{name: worker, resources: {limits: {nvidia.com/gpu: 4}}}]}}}
status: {state: ready, readyWorkerReplicas: 2, desiredWorkerReplicas: 2, conditions: [{type: RayClusterProvisioned, status: "True"}, {type: HeadPodReady, status: "True"}]}
---
`

// rayPod is a pod of the RayCluster train; owner is its UID.
func rayPod(name, role, owner string) string {
	return fmt.Sprintf(`
apiVersion: v1
kind: Pod
metadata:
  name: %s
  namespace: a
  labels: {ray.io/cluster: train, ray.io/node-type: %s, ray.io/group: small}
  ownerReferences: [{apiVersion: ray.io/v1, kind: RayCluster, name: train, uid: %s, controller: true}]
spec: {nodeName: n1, containers: [{name: c, image: i}]}
status: {phase: Running, conditions: [{type: Ready, status: "True"}]}
---
`, name, role, owner)
}

func catalogSet(t testing.TB) *resolver.Set {
	t.Helper()
	set, err := resolver.NewSet(catalog.Candidates())
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// ask reads the workloads of one type.
func ask(t *testing.T, client *cluster.Client, word string, query cluster.Query) *cluster.Result {
	t.Helper()
	types, err := client.Types(context.Background(), catalogSet(t))
	if err != nil {
		t.Fatal(err)
	}
	kind, err := types.Find(word)
	if err != nil {
		t.Fatal(err)
	}
	query.Types = []cluster.Type{kind}
	return client.Read(context.Background(), query)
}

// askAll reads all workload roots.
func askAll(t *testing.T, client *cluster.Client, query cluster.Query) *cluster.Result {
	t.Helper()
	types, err := client.Types(context.Background(), catalogSet(t))
	if err != nil {
		t.Fatal(err)
	}
	var faults []error
	query.Types, faults = types.Covered()
	query.Roots = true
	result := client.Read(context.Background(), query)
	result.Faults = append(faults, result.Faults...)
	return result
}

// told is a result in text: a line for each workload, and one for each fault.
func told(result *cluster.Result) string {
	var text strings.Builder
	for _, found := range result.Found {
		w := found.Workload
		fmt.Fprintf(&text, "%s %s/%s %s ready %s of %s gpus %d\n", w.Kind, w.Namespace, w.Name, w.Phase, count(w.Replicas.Ready), count(w.Replicas.Desired), w.Resources.GPUs)
		if len(w.Unattributed) > 0 {
			fmt.Fprintf(&text, "  unattributed %v\n", w.Unattributed)
		}
	}
	for _, fault := range append(result.Missing, result.Faults...) {
		fmt.Fprintf(&text, "fault: %v\n", fault)
	}
	return text.String()
}

func count(n *int64) string {
	if n == nil {
		return "?"
	}
	return fmt.Sprint(*n)
}

func requested(server *clustertest.Server) string {
	var lines []string
	for _, r := range server.Requests() {
		lines = append(lines, r.String())
	}
	return strings.Join(lines, "\n")
}

func TestRayClusterWithPods(t *testing.T) {
	for name, options := range map[string][]clustertest.Option{"aggregated": nil, "legacy": {clustertest.LegacyDiscovery()}} {
		t.Run(name, func(t *testing.T) {
			server := clustertest.Start(t, options...)
			server.AddYAML(t, rayCluster+rayPod("head", "head", "raycluster-train")+rayPod("w1", "worker", "raycluster-train")+
				rayPod("other", "worker", "raycluster-other"))
			result := ask(t, server.Client(t), "RayCluster", cluster.Query{Namespace: "a"})
			if got, want := told(result), "RayCluster a/train Running ready 2 of 3 gpus 8\n"; got != want {
				t.Errorf("got %s want %s", got, want)
			}
			if got, want := requested(server), "list rayclusters.ray.io -n a\nlist pods -n a"; got != want {
				t.Errorf("asked\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// TestServerWithoutProtobuf lists several pages of pods from a server that
// speaks JSON alone.
func TestServerWithoutProtobuf(t *testing.T) {
	server := rayServer(t)
	for i := range 600 {
		server.AddYAML(t, rayPod(fmt.Sprintf("x%04d", i), "worker", "raycluster-train"))
	}
	server.Handle(func(_ http.ResponseWriter, request *http.Request, _ clustertest.Request) bool {
		if strings.Contains(request.Header.Get("Accept"), "protobuf") {
			request.Header.Set("Accept", "application/json")
		}
		return false
	})
	if got, want := told(ask(t, server.Client(t), "raycluster", cluster.Query{Namespace: "a"})), "RayCluster a/train Running ready 602 of 3 gpus 8\n"; got != want {
		t.Errorf("got %swant %s", got, want)
	}
}
