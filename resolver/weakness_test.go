package resolver_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/workloadmap/wm/resolver"
)

// The first implementation of the format is known to go wrong in numbered ways.
// Each test here is named after the number and shows what is right instead.
// Numbers that concern single definitions (32, 33) are the catalog's.

// viewOf resolves what the short forms of the cases say.
func viewOf(t *testing.T, components, gangs, object, pods string) *resolver.Workload {
	t.Helper()
	held := files{"components.yaml": parseYAML(t, "components", []byte(components)), "object.yaml": parseYAML(t, "object", []byte(object))}
	if gangs != "" {
		held["gangs.yaml"] = parseYAML(t, "gangs", []byte(gangs))
	}
	if pods != "" {
		held["pods.yaml"] = parseYAML(t, "pods", []byte(pods))
	}
	compiled := held.resolver(t)
	view, err := compiled.Resolve(context.Background(), held.object("object.yaml"), held.pods()...)
	if err != nil {
		t.Fatal(err)
	}
	return view
}

func builtinView(t *testing.T, name, object string) *resolver.Workload {
	t.Helper()
	view, err := builtin(t, name).Resolve(context.Background(), parseYAML(t, "object", []byte(object)).(map[string]any))
	if err != nil {
		t.Fatal(err)
	}
	return view
}

// summary is what the tests of this file compare: the pods of each role as
// role[/instance]: names.
func podsByRole(view *resolver.Workload) map[string][]string {
	all := map[string][]string{}
	view.Walk(func(c *resolver.Component) bool {
		for _, instance := range c.Instances {
			for _, pod := range instance.Pods {
				name := c.Name
				if instance.ID != "" {
					name += "/" + instance.ID
				}
				all[name] = append(all[name], pod.Name)
			}
		}
		return true
	})
	return all
}

// gangSizes are the gangs as "name key: minMember".
func gangSizes(view *resolver.Workload) []string {
	var sizes []string
	for _, gang := range view.Gangs {
		text := gang.Name
		for _, part := range gang.Key {
			if part == nil {
				text += " ?"
			} else {
				text += " " + *part
			}
		}
		if gang.MinMember == nil {
			sizes = append(sizes, text+": ?")
		} else {
			sizes = append(sizes, fmt.Sprintf("%s: %d", text, *gang.MinMember))
		}
	}
	return sizes
}

func wantSame[T any](t *testing.T, want, got T) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestWeakness15ValueFoundThroughEitherSideOfADefault(t *testing.T) {
	view := viewOf(t, `
- {name: train}
- {name: ps, specDefinition: {podSpecPath: .spec}, podSelector: {componentTypeSelector: {keyPath: '.metadata.labels.role // .metadata.labels.kind', value: ps}}}
`, "", `{spec: {}}`, `[{name: a, labels: {role: ps}}, {name: b, labels: {kind: ps}}, {name: c, labels: {role: chief, kind: ps}}]`)
	wantSame(t, map[string][]string{"ps": {"a", "b"}}, podsByRole(view))
}

func TestWeakness16AThousandInstancesAreNotTooMany(t *testing.T) {
	var names, counts []any
	for i := range 1000 {
		names, counts = append(names, fmt.Sprintf("n%d", i)), append(counts, 1)
	}
	compiled := compile(t, definitionFrom([]any{
		map[string]any{"name": "train"},
		map[string]any{"name": "worker", "instanceIdPath": ".spec.names[]", "specDefinition": map[string]any{"podSpecPath": ".spec.pods[]"},
			"scaleDefinition": map[string]any{"replicasPath": ".spec.counts[]"},
			"podSelector":     map[string]any{"componentInstanceSelector": map[string]any{"idPath": ".x"}}},
	}, nil))
	pods := make([]any, 1000)
	for i := range pods {
		pods[i] = map[string]any{}
	}
	view, err := compiled.Resolve(context.Background(), withHeader(map[string]any{"spec": map[string]any{"names": names, "counts": counts, "pods": pods}}))
	if err != nil || len(view.Problems) > 0 || *view.Replicas.Desired != 1000 {
		t.Errorf("%v, %v pods, problems %v", err, view.Replicas.Desired, view.Problems)
	}
}

