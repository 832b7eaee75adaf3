package resolver_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/workloadmap/wm/catalog"
	"github.com/workloadmap/wm/resolver"
	"github.com/workloadmap/wm/source"
)

const cluster = `
apiVersion: ray.io/v1
kind: RayCluster
metadata: {name: train, namespace: ml, uid: c-1}
spec:
  suspend: false
  headGroupSpec:
    template: {spec: {containers: [{name: ray-head, image: "ray:2.40", resources: {limits: {cpu: 4}}}]}}
  workerGroupSpecs:
  - groupName: h100
    replicas: 2
    template: {spec: {containers: [{name: ray-worker, image: "ray:2.40", resources: {limits: {nvidia.com/gpu: 8}}}]}}
status: {state: ready, desiredWorkerReplicas: 2, readyWorkerReplicas: 2}
`

const pods = `
- {apiVersion: v1, kind: Pod, metadata: {name: train-head, labels: {ray.io/cluster: train, ray.io/node-type: head}}, status: {phase: Running, conditions: [{type: Ready, status: "True"}]}}
- {apiVersion: v1, kind: Pod, metadata: {name: train-h100-0, labels: {ray.io/cluster: train, ray.io/node-type: worker, ray.io/group: h100}}, status: {phase: Pending, conditions: [{type: PodScheduled, status: "False", reason: Unschedulable}]}}
- {apiVersion: v1, kind: Pod, metadata: {name: train-redis-cleanup, labels: {ray.io/cluster: train, ray.io/node-type: redis-cleanup}}}
`

// rayObjects is what a client of the API server would give.
func rayObjects() (object map[string]any, candidates []map[string]any) {
	documents, _ := source.Parse("cluster.yaml", []byte(cluster))
	object, _ = documents[0].Value().(map[string]any)
	documents, _ = source.Parse("pods.yaml", []byte(pods))
	list, _ := documents[0].Value().([]any)
	for _, pod := range list {
		candidates = append(candidates, pod.(map[string]any))
	}
	return object, candidates
}

// definitionFor finds the built-in definition of an object.
func definitionFor(object map[string]any) *resolver.Resolver {
	set, err := resolver.NewSet(catalog.Candidates())
	if err != nil {
		log.Fatal(err)
	}
	match, err := set.FindObject(object)
	if err != nil {
		log.Fatal(err)
	}
	return match.Resolver
}

// Read what an object asks for.
func ExampleResolver_Resolve() {
	object, _ := rayObjects()
	workload, err := definitionFor(object).Resolve(context.Background(), object)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(workload.Name, workload.Phase, *workload.Replicas.Desired, "pods")
	for _, problem := range workload.Problems {
		fmt.Println(problem.Component, problem.Field, problem.Message)
	}
	// Output: train Running 3 pods
}

// Sum the GPUs of each role and of the whole workload.
func ExampleWorkload_Walk() {
	object, _ := rayObjects()
	workload, err := definitionFor(object).Resolve(context.Background(), object)
	if err != nil {
		log.Fatal(err)
	}
	workload.Walk(func(c *resolver.Component) bool {
		for _, instance := range c.Instances {
			// Total is nil when the object does not tell how many pods there are.
			if instance.Total != nil {
				fmt.Printf("%s %s: %d\n", c.Name, instance.ID, instance.Total.GPUs)
			}
		}
		return true
	})
	fmt.Println("all:", workload.Resources.GPUs)
	// Output:
	// head : 0
	// worker h100: 16
	// all: 16
}

// Place pods: every one is in an instance, unattributed or ambiguous.
func ExampleWithPods() {
	object, candidates := rayObjects()
	workload, err := definitionFor(object).Resolve(context.Background(), object, resolver.WithPods(candidates))
	if err != nil {
		log.Fatal(err)
	}
	for _, role := range workload.Components {
		for _, instance := range role.Instances {
			for _, pod := range instance.Pods {
				fmt.Println(role.Name, instance.ID, pod.Name, pod.Phase, pod.Ready, pod.Reason == "Unschedulable")
			}
		}
	}
	fmt.Println("unattributed:", workload.Unattributed)
	// Output:
	// head  train-head Running true false
	// worker h100 train-h100-0 Pending false true
	// unattributed: [train-redis-cleanup]
}

// Group pods that must be placed together.
func ExampleWorkload_gangs() {
	object, candidates := rayObjects()
	workload, err := definitionFor(object).Resolve(context.Background(), object, resolver.WithPods(candidates))
	if err != nil {
		log.Fatal(err)
	}
	for _, gang := range workload.Gangs {
		fmt.Println(gang.Name, *gang.Key[0], "needs", *gang.MinMember, "has", gang.Pods)
	}
	// Output: cluster train needs 3 has [train-h100-0 train-head]
}

// Set a scheduler name on all roles, and a request on one.
func ExampleResolver_Edit() {
	object, _ := rayObjects()
	definition := definitionFor(object)
	edit, err := definition.Edit(context.Background(), object, resolver.Target{}, resolver.Patch{SchedulerName: "kai-scheduler"})
	if err != nil {
		log.Fatal(err)
	}
	edit, err = definition.Edit(context.Background(), edit.Object, resolver.Target{Component: "worker", Instance: "h100"}, resolver.Patch{
		Containers: map[string]resolver.ContainerPatch{
			"ray-worker": {Requests: corev1.ResourceList{"cpu": resource.MustParse("16")}},
		},
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, operation := range edit.JSONPatch() {
		fmt.Println(operation.Op, operation.Path, operation.Value)
	}
	// Output: add /spec/workerGroupSpecs/0/template/spec/containers/0/resources/requests map[cpu:16]
}

// An edit that cannot be made in full is not made at all.
func ExampleRefusedError() {
	object, _ := rayObjects()
	_, err := definitionFor(object).Edit(context.Background(), object, resolver.Target{}, resolver.Patch{
		Containers: map[string]resolver.ContainerPatch{"ray-head": {Image: "ray:2.41"}},
	})
	var refused *resolver.RefusedError
	if errors.As(err, &refused) {
		for _, refusal := range refused.Refusals {
			fmt.Printf("%s/%s: %s\n", refusal.Component, refusal.Instance, refusal.Reason)
		}
	}
	// Output: worker/h100: the pod has no container "ray-head", only ray-worker
}

// Suspend a workload in its framework's own way.
func ExampleResolver_Suspend() {
	object, _ := rayObjects()
	edit, err := definitionFor(object).Suspend(context.Background(), object)
	if err != nil {
		log.Fatal(err)
	}
	for _, operation := range edit.JSONPatch() {
		fmt.Println(operation.Op, operation.Path, operation.Value)
	}
	// Output: replace /spec/suspend true
}

// See what the KAI scheduler would make of the same definition.
func ExampleResolver_AsKAI() {
	object, _ := rayObjects()
	groups, err := definitionFor(object).AsKAI(context.Background(), object)
	if err != nil {
		log.Fatal(err)
	}
	for _, group := range groups {
		fmt.Println(group.Component, group.Instance, group.Group, group.MinAvailable)
	}
	// Output:
	// head  cluster 3
	// worker h100 cluster 3
}
