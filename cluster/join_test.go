package cluster_test

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/workloadmap/wm/api/v1alpha1"
	"github.com/workloadmap/wm/cluster"
	"github.com/workloadmap/wm/cluster/clustertest"
	"github.com/workloadmap/wm/resolver"
)

// object is an object with an owner, "KIND NAME" of one of the kinds below, or none.
func object(kind, name, owner, rest string) string {
	apiVersions := map[string]string{
		"Pod": "v1", "Node": "v1", "Job": "batch/v1", "JobSet": "jobset.x-k8s.io/v1alpha2", "RayJob": "ray.io/v1", "RayCluster": "ray.io/v1",
		"StatefulSet": "apps/v1", "LeaderWorkerSet": "leaderworkerset.x-k8s.io/v1", "Zork": "example.dev/v1", "Unserved": "gone.dev/v1",
		"Deployment": "apps/v1", "ReplicaSet": "apps/v1",
	}
	text := fmt.Sprintf("apiVersion: %s\nkind: %s\nmetadata:\n  name: %s\n  namespace: a\n", apiVersions[kind], kind, name)
	if owner != "" {
		ownerKind, ownerName, _ := strings.Cut(owner, " ")
		text += fmt.Sprintf("  ownerReferences: [{apiVersion: %s, kind: %s, name: %s, uid: %s-%s, controller: true}]\n",
			apiVersions[ownerKind], ownerKind, ownerName, strings.ToLower(ownerKind), ownerName)
	}
	return text + rest + "\n---\n"
}

const readyPod = "spec: {containers: [{name: c}]}\nstatus: {phase: Running, conditions: [{type: Ready, status: \"True\"}]}"

// jobSetPod is a pod of the JobSet sweep below a Job.
func jobSetPod(name, job string) string {
	return object("Pod", name, "Job "+job, "  labels: {jobset.sigs.k8s.io/jobset-name: sweep, jobset.sigs.k8s.io/replicatedjob-name: w}\n"+readyPod)
}

const jobSet = `apiVersion: jobset.x-k8s.io/v1alpha2
kind: JobSet
metadata: {name: sweep, namespace: a}
spec: {replicatedJobs: [{name: w, replicas: 1, template: {spec: {parallelism: 2, completions: 2, template: {spec: {containers: [{name: w}]}}}}}]}
---
`

func TestIntermediateOwnersAreReadOnce(t *testing.T) {
	server := clustertest.Start(t)
	server.AddYAML(t, jobSet+object("Job", "sweep-w-0", "JobSet sweep", "")+
		jobSetPod("p1", "sweep-w-0")+jobSetPod("p2", "sweep-w-0")+
		// Pods of other owners: one that is there, and one that is gone, each with two pods.
		object("Job", "other", "", "")+object("Pod", "o1", "Job other", readyPod)+object("Pod", "o2", "Job other", readyPod)+
		object("Pod", "g1", "Job gone", readyPod)+object("Pod", "g2", "Job gone", readyPod))
	result := ask(t, server.Client(t), "jobset", cluster.Query{Namespace: "a"})
	if got, want := told(result), "JobSet a/sweep Initializing ready 2 of 2 gpus 0\n"; got != want {
		t.Errorf("got %swant %s", got, want)
	}
	asked := strings.Split(requested(server), "\n")
	slices.Sort(asked)
	want := []string{
		"get jobs.batch metadata -n a gone", "get jobs.batch metadata -n a other", "get jobs.batch metadata -n a sweep-w-0",
		"list jobsets.jobset.x-k8s.io -n a", "list pods -n a",
	}
	if difference := cmp.Diff(want, asked); difference != "" {
		t.Errorf("asked (-want +got):\n%s", difference)
	}
}

// TestManyOwnersAreListed has 40 Jobs between a JobSet and its pods.
func TestManyOwnersAreListed(t *testing.T) {
	server := clustertest.Start(t)
	server.AddYAML(t, jobSet)
	for i := range 40 {
		job := fmt.Sprintf("sweep-w-%d", i)
		server.AddYAML(t, object("Job", job, "JobSet sweep", "")+jobSetPod("p"+job, job))
	}
	result := ask(t, server.Client(t), "jobset", cluster.Query{Namespace: "a"})
	if got, want := told(result), "JobSet a/sweep Initializing ready 40 of 2 gpus 0\n"; got != want {
		t.Errorf("got %swant %s", got, want)
	}
	if got, want := requested(server), "list jobsets.jobset.x-k8s.io -n a\nlist pods -n a\nlist jobs.batch metadata -n a"; got != want {
		t.Errorf("asked\n%s\nwant\n%s", got, want)
	}
}