func TestWeakness17AnAbsentRoleIsNotOneEmptyPod(t *testing.T) {
	view := viewOf(t, `
- {name: train}
- {name: launcher, specDefinition: {podTemplateSpecPath: .spec.launcher.template}, scaleDefinition: {replicasPath: .spec.launcher.replicas // 1}}
- {name: worker, specDefinition: {podTemplateSpecPath: .spec.worker.template}, scaleDefinition: {replicasPath: .spec.worker.replicas // 1}}
`, "", `{spec: {worker: {template: {spec: {}}}}}`, "")
	if view.Component("launcher") != nil || view.Component("worker") == nil || *view.Replicas.Desired != 1 {
		t.Errorf("got %+v", view.Components)
	}
}

func TestWeakness18AnEditedPodStaysAPod(t *testing.T) {
	compiled := compile(t, definitionFrom([]any{map[string]any{
		"name": "pod", "kind": map[string]any{"group": "", "version": "v1", "kind": "Pod"},
		"specDefinition": map[string]any{"podTemplateSpecPath": "."},
	}}, nil))
	edit, err := compiled.Edit(context.Background(), parseYAML(t, "pod", []byte(
		`{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {containers: [{name: c, odd: 1}]}, status: {phase: Running}}`,
	)).(map[string]any), resolver.Target{}, resolver.Patch{Labels: map[string]string{"a": "b"}})
	if err != nil {
		t.Fatal(err)
	}
	wantSame(t, deepCopy(t, parseYAML(t, "want", []byte(
		`{apiVersion: v1, kind: Pod, metadata: {name: p, labels: {a: b}}, spec: {containers: [{name: c, odd: 1}]}, status: {phase: Running}}`,
	))), deepCopy(t, edit.Object))
}

func TestWeakness19TwoGroupsOfTwoAreTwoGangsOfTwo(t *testing.T) {
	view := builtinView(t, "leaderworkerset-x-k8s-io-leaderworkerset-v1", `
apiVersion: leaderworkerset.x-k8s.io/v1
kind: LeaderWorkerSet
metadata: {name: l}
spec: {replicas: 2, leaderWorkerTemplate: {size: 2, workerTemplate: {spec: {containers: [{name: w}]}}}}
`)
	wantSame(t, []string{"group ? 0: 2", "group ? 1: 2"}, gangSizes(view))
}

func TestWeakness20AGangIsTheSumOfItsMembers(t *testing.T) {
	view := builtinView(t, "ray-io-raycluster-v1", `
apiVersion: ray.io/v1
kind: RayCluster
metadata: {name: r}
spec:
  headGroupSpec: {template: {spec: {containers: [{name: h}]}}}
  workerGroupSpecs: [{groupName: a, replicas: 4, template: {spec: {containers: [{name: w}]}}}]
`)
	wantSame(t, []string{"cluster ?: 5"}, gangSizes(view))
}

const twoRoles = `
- {name: train}
- {name: a, specDefinition: {podSpecPath: .spec}, scaleDefinition: {replicasPath: "2"}, podSelector: {componentTypeSelector: {matchLabels: {role: a}}}}
- {name: b, specDefinition: {podSpecPath: .spec}, scaleDefinition: {replicasPath: "3"}, podSelector: {componentTypeSelector: {matchLabels: {role: b}}}}
`

func TestWeakness21EqualKeysOfTwoGroupsDoNotCollide(t *testing.T) {
	view := viewOf(t, twoRoles, `
podGroups:
- {name: first, members: [{componentName: a, groupByKeyPaths: [.metadata.labels.set]}]}
- {name: second, members: [{componentName: b, groupByKeyPaths: [.metadata.labels.set]}]}
`, `{spec: {}}`, `[{name: p, labels: {role: a, set: s}}, {name: q, labels: {role: b, set: s}}]`)
	wantSame(t, []string{"first s: 2", "second s: 3"}, gangSizes(view))
}

