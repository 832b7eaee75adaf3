package types_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"

	"github.com/workloadmap/wm/api/v1alpha1"
	"github.com/workloadmap/wm/jq"
	"github.com/workloadmap/wm/schema/types"
)

// sane is a definition of the trainer without a fault. Each case changes a line.
const sane = `
apiVersion: workloadmap.dev/v1alpha1
kind: WorkloadMap
metadata: {name: example-com-trainer-v1}
spec:
  structureDefinition:
    rootComponent:
      name: trainer
      kind: {group: example.com, version: v1, kind: Trainer}
      statusDefinition:
        phaseDefinition: {path: .status.phase}
        conditionsDefinition:
          path: .status.conditions // []
        statusMappings:
          running:
            - byPhase: Ready
          failed:
            - byExpression:
                expression: .status.phase == "Failed"
                expectedResult: "true"
            - byConditions: [{type: Broken, status: "True"}]
      suspendDefinition:
        suspendActions: [{path: .spec.paused, value: "true"}]
        resumeActions: [{path: .spec.mode, value: '"Fixed"'}]
    childComponents:
      - name: worker
        ownerRef: trainer
        specDefinition:
          podTemplateSpecPath: .spec.template
        scaleDefinition:
          replicasPath: .spec.replicas // 1
      - name: group
        ownerRef: trainer
        instanceIdPath: .spec.groups[]?.name
        scaleDefinition:
          replicasPath: '.spec.groups[]?.count // 1'
        podSelector:
          componentTypeSelector:
            keyPath: '.metadata.labels["role"]'
          componentInstanceSelector: {idPath: '.metadata.labels["group"]'}
`

func judgeText(t *testing.T, text string) []string {
	t.Helper()
	var value any
	if err := yaml.Unmarshal([]byte(text), &value); err != nil {
		t.Fatal(err)
	}
	definition, err := v1alpha1.Decode(value)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range judgeDefinition(t, definition, types.Schemas{Root: trainer(t), Pod: golang{reflect.TypeFor[corev1.Pod]()}}) {
		got = append(got, fmt.Sprintf("%v %d-%d %s", f.Path[len(f.Path)-1], f.Start, f.End, f.Message))
		if f.Help != "" {
			got[len(got)-1] += " (" + f.Help + ")"
		}
	}
	return got
}

func judgeDefinition(t testing.TB, definition *v1alpha1.WorkloadMap, schemas types.Schemas) []types.Fault {
	t.Helper()
	var expressions []types.Judged
	for _, e := range definition.Expressions() {
		program, err := jq.Compile(e.Text)
		if err != nil {
			program = nil
		}
		expressions = append(expressions, types.Judged{Expression: e, Program: program})
	}
	return types.Judge(definition, expressions, schemas)
}