// TestManyOwnersWithoutTheRightToList falls back to reading one by one.
func TestManyOwnersWithoutTheRightToList(t *testing.T) {
	server := clustertest.Start(t)
	server.AddYAML(t, jobSet)
	for i := range 30 {
		job := fmt.Sprintf("sweep-w-%d", i)
		server.AddYAML(t, object("Job", job, "JobSet sweep", "")+jobSetPod("p"+job, job))
	}
	server.Fail(func(r clustertest.Request) *clustertest.Failure {
		if r.Verb == "list" && r.Resource == "jobs" {
			return clustertest.Forbidden(r)
		}
		return nil
	})
	result := ask(t, server.Client(t), "jobset", cluster.Query{Namespace: "a"})
	if got, want := told(result), "JobSet a/sweep Initializing ready 30 of 2 gpus 0\n"; got != want {
		t.Errorf("got %swant %s", got, want)
	}
	if n := len(server.Requests()); n != 33 {
		t.Errorf("%d requests, want two lists, one refused list and 30 Jobs", n)
	}
}

// TestBrokenChains join pods by the label that their gang is told by.
func TestBrokenChains(t *testing.T) {
	t.Run("the Job was deleted in between", func(t *testing.T) {
		server := clustertest.Start(t)
		server.AddYAML(t, jobSet+jobSetPod("p1", "sweep-w-0")+jobSetPod("p2", "sweep-w-0"))
		if got, want := told(ask(t, server.Client(t), "jobset", cluster.Query{Namespace: "a"})), "JobSet a/sweep Initializing ready 2 of 2 gpus 0\n"; got != want {
			t.Errorf("got %swant %s", got, want)
		}
	})
	t.Run("another Job took the name", func(t *testing.T) {
		server := clustertest.Start(t)
		server.AddYAML(t, jobSet+jobSetPod("p1", "sweep-w-0"))
		server.AddYAML(t, "apiVersion: batch/v1\nkind: Job\nmetadata: {name: sweep-w-0, namespace: a, uid: another}\n")
		if got, want := told(ask(t, server.Client(t), "jobset", cluster.Query{Namespace: "a"})), "JobSet a/sweep Initializing ready 1 of 2 gpus 0\n"; got != want {
			t.Errorf("got %swant %s", got, want)
		}
	})
	t.Run("Jobs may not be read", func(t *testing.T) {
		server := clustertest.Start(t)
		server.AddYAML(t, jobSet+jobSetPod("p1", "sweep-w-0")+jobSetPod("p2", "sweep-w-1")+jobSetPod("p3", "sweep-w-2"))
		server.Fail(func(r clustertest.Request) *clustertest.Failure {
			if r.Resource == "jobs" {
				return clustertest.Forbidden(r)
			}
			return nil
		})
		got := told(ask(t, server.Client(t), "jobset", cluster.Query{Namespace: "a"}))
		want := "JobSet a/sweep Initializing ready 3 of 2 gpus 0\n" +
			`fault: cannot read jobs.batch sweep-w-0 in namespace a: jobs.batch is forbidden: User "tester" cannot get resource "jobs" in API group "batch" in the namespace "a"` + "\n"
		if got != want {
			t.Errorf("got %swant %s", got, want)
		}
		if n := len(server.Requests()); n != 3 {
			t.Errorf("%d requests; a kind that may not be read is to be asked for once", n)
		}
	})
}