func TestWeakness22AMinimumOfZeroIsZero(t *testing.T) {
	view := viewOf(t, `
- {name: train}
- {name: a, specDefinition: {podSpecPath: .spec}, scaleDefinition: {replicasPath: "4", minReplicasPath: "0"}}
- {name: b, specDefinition: {podSpecPath: .spec}, scaleDefinition: {replicasPath: "0"}}
- {name: c, specDefinition: {podSpecPath: .spec}, scaleDefinition: {replicasPath: "2"}}
`, `podGroups: [{name: g, members: [{componentName: train}]}]`, `{spec: {}}`, "")
	wantSame(t, []string{"g: 2"}, gangSizes(view))
}

func TestWeakness23OnePhaseForACompletedParallelJob(t *testing.T) {
	view := builtinView(t, "batch-job-v1", `
apiVersion: batch/v1
kind: Job
metadata: {name: j}
spec: {parallelism: 3, completions: 3, template: {spec: {containers: [{name: c}]}}}
status: {succeeded: 3, ready: 0, conditions: [{type: Complete, status: "True"}]}
`)
	if view.Phase != "Completed" || len(view.MatchedPhases) != 1 {
		t.Errorf("got %s of %v", view.Phase, view.MatchedPhases)
	}
}

func TestWeakness24UnsetCountsCostThemselvesOnly(t *testing.T) {
	view := viewOf(t, `
- {name: train}
- {name: job, instanceIdPath: ".spec.jobs[].name", specDefinition: {podSpecPath: ".spec.jobs[].pod"}, scaleDefinition: {replicasPath: ".spec.jobs[] | .replicas * .parallelism"}, podSelector: {componentInstanceSelector: {idPath: .x}}}
- {name: driver, specDefinition: {podSpecPath: .spec.driver}, scaleDefinition: {replicasPath: "1"}}
- {name: groups, instanceIdPath: ".spec.absent[].name", specDefinition: {podSpecPath: ".spec.absent[].pod"}, podSelector: {componentInstanceSelector: {idPath: .x}}}
`, "", `{spec: {jobs: [{name: a, pod: {}}], driver: {containers: [{resources: {limits: {nvidia.com/gpu: 2}}}]}}}`, "")
	job, driver := view.Component("job"), view.Component("driver")
	if job == nil || job.Instances[0].Replicas.Desired != nil || driver == nil || driver.Instances[0].Total.GPUs != 2 || view.Component("groups") != nil {
		t.Errorf("got %+v", view.Components)
	}
	if len(view.Problems) == 0 || view.Problems[0].Component != "job" {
		t.Errorf("got problems %+v", view.Problems)
	}
}

func TestWeakness25PodsWithoutLabelsOrOwnersAreListed(t *testing.T) {
	view := viewOf(t, `
- {name: train}
- {name: worker, instanceIdPath: ".spec.groups[].name", specDefinition: {podSpecPath: ".spec.groups[].pod"}, scaleDefinition: {replicasPath: "1"}, podSelector: {componentInstanceSelector: {idPath: .metadata.labels.group}}}
`, "", `{spec: {groups: [{name: a, pod: {}}]}}`,
		`[{name: placed, labels: {group: a}}, {name: unlabelled, owners: [root]}, {name: chain-unknown, owners: [nobody-knows]}]`)
	wantSame(t, map[string][]string{"worker/a": {"placed"}}, podsByRole(view))
	wantSame(t, []string{"chain-unknown", "unlabelled"}, view.Unattributed)
}

func TestWeakness25APodIsItsOwnPod(t *testing.T) {
	view := viewOf(t, `[{name: pod, kind: {group: "", version: v1, kind: Pod}, specDefinition: {podTemplateSpecPath: .}}]`, "",
		`{apiVersion: v1, kind: Pod, metadata: {name: p, uid: u}, spec: {}}`, "[]")
	wantSame(t, map[string][]string{"pod": {"p"}}, podsByRole(view))
}

func TestWeakness26MetadataAloneIsNoRoleWithPods(t *testing.T) {
	view := viewOf(t, `
- {name: train, specDefinition: {metadataPath: .metadata}}
- {name: worker, specDefinition: {podSpecPath: .spec}}
`, "", `{spec: {}}`, `[{name: p}]`)
	wantSame(t, map[string][]string{"worker": {"p"}}, podsByRole(view))
}

