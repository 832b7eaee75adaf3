package lint_test

import (
	"context"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/workloadmap/wm/lint"
	"github.com/workloadmap/wm/lint/rules"
)

// fixBody is a definition up to the fields of its root component.
const fixBody = `apiVersion: workloadmap.dev/v1alpha1
kind: WorkloadMap
metadata: {name: example-dev-train-v1}
spec:
  structureDefinition:
    rootComponent:
      name: train
      kind: {group: example.dev, version: v1, kind: Train}
`

// TestRepairChangesOnlyWhatIsCertain gives each text and what becomes of it; the
// same text where a person has to decide.
func TestRepairChangesOnlyWhatIsCertain(t *testing.T) {
	for name, test := range map[string]struct{ text, want string }{
		"a key in quotes keeps them": {
			`      "scaleDefintion": {'replicaPath': .spec.n}`,
			`      "scaleDefinition": {'replicasPath': .spec.n}`,
		},
		"what a misspelt field hid comes in the next round": {
			`      scaleDefinitoin: {replicasPth: 1}`,
			`      scaleDefinition: {replicasPath: "1"}`,
		},
		"a name that is taken": {
			"      scaleDefintion: {replicasPath: .a}\n      scaleDefinition: {replicasPath: .b}",
			"      scaleDefintion: {replicasPath: .a}\n      scaleDefinition: {replicasPath: .b}",
		},
		"a name that two fields want": {
			"      scaleDefintion: {replicasPath: .a}\n      scaleDefinitio: {replicasPath: .b}",
			"      scaleDefintion: {replicasPath: .a}\n      scaleDefinitio: {replicasPath: .b}",
		},
		"a tag decides": {
			`      scaleDefinition: {replicasPath: !!int 1}`,
			`      scaleDefinition: {replicasPath: !!int 1}`,
		},
		"an anchor is used elsewhere": {
			`      scaleDefinition: {replicasPath: &one 1, minReplicasPath: *one}`,
			`      scaleDefinition: {replicasPath: &one 1, minReplicasPath: *one}`,
		},
		"another spelling of a boolean": {
			`      statusDefinition: {statusMappings: {running: [{byExpression: {expression: .a, expectedResult: True}}]}}`,
			`      statusDefinition: {statusMappings: {running: [{byExpression: {expression: .a, expectedResult: True}}]}}`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			text := fixBody + test.text + " # a comment\n"
			options := lint.Options{
				Files: fstest.MapFS{"x.yaml": {Data: []byte(text)}}, Paths: []string{"x.yaml"}, Rules: rules.All(),
			}
			result, err := lint.Run(context.Background(), options)
			if err != nil || len(result.Findings) == 0 {
				t.Fatalf("%d findings, %v", len(result.Findings), err)
			}
			fixed, err := result.Repair(context.Background(), options)
			if err != nil {
				t.Fatal(err)
			}
			got := text
			if len(fixed) > 0 {
				got = string(fixed[0].After)
			}
			if want := fixBody + test.want + " # a comment\n"; got != want {
				t.Errorf("got\n%swant\n%s", strings.TrimPrefix(got, fixBody), strings.TrimPrefix(want, fixBody))
			}
		})
	}
}