func TestJudge(t *testing.T) {
	for _, c := range []struct {
		was, is string
		want    []string
	}{
		{``, ``, nil},
		{`.status.phase}`, `.status.phas}`, []string{"path 7-12 `.status` has no field `phas` (did you mean `phase`?)"}},
		{`.status.phase}`, `.broken |}`, nil},
		{`path: .status.conditions // []`, `path: .status.ready`, []string{"path 0-13 gives a number where a list of conditions is needed"}},
		{`byPhase: Ready`, `byPhase: Redy`, []string{`byPhase 0-4 the phase is never "Redy" (did you mean "Ready"?)`}},
		{`byPhase: Ready`, `byPhase: Suspended`, []string{`byPhase 0-9 the phase is never "Suspended" (it can be "Failed", "Pending", "Ready")`}},
		{`expectedResult: "true"`, `expectedResult: "True"`, []string{`expectedResult 0-4 the expression's result is never "True" (it is "true" or "false")`}},
		{`phase == "Failed"`, `phase == "failed"`, []string{"expression 0-25 `.status.phase` is never \"failed\" (did you mean \"Failed\"?)"}},
		{`Broken, status: "True"`, `Broken, status: "true"`, []string{`status 0-4 the status of a condition is never "true" (did you mean "True"?)`}},
		{`Broken, status: "True"`, `Broken, reason: Crash`, []string{"reason 0-5 conditions have no field `reason`, so none has this reason"}},
		{`path: .status.conditions // []`, "path: .status.conditions // []\n          typeFieldName: kind",
			[]string{"type 0-6 conditions have no field `kind`, so none has this type"}},
		{`path: .status.conditions // []`, `path: '[.status.conditions[]? | {type, status: "x"}]'`, nil},
		{`value: "true"`, `value: '"true"'`, []string{"value 0-6 `.spec.paused` is a boolean and cannot be \"true\""}},
		{`value: '"Fixed"'`, `value: '"Stopped"'`, []string{"value 0-9 `.spec.mode` is a string and cannot be \"Stopped\" (it can be \"Elastic\", \"Fixed\")"}},
		{`SpecPath: .spec.template`, `SpecPath: .spec.template.spec`, []string{"podTemplateSpecPath 0-19 gives an object without `spec`, which is not a pod template (this is a pod spec: use `podSpecPath`, or the path of the template above it)"}},
		{`.spec.replicas // 1`, `.spec.replicas * 2`, []string{"replicasPath 0-14 `.spec.replicas` may be absent, and null cannot be used with * (give it a default, such as `// 0`)"}},
		{`.spec.replicas // 1`, `.spec.groups[]?.count`, []string{"replicasPath 0-21 gives one result for each entry of `.spec.groups[]`, but the component has no instances (add `instanceIdPath`, which names the entries, and `podSelector.componentInstanceSelector`)"}},
		{`.spec.replicas // 1`, `.spec.groups[]? | select(.name == "a") | .count`, nil},
		{`'.spec.groups[]?.count // 1'`, `'.spec.groups[]?.tags[]? | 1'`, nil},
		{`'.spec.groups[]?.count // 1'`, `'.spec.template.spec.containers[] | 1'`, []string{"replicasPath 0-36 belongs to the entries of `.spec.template.spec.containers[]`, but the instances are those of `.spec.groups[]` (read instances and their data from the same list)"}},
		{`.spec.groups[]?.name`, `.spec.groups[].name`, []string{"instanceIdPath 12-14 `.spec.groups` may be absent, and null cannot be iterated over (write `[]?`: an absent list gives nothing)"}},
		{`'.metadata.labels["role"]'`, `.spec.mode`, []string{"keyPath 5-10 `.spec` has no field `mode` (this expression reads a pod; `.spec.mode` is a field of the workload's own object)"}},
		{`'.metadata.labels["role"]'`, `.spec.replicas`, []string{"keyPath 5-14 `.spec` has no field `replicas` (this expression reads a pod; `.spec.replicas` is a field of the workload's own object)"}},
		{`.spec.replicas // 1`, `.spec.nodeName // 1`, []string{"replicasPath 5-14 `.spec` has no field `nodeName` (this expression reads the workload's own object; `.spec.nodeName` is a field of pods)"}},
	} {
		if strings.Count(sane, c.was) < 1 {
			t.Fatalf("%s is not in the definition", c.was)
		}
		if diff := cmp.Diff(c.want, judgeText(t, strings.Replace(sane, c.was, c.is, 1))); diff != "" {
			t.Errorf("%s instead of %s (-want +got):\n%s", c.is, c.was, diff)
		}
	}
}

func TestJudgeNamesOtherVersions(t *testing.T) {
	old := &openAPI{Type: "object", Properties: map[string]*openAPI{"spec": {Type: "object", Properties: map[string]*openAPI{"copies": {Type: "integer"}}}}}
	var value any
	if err := yaml.Unmarshal([]byte(strings.Replace(sane, ".spec.replicas // 1", ".spec.copies // 1", 1)), &value); err != nil {
		t.Fatal(err)
	}
	definition, err := v1alpha1.Decode(value)
	if err != nil {
		t.Fatal(err)
	}
	faults := judgeDefinition(t, definition, types.Schemas{Root: trainer(t), Versions: map[string]types.Schema{"v1alpha1": crd{old, true}}})
	if len(faults) != 1 || faults[0].Help != "version v1alpha1 has this field" {
		t.Errorf("got %+v", faults)
	}
}

func TestJudgeFindsNothingInCatalog(t *testing.T) {
	for _, e := range entries(t) {
		for _, f := range judgeDefinition(t, e.definition, types.Schemas{Root: e.root, Pod: e.schemaFor(v1alpha1.OnPod)}) {
			t.Errorf("%s: %v: %s", e.name, f.Path, f.Message)
		}
	}
}