func TestWeakness27TheOnlyRoleKeepsItsSelector(t *testing.T) {
	view := viewOf(t, `
- {name: train}
- {name: worker, specDefinition: {podSpecPath: .spec}, podSelector: {componentTypeSelector: {keyPath: .metadata.labels.role, value: worker}}}
`, "", `{spec: {}}`, `[{name: p, labels: {role: worker}}, {name: q, labels: {role: cleanup}}]`)
	wantSame(t, map[string][]string{"worker": {"p"}}, podsByRole(view))
	wantSame(t, []string{"q"}, view.Unattributed)
}

func TestWeakness28AFilterOnAMissingLabelSaysNo(t *testing.T) {
	view := viewOf(t, twoRoles, `podGroups: [{name: g, members: [{componentName: a, filters: [.metadata.labels.spot | fromjson]}]}]`,
		`{spec: {}}`, `[{name: p, labels: {role: a, spot: "true"}}, {name: q, labels: {role: a}}]`)
	wantSame(t, []string{"p"}, view.Gangs[0].Pods)
	if len(view.Problems) > 0 {
		t.Errorf("got problems %+v", view.Problems)
	}
}

func TestWeakness29PodsTellTheirUnit(t *testing.T) {
	view := viewOf(t, `
- {name: train}
- {name: group, scaleDefinition: {replicasPath: "2"}, podSelector: {replicaSelector: {keyPath: .metadata.labels.index}}}
- {name: worker, ownerRef: group, specDefinition: {podSpecPath: .spec}}
`, "", `{spec: {}}`, `[{name: p, labels: {index: "1"}}]`)
	wantSame(t, "1", view.Component("worker").Instances[0].Pods[0].Unit)
}

// TestWeakness30CandidatesKeepTheirOrder has more candidates than the first
// implementation's sort keeps in order.
func TestWeakness30CandidatesKeepTheirOrder(t *testing.T) {
	gangs := "podGroups:\n"
	for i := range 30 {
		gangs += fmt.Sprintf("- {name: g%02d, members: [{componentName: train, filters: ['.metadata.labels.num == \"%d\" or .metadata.labels.any == \"1\"']}]}\n", i, i)
	}
	gangs += "- {name: direct, members: [{componentName: a, filters: ['.metadata.labels.direct == \"1\"']}]}"
	view := viewOf(t, twoRoles, gangs, `{spec: {}}`,
		`[{name: first, labels: {role: a, any: "1"}}, {name: third, labels: {role: a, num: "3"}}, {name: own, labels: {role: a, any: "1", direct: "1"}}]`)
	got := map[string][]string{}
	for _, gang := range view.Gangs {
		if len(gang.Pods) > 0 {
			got[gang.Name] = gang.Pods
		}
	}
	wantSame(t, map[string][]string{"g00": {"first"}, "g03": {"third"}, "direct": {"own"}}, got)
}

func TestWeakness31OneBrokenMatcherLeavesTheStatus(t *testing.T) {
	view := viewOf(t, `
- name: train
  statusDefinition:
    phaseDefinition: {path: .status.state}
    conditionsDefinition: {path: .status.conditions}
    statusMappings:
      failed: [{byExpression: {expression: .status.state + 1, expectedResult: "x"}}]
      running: [{byConditions: [{type: Ready, status: "True"}]}]
`, "", `{status: {state: up, conditions: [{type: Ready, status: "True"}]}}`, "")
	if view.Phase != "Running" || *view.NativePhase != "up" || len(view.Problems) != 1 {
		t.Errorf("got %s, %v, problems %+v", view.Phase, view.NativePhase, view.Problems)
	}
}

// TestWeakness34NothingIsCompiledPerObject counts allocations: compiling the
// definition alone takes thousands.
func TestWeakness34NothingIsCompiledPerObject(t *testing.T) {
	compiled := builtin(t, "ray-io-raycluster-v1")
	object := rayCluster(3)
	allocations := testing.AllocsPerRun(20, func() {
		if _, err := compiled.Resolve(context.Background(), object); err != nil {
			t.Fatal(err)
		}
	})
	if allocations > 300 {
		t.Errorf("%v allocations for a RayCluster of 3 groups, at most 300 are allowed", allocations)
	}
}
