package testkit_test

import (
	"context"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/workloadmap/wm/api/v1alpha1"
	"github.com/workloadmap/wm/resolver"
	"github.com/workloadmap/wm/source"
	"github.com/workloadmap/wm/testkit"
)

// trainDefinition has one expression for each thing that a case can find wrong.
const trainDefinition = `apiVersion: workloadmap.dev/v1alpha1
kind: WorkloadMap
metadata: {name: example-dev-train-v1}
spec:
  structureDefinition:
    rootComponent:
      name: train
      kind: {group: example.dev, version: v1, kind: Train}
      statusDefinition:
        phaseDefinition: {path: .status.phase}
        statusMappings:
          running:
          - byPhase: Never
          - byExpression:
              expression: |-
                .status.phase
                | . == "Up"
              expectedResult: "true"
      suspendDefinition:
        suspendActions: [{path: .spec.hold, value: "true"}]
        resumeActions: [{path: .spec.hold, value: "false"}]
    childComponents:
    - name: worker
      ownerRef: train
      instanceIdPath: .spec.groups[].name
      specDefinition: {podTemplateSpecPath: ".spec.groups[].template"}
      scaleDefinition:
        replicasPath: ".spec.groups[].count"
        minReplicasPath: .spec.groups[].least
      podSelector: {componentInstanceSelector: {idPath: .metadata.labels.group}}
  optimizationInstructions:
    gangScheduling: {podGroups: [{name: all, members: [{componentName: worker, groupByKeyPaths: [.metadata.labels.train]}]}]}
`

const trainObject = `apiVersion: example.dev/v1
kind: Train
metadata: {name: t}
spec: {groups: [{name: a, count: 2, least: many, template: {spec: {containers: [{name: c, resources: {limits: {nvidia.com/gpu: 1}}}]}}}]}
status: {phase: Up}
`

// TestPlaces wants for each wrong expectation the expression that the value
// comes from, by its line in trainDefinition.
func TestPlaces(t *testing.T) {
	tests := map[string]struct {
		expect string
		want   []string
	}{
		"phase":     {"phase: Failed", []string{`16:17 .status.phase`}},
		"replicas":  {"replicas: {worker/a: 3}", []string{`28:23 ".spec.groups[].count"`}},
		"min":       {"min: {worker/a: 1}", []string{`29:26 .spec.groups[].least`}},
		"gpus":      {"gpus: 3", []string{`26:45 ".spec.groups[].template"`}},
		"requests":  {"requests: {nvidia.com/gpu: 3}", []string{`26:45 ".spec.groups[].template"`}},
		"absent":    {"absent: [worker]", []string{`26:45 ".spec.groups[].template"`, `25:23 .spec.groups[].name`}},
		"gangs":     {"gangs: []", []string{`32:98 .metadata.labels.train`}},
		"suspend":   {"suspend: unsupported", []string{`20:33 .spec.hold`}},
		"resume":    {"resume: {changes: {}}", []string{`21:32 .spec.hold`}},
		"unlocated": {"unattributed: [p]", nil},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			failure := failureOf(t, test.expect)
			var got []string
			for _, place := range failure.Places {
				text := []rune(place.Text)
				got = append(got, strings.TrimPrefix(strings.Split(place.String(), "\n")[0], "train.yaml:")+" "+string(text[place.Column-1:place.EndColumn-1]))
			}
			if difference := cmp.Diff(test.want, got); difference != "" {
				t.Errorf("want (-), got (+):\n%s", difference)
			}
		})
	}
}

// A problem points at the expression that raised it.
func TestPlaceOfAProblem(t *testing.T) {
	failure := failureOf(t, "problems: []")
	if len(failure.Places) != 1 || failure.Places[0].Line != 29 {
		t.Errorf("got %+v, want the minReplicasPath in line 29", failure)
	}
}

// failureOf replays a case with one wrong expectation and returns its failure.
func failureOf(t *testing.T, expect string) testkit.Failure {
	t.Helper()
	check, _, _ := strings.Cut(expect, ":")
	if !strings.HasPrefix(expect, "phase:") {
		expect = "phase: Running, " + expect
	}
	files := fstest.MapFS{
		"fixtures/example-dev-train-v1/up/case.yaml":   {Data: []byte("description: d\nprovenance: written\nexpect: {" + expect + "}\n")},
		"fixtures/example-dev-train-v1/up/object.yaml": {Data: []byte(trainObject)},
	}
	documents, faults := source.Parse("train.yaml", []byte(trainDefinition))
	if len(faults) > 0 {
		t.Fatal(faults[0])
	}
	definition, err := v1alpha1.Decode(documents[0].Value())
	if err != nil {
		t.Fatal(err)
	}
	set, err := resolver.NewSet([]resolver.Candidate{{
		Kind: *definition.Spec.StructureDefinition.RootComponent.Kind, Name: definition.Name, Origin: "train.yaml",
		Load: func() (*v1alpha1.WorkloadMap, error) { return definition, nil },
	}})
	if err != nil {
		t.Fatal(err)
	}
	report, err := testkit.Replay(context.Background(), testkit.Options{
		Files: files, Paths: []string{"fixtures"}, Definitions: set,
		Written: func(resolver.DefinitionReference) (*source.Document, error) { return documents[0], nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, failure := range report.Cases[0].Failures {
		if failure.Check == "expect."+check {
			return failure
		}
	}
	t.Fatalf("no failure of expect.%s in %+v", check, report.Cases[0].Failures)
	return testkit.Failure{}
}
