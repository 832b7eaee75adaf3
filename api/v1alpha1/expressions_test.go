package v1alpha1

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The fields that hold jq, told by their names: the format's convention.
func isExpression(name string) bool {
	return strings.HasSuffix(name, "Path") || name == "path" || name == "expression" || name == "groupByKeyPaths" || name == "filters"
}

func TestExpressionsFindsEveryJqField(t *testing.T) {
	document := readEveryField(t)
	w, err := Decode(document)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{}
	var walk func(value any, name, at string)
	walk = func(value any, name, at string) {
		switch v := value.(type) {
		case map[string]any:
			for key, item := range v {
				walk(item, key, strings.TrimPrefix(at+"."+key, "."))
			}
		case []any:
			for i, item := range v {
				walk(item, name, fmt.Sprintf("%s[%d]", at, i))
			}
		case string:
			if isExpression(name) {
				want[at] = v
			}
		}
	}
	walk(document["spec"], "", "spec")
	got := map[string]string{}
	for _, e := range w.Expressions() {
		got[field(e.Path)] = e.Text
		if !strings.HasSuffix(field(e.Path), e.Field) {
			t.Errorf("%v: field is %s", e.Path, e.Field)
		}
		onPod := strings.Contains(e.Field, "podSelector") || strings.Contains(e.Field, "podGroups")
		if (e.On == OnPod) != onPod {
			t.Errorf("%v: on %s", e.Path, e.On)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("expressions (-document +found):\n%s", diff)
	}
	if len(want) < 25 {
		t.Errorf("the document has only %d expressions", len(want))
	}
}

// One role for each field, so that nothing downstream mistakes one for another.
func TestExpressionRoles(t *testing.T) {
	w, err := Decode(readEveryField(t))
	if err != nil {
		t.Fatal(err)
	}
	fields := map[Role]map[string]bool{}
	for _, e := range w.Expressions() {
		name := e.Field[strings.LastIndex(e.Field, ".")+1:]
		name, _, _ = strings.Cut(name, "[")
		if fields[e.Role] == nil {
			fields[e.Role] = map[string]bool{}
		}
		fields[e.Role][name] = true
	}
	got := map[Role]string{}
	for role, names := range fields {
		got[role] = strings.Join(slices.Sorted(maps.Keys(names)), " ")
	}
	want := map[Role]string{
		RolePodTemplate: "podTemplateSpecPath", RolePodSpec: "podSpecPath", RoleMetadata: "metadataPath",
		RoleFragmentSchedulerName: "schedulerNamePath", RoleFragmentLabels: "labelsPath",
		RoleFragmentAnnotations: "annotationsPath", RoleFragmentResources: "resourcesPath",
		RoleFragmentResourceClaims: "resourceClaimsPath", RoleFragmentPodAffinity: "podAffinityPath",
		RoleFragmentNodeAffinity: "nodeAffinityPath", RoleFragmentContainers: "containersPath",
		RoleFragmentContainer: "containerPath", RoleFragmentPriorityClassName: "priorityClassNamePath",
		RoleFragmentImage: "imagePath",
		RoleReplicas:      "replicasPath", RoleMinReplicas: "minReplicasPath", RoleMaxReplicas: "maxReplicasPath",
		RolePhase: "path", RoleConditions: "path", RoleStatusExpression: "expression", RoleSuspendPath: "path",
		RoleInstanceID: "instanceIdPath", RoleTypeSelector: "keyPath", RoleInstanceSelector: "idPath",
		RoleReplicaSelector: "keyPath", RoleGroupKey: "groupByKeyPaths", RoleFilter: "filters",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("fields by role (-want +got):\n%s", diff)
	}
}

func TestExpressionsInDocumentOrder(t *testing.T) {
	w, err := Decode(parse(t, `
apiVersion: workloadmap.dev/v1alpha1
kind: WorkloadMap
spec:
  optimizationInstructions:
    gangScheduling:
      podGroups:
      - {name: g, members: [{componentName: ghost, groupByKeyPaths: [.k], filters: ["", .f]}]}
  structureDefinition:
    childComponents:
    - {name: b, instanceIdPath: .ids, podSelector: {replicaSelector: {keyPath: .r}}, scaleDefinition: {replicasPath: ""}}
    rootComponent:
      name: a
      statusDefinition:
        phaseDefinition: {path: .phase}
        statusMappings:
          running: [{byPhase: Running}, {byExpression: {expression: .e, expectedResult: "1"}}]
      specDefinition: {podSpecPath: .pod}
`))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range w.Expressions() {
		got = append(got, fmt.Sprint(e.Component, " ", e.Field, " ", e.Text))
	}
	want := []string{
		"a specDefinition.podSpecPath .pod",
		"a statusDefinition.phaseDefinition.path .phase",
		"a statusDefinition.statusMappings.running[1].byExpression.expression .e",
		"b instanceIdPath .ids",
		"b podSelector.replicaSelector.keyPath .r",
		"ghost podGroups[0].members[0].groupByKeyPaths[0] .k",
		"ghost podGroups[0].members[0].filters[1] .f",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("expressions (-want +got):\n%s", diff)
	}
}