// TestRoots counts each pod once, below the highest workload that owns it, and
// asks for each kind once, for the pods, and for owners of other kinds.
func TestRoots(t *testing.T) {
	server := clustertest.Start(t)
	server.AddYAML(t, jobSet+object("Job", "sweep-w-0", "JobSet sweep", "")+jobSetPod("p1", "sweep-w-0")+jobSetPod("p2", "sweep-w-0")+
		object("RayJob", "nightly", "", "spec: {rayClusterSpec: {headGroupSpec: {template: {spec: {containers: [{name: h}]}}}}}")+
		object("RayCluster", "nightly-x", "RayJob nightly", "spec: {headGroupSpec: {template: {spec: {containers: [{name: h}]}}}}")+
		object("Pod", "nightly-head", "RayCluster nightly-x", "  labels: {ray.io/node-type: head}\n"+readyPod)+
		// A leader pod owns the StatefulSet of its workers.
		object("LeaderWorkerSet", "serve", "", "spec: {replicas: 1, leaderWorkerTemplate: {size: 2, workerTemplate: {spec: {containers: [{name: w}]}}}}")+
		object("StatefulSet", "serve", "LeaderWorkerSet serve", "")+
		object("Pod", "serve-0", "StatefulSet serve", "  labels: {leaderworkerset.sigs.k8s.io/name: serve, leaderworkerset.sigs.k8s.io/worker-index: \"0\", leaderworkerset.sigs.k8s.io/group-index: \"0\"}\n"+readyPod)+
		object("StatefulSet", "serve-0", "Pod serve-0", "")+
		object("Pod", "serve-0-1", "StatefulSet serve-0", "  labels: {leaderworkerset.sigs.k8s.io/name: serve, leaderworkerset.sigs.k8s.io/worker-index: \"1\", leaderworkerset.sigs.k8s.io/group-index: \"0\"}\n"+readyPod)+
		// Owners that no definition reads are looked through.
		object("Zork", "z", "", "")+object("StatefulSet", "zs", "Zork z", "spec: {replicas: 1, template: {spec: {containers: [{name: c}]}}}")+
		object("Pod", "zs-0", "StatefulSet zs", readyPod)+object("Pod", "z-pod", "Zork z", readyPod)+
		// Pods of nobody, of a node, of an owner of a kind that is gone, and of one that is gone itself.
		object("Pod", "alone", "", readyPod)+object("Pod", "mirror", "Node n1", readyPod)+object("Pod", "orphan", "Unserved u", readyPod)+
		object("Pod", "late", "Job gone", readyPod))
	result := askAll(t, server.Client(t), cluster.Query{Namespace: "a"})
	want := `JobSet a/sweep Initializing ready 2 of 2 gpus 0
LeaderWorkerSet a/serve Initializing ready 2 of 2 gpus 0
Pod a/alone Running ready 1 of 1 gpus 0
Pod a/late Running ready 1 of 1 gpus 0
Pod a/mirror Running ready 1 of 1 gpus 0
Pod a/orphan Running ready 1 of 1 gpus 0
Pod a/z-pod Running ready 1 of 1 gpus 0
RayJob a/nightly Initializing ready 1 of 2 gpus 0
StatefulSet a/zs Initializing ready 1 of 1 gpus 0
`
	if difference := cmp.Diff(want, told(result)); difference != "" {
		t.Errorf("want (-), got (+):\n%s", difference)
	}
	counted := map[string]int{}
	for _, r := range server.Requests() {
		counted[r.String()]++
		if counted[r.String()] > 1 {
			t.Errorf("asked twice: %s", r)
		}
		if r.Verb == "get" && r.Resource != "zorks" && r.Name != "gone" {
			t.Errorf("asked %s, whose kind was listed", r)
		}
	}
	if counted["get zorks.example.dev metadata -n a z"] != 1 {
		t.Errorf("asked %v", counted)
	}
}

// TestSelectedRoots keeps the owner of a selected object an owner.
func TestSelectedRoots(t *testing.T) {
	server := clustertest.Start(t)
	server.AddYAML(t, object("RayJob", "nightly", "", "  labels: {team: red}\nspec: {}")+
		object("RayCluster", "nightly-x", "RayJob nightly", "  labels: {team: blue}\nspec: {}")+object("RayJob", "mine", "", "  labels: {team: blue}\nspec: {}"))
	got := told(askAll(t, server.Client(t), cluster.Query{Namespace: "a", Labels: "team=blue"}))
	if want := "RayJob a/mine Initializing ready 0 of 1 gpus 0\n"; got != want {
		t.Errorf("got %swant %s", got, want)
	}
}

