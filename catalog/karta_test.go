package catalog_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/workloadmap/wm/api/v1alpha1"
	"github.com/workloadmap/wm/catalog"
	"github.com/workloadmap/wm/generators/convert"
	"github.com/workloadmap/wm/jq"
	"github.com/workloadmap/wm/source"
)

// TestKAIAcceptsTheCatalog holds every exported definition against the rules by
// which the KAI scheduler validates a Karta before it uses it, written down
// here once more, apart from the linter.
func TestKAIAcceptsTheCatalog(t *testing.T) {
	for _, entry := range catalog.Entries() {
		content, err := entry.Content()
		if err != nil {
			t.Fatal(err)
		}
		karta, err := convert.File(entry.Name, content, v1alpha1.DialectKarta)
		if err != nil {
			t.Fatal(err)
		}
		for _, fault := range kaiFaults(t, string(karta)) {
			t.Errorf("%s: %s", entry.Name, fault)
		}
	}
}

// TestKAIRulesFind holds that each rule finds what it is for.
func TestKAIRulesFind(t *testing.T) {
	if faults := kaiFaults(t, acceptable); len(faults) > 0 {
		t.Fatalf("the definition without a fault has %v", faults)
	}
	for _, c := range []struct{ was, is, want string }{
		{"kind: Karta", "kind: Kart", "header"},
		{`run.ai/karta-kind: "Train"`, `run.ai/karta-kind: "Trains"`, "label run.ai/karta-kind"},
		{"name: worker", "name: head", "component name head is not unique"},
		{"group: example.dev, version: v1", "group: \"\", version: v1", "root kind"},
		{"statusDefinition", "statusDefinitions", "no statusDefinition"},
		{"- name: worker", "- name: \"\"", "a component has no name"},
		{"podTemplateSpecPath: .spec.head", "podSpecPath: .a, podTemplateSpecPath: .spec.head", "head has several pod definitions"},
		{"keyPath: .metadata.labels.role, value: head", "value: head", "head has a type selector without key and labels"},
		{"keyPath: .metadata.labels.role, value: head", "value: head, matchLabels: {a: b}", "head has a value without a key"},
		{"componentInstanceSelector: {idPath: .metadata.labels.group}", "componentTypeSelector: {keyPath: .a}", "worker has instances without instance selector"},
		{"instanceIdPath: .spec.workers[].name", "instanceIdPaths: x", "worker has an instance selector without instances"},
		{"ownerRef: head", "ownerRef: \"\"", "worker has no owner"},
		{"ownerRef: head", "ownerRef: heads", "worker has unknown owner heads"},
		{"ownerRef: train", "ownerRef: worker", "cycle"},
		{"componentName: train", "componentName: trains", "gang member trains is unknown"},
		{"- name: all", "- nome: all", "pod group 0 has no name"},
		{"- {componentName: train, groupBy", "- {componentName: train}\n            - {componentName: train, groupBy", "train is a member of all twice"},
		{"podSelector: {componentTypeSelector: {keyPath: .metadata.labels.role, value: head}}", "podSelector: {}", "KAI does not find the pods of head"},
		{".spec.head}", ".spec.head |}", "does not parse"},
		{".spec.head}", "'.spec | with_entries(.value) | del(.a)'}", "does not parse"},
		{".spec.head}", "'.spec | ..'}", "does not parse"},
		{".spec.head}", "'.spec | .a = 1'}", "does not parse"},
		{"additionalChildKinds: [", "additionalChildKinds: [{group: other, version: v1, kind: Job}, ", "kind Job is listed twice"},
	} {
		changed := strings.Replace(acceptable, c.was, c.is, 1)
		if changed == acceptable {
			t.Fatalf("%s is not in the definition", c.was)
		}
		if faults := strings.Join(kaiFaults(t, changed), "\n"); !strings.Contains(faults, c.want) {
			t.Errorf("%s instead of %s gives %q, want %q", c.is, c.was, faults, c.want)
		}
	}
}

