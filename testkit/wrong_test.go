package testkit_test

import (
	"context"
	"strings"
	"testing"

	"github.com/workloadmap/wm/api/v1alpha1"
	"github.com/workloadmap/wm/catalog"
	"github.com/workloadmap/wm/resolver"
	"github.com/workloadmap/wm/source"
	"github.com/workloadmap/wm/testkit"
)

// wrongChanges are changes of meaning that somebody could make to a definition
// by mistake. Each has to turn a case red.
var wrongChanges = []struct {
	definition, old, new, meaning string
}{
	{"apps-deployment-v1", ".spec.replicas // 1\n", ".status.replicas // 1\n", "counts what runs instead of what is asked for"},
	{"apps-deployment-v1", `elif $overdue then "Failed"`, `elif $overdue then "Degraded"`, "a rollout past its deadline no longer fails"},
	{"apps-deployment-v1", `$available < $desired`, `$available <= $desired`, "a complete Deployment is degraded"},
	{"batch-job-v1", "[min, 0] | max", "[max, 0] | max", "the larger of parallelism and completions"},
	{"batch-job-v1", `- {type: Complete, status: "True"}`, `- {type: Complete, status: "False"}`, "completion inverted"},
	{"batch-job-v1", `.spec.suspend == true or .spec.parallelism == 0`, `.spec.parallelism == 0`, "suspend is not seen"},
	{"jobset-x-k8s-io-jobset-v1alpha2", "(.replicas // 1)", "(.replicas // 0)", "a replicated job without replicas has none"},
	{"jobset-x-k8s-io-jobset-v1alpha2", `any($true[]; . == "RestartingJobSet") or`, ``, "a restart is not seen"},
	{"jobset-x-k8s-io-jobset-v1alpha2", `.template.spec.template`, `.template`, "the Job's spec where the pod template was meant"},
	{"kubeflow-org-pytorchjob-v1", "(.Master // .master) | .template", "(.Worker // .worker) | .template", "the worker's template for the master"},
	{"kubeflow-org-pytorchjob-v1", `.minReplicas // $replicas`, `.maxReplicas // $replicas`, "the elastic maximum as minimum"},
	{"kubeflow-org-pytorchjob-v1", `value: worker`, `value: Worker`, "the label's case"},
	{"ray-io-raycluster-v1", "* (.numOfHosts // 1)", "* 1", "a replica is one pod"},
	{"ray-io-raycluster-v1", ".maxReplicas // 2147483647] | min)", ".maxReplicas // 2147483647] | max)", "replicas clamped to the wrong end"},
	{"ray-io-raycluster-v1", "if .suspend then 0", "if .suspend == true then 1", "a suspended group keeps a pod"},
	{"ray-io-raycluster-v1", `($is.HeadPodReady // "True") != "True"`, `false`, "a lost head is not seen"},
	{"ray-io-raycluster-v1", `["ray.io/group"]`, `["ray.io/node-type"]`, "the instance read from another label"},
	{"ray-io-raycluster-v1", ".spec.headGroupSpec.template", ".spec.workerGroupSpecs[0].template", "a worker's template for the head"},
	{"leaderworkerset-x-k8s-io-leaderworkerset-v1", "(.spec.leaderWorkerTemplate.size // 1) - 1)", "(.spec.leaderWorkerTemplate.size // 1))", "the leader counted twice"},
	{"leaderworkerset-x-k8s-io-leaderworkerset-v1", ".leaderTemplate // .workerTemplate", ".leaderTemplate", "no leader without a template of its own"},
	{"leaderworkerset-x-k8s-io-leaderworkerset-v1", `["leaderworkerset.sigs.k8s.io/group-index"]`, `["leaderworkerset.sigs.k8s.io/worker-index"]`, "gangs by worker instead of by group"},
	{"leaderworkerset-x-k8s-io-leaderworkerset-v1", `elif $started then "Degraded"`, `elif $started then "Running"`, "a lost group is not seen"},
}

func TestCasesNoticeWrongDefinitions(t *testing.T) {
	for _, change := range wrongChanges {
		t.Run(change.definition+"/"+change.meaning, func(t *testing.T) {
			entry, err := catalog.Find(change.definition)
			if err != nil {
				t.Fatal(err)
			}
			content, err := entry.Content()
			if err != nil {
				t.Fatal(err)
			}
			changed := strings.ReplaceAll(string(content), change.old, change.new)
			if changed == string(content) {
				t.Fatalf("the definition no longer holds %q", change.old)
			}
			report, err := testkit.Replay(context.Background(), testkit.Options{
				Files: source.OS(), Paths: []string{"../fixtures/" + change.definition},
				Definitions: setWith(t, entry, changed), Origin: "changed",
			})
			if err != nil {
				t.Fatal(err)
			}
			if failedExpectations(report) == 0 {
				t.Errorf("no case expects otherwise")
			}
		})
	}
}

// setWith is the catalog with one definition replaced.
func setWith(t *testing.T, entry catalog.Entry, content string) *resolver.Set {
	t.Helper()
	documents, faults := source.Parse("changed.yaml", []byte(content))
	if len(faults) > 0 {
		t.Fatal(faults[0])
	}
	set, err := resolver.NewSet(catalog.Candidates(), []resolver.Candidate{{
		Kind: entry.Kind, Name: entry.Name, Origin: "changed",
		Load: func() (*v1alpha1.WorkloadMap, error) { return v1alpha1.Decode(documents[0].Value()) },
	}})
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// failedExpectations counts the cases whose expect does not hold: a view that
// merely differs from its golden proves nothing about right and wrong.
func failedExpectations(report *testkit.Report) int {
	failed := 0
	for _, outcome := range report.Cases {
		for _, failure := range outcome.Failures {
			if strings.HasPrefix(failure.Check, "expect.") {
				failed++
				break
			}
		}
	}
	return failed
}