// TestAppearedInBetween lists the RayClusters before one comes into being whose
// pod is seen.
func TestAppearedInBetween(t *testing.T) {
	server := rayServer(t)
	server.Handle(func(w http.ResponseWriter, _ *http.Request, r clustertest.Request) bool {
		if r.Verb != "list" || r.Resource != "rayclusters" {
			return false
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"apiVersion": "ray.io/v1", "kind": "RayClusterList", "metadata": {}, "items": []}`)
		return true
	})
	if got := told(askAll(t, server.Client(t), cluster.Query{Namespace: "a"})); got != trainLine {
		t.Errorf("got %s", got)
	}
}

// TestCutPodsGiveTheSameView compares the view of cut pods with that of whole
// ones, which a definition gets that looks at the whole pod.
func TestCutPodsGiveTheSameView(t *testing.T) {
	greedy := catalogCandidate(t, "RayCluster")
	load := greedy.Load
	greedy.Load = func() (*v1alpha1.WorkloadMap, error) {
		definition, err := load()
		if err == nil {
			definition = definition.DeepCopy()
			selector := definition.Spec.StructureDefinition.ChildComponents[1].PodSelector.ComponentTypeSelector
			greedyPath := `[.] | .[0].metadata.labels["ray.io/node-type"]`
			selector.KeyPath = &greedyPath
		}
		return definition, err
	}
	greedySet, err := resolver.NewSet([]resolver.Candidate{greedy})
	if err != nil {
		t.Fatal(err)
	}
	server := rayServer(t)
	query := cluster.Query{Namespace: "a", KeepPods: true}
	cut := ask(t, server.Client(t), "raycluster", query)
	types := typesOf(t, server, greedySet)
	kind, err := types.Find("raycluster")
	if err != nil {
		t.Fatal(err)
	}
	query.Types = []cluster.Type{kind}
	whole := server.Client(t).Read(context.Background(), query)
	if difference := cmp.Diff(whole.Found[0].Workload, cut.Found[0].Workload); difference != "" {
		t.Errorf("whole (-), cut (+):\n%s", difference)
	}
	image := func(r *cluster.Result) any {
		return r.Found[0].Pods[0]["spec"].(map[string]any)["containers"].([]any)[0].(map[string]any)["image"]
	}
	if image(cut) != nil || image(whole) != "i" {
		t.Errorf("the image is %v of a cut pod, %v of a whole one", image(cut), image(whole))
	}
}

// TestBuiltInDefinitionsNeedNoWholePods keeps reading many pods cheap.
func TestBuiltInDefinitionsNeedNoWholePods(t *testing.T) {
	set := catalogSet(t)
	for _, kind := range set.Kinds() {
		match, err := set.Find(kind)
		if err != nil {
			t.Fatal(err)
		}
		if enough, err := match.Resolver.ReadsOfPods(cluster.KeptOfPods()...); err != nil || !enough {
			t.Errorf("%s reads more of pods than is kept (%v)", match.Resolver.Definition().Name, err)
		}
	}
}

// TestNamespaces lists pods where the workloads are, and everywhere when these are many.
func TestNamespaces(t *testing.T) {
	for namespaces, want := range map[int]int{2: 3, 11: 2} {
		server := clustertest.Start(t)
		for i := range namespaces {
			server.AddYAML(t, strings.ReplaceAll(rayCluster, "namespace: a", fmt.Sprintf("namespace: n%d", i)))
		}
		result := ask(t, server.Client(t), "raycluster", cluster.Query{})
		if len(result.Found) != namespaces || len(server.Requests()) != want {
			t.Errorf("%d namespaces: got %d workloads, asked %s", namespaces, len(result.Found), requested(server))
		}
	}
}

// TestNames reads named workloads and tells which are not there.
func TestNames(t *testing.T) {
	server := rayServer(t)
	got := told(ask(t, server.Client(t), "raycluster", cluster.Query{Namespace: "a", Names: []string{"train", "trian"}}))
	if want := trainLine + "fault: cannot read rayclusters.ray.io trian in namespace a: rayclusters.ray.io \"trian\" not found\n"; got != want {
		t.Errorf("got %swant %s", got, want)
	}
}

// TestDeletedBetweenListAndRead has the only RayCluster vanish before it is read.
func TestDeletedBetweenListAndRead(t *testing.T) {
	server := rayServer(t)
	server.Fail(func(r clustertest.Request) *clustertest.Failure {
		if r.Verb == "get" {
			return &clustertest.Failure{Status: clustertest.Status(404, metav1.StatusReasonNotFound, `rayclusters.ray.io "train" not found`)}
		}
		return nil
	})
	result := ask(t, server.Client(t), "raycluster", cluster.Query{Namespace: "a", Names: []string{"train"}})
	if len(result.Found) != 0 || len(result.Missing) != 1 || len(result.Faults) != 0 {
		t.Errorf("got %s", told(result))
	}
}