const acceptable = `
apiVersion: run.ai/v1alpha1
kind: Karta
metadata:
  name: example-dev-train-v1
  labels: {run.ai/karta-group: "example.dev", run.ai/karta-version: "v1", run.ai/karta-kind: "Train"}
spec:
  structureDefinition:
    rootComponent:
      name: train
      kind: {group: example.dev, version: v1, kind: Train}
      statusDefinition: {statusMappings: {}}
    childComponents:
      - name: head
        ownerRef: train
        specDefinition: {podTemplateSpecPath: .spec.head}
        podSelector: {componentTypeSelector: {keyPath: .metadata.labels.role, value: head}}
      - name: worker
        ownerRef: head
        instanceIdPath: .spec.workers[].name
        specDefinition: {podTemplateSpecPath: ".spec.workers[].template"}
        podSelector:
          componentTypeSelector: {keyPath: .metadata.labels.role, value: worker}
          componentInstanceSelector: {idPath: .metadata.labels.group}
    additionalChildKinds: [{group: batch, version: v1, kind: Job}]
  optimizationInstructions:
    gangScheduling:
      podGroups:
        - name: all
          members:
            - {componentName: train, groupByKeyPaths: [.metadata.labels.job]}
`

// fields reads untyped values, so that nothing is taken for granted that the
// decoder of this module does.
type fields map[string]any

func (f fields) at(names ...string) fields {
	for _, name := range names {
		f, _ = f[name].(map[string]any)
	}
	return f
}

func (f fields) text(name string) string {
	text, _ := f[name].(string)
	return text
}

func (f fields) list(name string) []fields {
	items, _ := f[name].([]any)
	all := make([]fields, len(items))
	for i, item := range items {
		all[i], _ = item.(map[string]any)
	}
	return all
}

// kaiFaults are the rules that a Karta breaks.
func kaiFaults(t *testing.T, text string) []string {
	t.Helper()
	documents, broken := source.Parse("karta.yaml", []byte(text))
	if len(broken) > 0 || len(documents) != 1 {
		t.Fatalf("%d documents, %v", len(documents), broken)
	}
	k := &kaiRules{karta: documents[0].Value().(map[string]any)}
	k.structure = k.karta.at("spec", "structureDefinition")
	k.root = k.structure.at("rootComponent")
	k.components = append([]fields{k.root}, k.structure.list("childComponents")...)
	k.header()
	if k.names() {
		k.rootRules()
		k.componentRules()
		k.owners()
		k.gangs()
	}
	k.expressions(k.karta["spec"])
	return k.faults
}

type kaiRules struct {
	karta, structure, root fields
	components             []fields
	faults                 []string
}

func (k *kaiRules) fault(format string, arguments ...any) {
	k.faults = append(k.faults, fmt.Sprintf(format, arguments...))
}

func (k *kaiRules) header() {
	if k.karta.text("apiVersion") != "run.ai/v1alpha1" || k.karta.text("kind") != "Karta" || k.karta.at("metadata").text("name") == "" {
		k.fault("the header is not that of a Karta")
	}
	for label, part := range map[string]string{"run.ai/karta-group": "group", "run.ai/karta-version": "version", "run.ai/karta-kind": "kind"} {
		value, there := k.karta.at("metadata", "labels")[label]
		if !there || value != k.root.at("kind").text(part) {
			k.fault("label %s is %v", label, value)
		}
	}
}

// names tells whether the others can be checked.
func (k *kaiRules) names() bool {
	seen := map[string]bool{}
	for _, c := range k.components {
		if name := c.text("name"); seen[name] {
			k.fault("component name %s is not unique", name)
		}
		seen[c.text("name")] = true
	}
	return len(seen) == len(k.components)
}

func (k *kaiRules) rootRules() {
	kind := k.root.at("kind")
	if kind.text("version") == "" || kind.text("kind") == "" || kind.text("group") == "" && kind.text("kind") != "Pod" {
		k.fault("the root kind is incomplete")
	}
	if _, owned := k.root["ownerRef"]; owned {
		k.fault("the root has an owner")
	}
	if k.root.at("statusDefinition") == nil {
		k.fault("the root has no statusDefinition")
	}
	kinds := map[string]bool{}
	for _, child := range k.structure.list("additionalChildKinds") {
		if kinds[child.text("kind")] {
			k.fault("additional kind %s is listed twice", child.text("kind"))
		}
		kinds[child.text("kind")] = true
	}
}

func (k *kaiRules) componentRules() {
	for _, c := range k.components {
		name, spec, selector := c.text("name"), c.at("specDefinition"), c.at("podSelector")
		if name == "" {
			k.fault("a component has no name")
		}
		shapes := 0
		for _, shape := range []string{"podTemplateSpecPath", "podSpecPath", "fragmentedPodSpecDefinition"} {
			if spec[shape] != nil {
				shapes++
			}
		}
		if shapes > 1 {
			k.fault("%s has several pod definitions", name)
		}
		if typed := selector.at("componentTypeSelector"); typed != nil {
			if typed["keyPath"] == nil && len(typed.at("matchLabels")) == 0 {
				k.fault("%s has a type selector without key and labels", name)
			}
			if typed["value"] != nil && typed["keyPath"] == nil {
				k.fault("%s has a value without a key", name)
			}
		}
		instances, selected := c["instanceIdPath"] != nil, selector["componentInstanceSelector"] != nil
		if instances && !selected {
			k.fault("%s has instances without instance selector", name)
		}
		if selected && !instances {
			k.fault("%s has an instance selector without instances", name)
		}
	}
}

func (k *kaiRules) named(name string) fields {
	for _, c := range k.components {
		if c.text("name") == name {
			return c
		}
	}
	return nil
}

func (k *kaiRules) owners() {
	for _, c := range k.components[1:] {
		switch owner := c.text("ownerRef"); {
		case owner == "":
			k.fault("%s has no owner", c.text("name"))
		case k.named(owner) == nil:
			k.fault("%s has unknown owner %s", c.text("name"), owner)
		case len(k.upwards(c)) > len(k.components):
			k.fault("the owners of %s are a cycle", c.text("name"))
		}
	}
}

// upwards are a component and its owners; more than there are in a cycle.
func (k *kaiRules) upwards(c fields) []fields {
	var chain []fields
	for c != nil && len(chain) <= len(k.components) {
		chain = append(chain, c)
		c = k.named(c.text("ownerRef"))
	}
	return chain
}

// gangs holds that there is a form of gang that KAI reads. It finds the role of
// a pod by type selectors alone, unless there is only one role.
func (k *kaiRules) gangs() {
	gang := k.karta.at("spec", "optimizationInstructions", "gangScheduling")
	if gang == nil {
		return
	}
	for i, group := range gang.list("podGroups") {
		if group.text("name") == "" {
			k.fault("pod group %d has no name", i)
		}
		members := map[string]bool{}
		for _, member := range group.list("members") {
			name := member.text("componentName")
			if k.named(name) == nil {
				k.fault("gang member %s is unknown", name)
			}
			if members[name] {
				k.fault("%s is a member of %s twice", name, group.text("name"))
			}
			members[name] = true
		}
	}
	var leaves []fields
	for _, c := range k.components {
		if spec := c.at("specDefinition"); len(spec) > 0 {
			leaves = append(leaves, c)
		}
	}
	for _, leaf := range leaves {
		if len(leaves) > 1 && leaf.at("podSelector", "componentTypeSelector") == nil {
			k.fault("KAI does not find the pods of %s, which has no type selector", leaf.text("name"))
		}
	}
}

// notChecked are texts that KAI does not read as jq.
var notChecked = []string{"name", "kind", "group", "version", "ownerRef", "componentName", "value", "expectedResult",
	"byPhase", "type", "status", "reason", "typeFieldName", "statusFieldName", "reasonFieldName", "messageFieldName"}

func (k *kaiRules) expressions(value any) {
	switch value := value.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(value)) {
			if key != "matchLabels" && !slices.Contains(notChecked, key) {
				k.expressions(value[key])
			}
		}
	case []any:
		for _, item := range value {
			k.expressions(item)
		}
	case string:
		k.expression(value)
	}
}

func (k *kaiRules) expression(text string) {
	program, err := jq.Compile(text)
	if err != nil {
		k.fault("%q does not parse or does what KAI refuses: %v", text, err)
		return
	}
	if strings.Contains(text, "#") && program.HasTrailingComment() {
		k.fault("%q ends in a comment, which KAI puts in parentheses", text)
	}
}

func TestAcceptableIsWhatItSays(t *testing.T) {
	documents, _ := source.Parse("karta.yaml", []byte(acceptable))
	definition, err := v1alpha1.Decode(documents[0].Value())
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, c := range definition.Components() {
		names = append(names, c.Name)
	}
	if diff := cmp.Diff([]string{"train", "head", "worker"}, names); diff != "" {
		t.Error(diff)
	}
}
