package lint_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/workloadmap/wm/api/v1alpha1"
	"github.com/workloadmap/wm/lint"
	"github.com/workloadmap/wm/lint/rules"
	"github.com/workloadmap/wm/schema/index"
)

// TestNothingWrongWithGeneratedDefinitions writes definitions as careful
// authors do, for every kind that has pod templates, and expects no finding.
// They are correct because of where the generator takes their paths from: the
// index, never the checker.
func TestNothingWrongWithGeneratedDefinitions(t *testing.T) {
	const wanted = 200
	var kinds []kindOfWork
	for _, kind := range index.Kinds() {
		if found := workOf(t, kind); len(found.templates) > 0 {
			kinds = append(kinds, found)
		}
	}
	if len(kinds) < 10 {
		t.Fatalf("only %d kinds have pod templates", len(kinds))
	}
	a := author{Rand: rand.New(rand.NewPCG(11, 12))}
	for i := range wanted {
		text := a.definition(kinds[i%len(kinds)])
		result, err := lint.Run(context.Background(), lint.Options{
			Files: fstest.MapFS{"d.yaml": {Data: []byte(text)}}, Paths: []string{"d.yaml"},
			Rules: rules.All(), Schemas: lint.BuiltIn(),
		})
		if err != nil {
			t.Fatal(err)
		}
		if lines := found(result); len(lines) > 0 || len(result.Unknown) > 0 || result.Definitions != 1 {
			t.Errorf("definition %d: %d definitions, unknown %v, findings:\n  %s\n%s",
				i, result.Definitions, result.Unknown, strings.Join(lines, "\n  "), text)
		}
	}
}

// TestGeneratedDefinitionsAreChecked holds that the test before can fail: one
// wrong field in each is found.
func TestGeneratedDefinitionsAreChecked(t *testing.T) {
	a := author{Rand: rand.New(rand.NewPCG(11, 12))}
	work := workOf(t, v1alpha1.GroupVersionKind{Group: "ray.io", Version: "v1", Kind: "RayCluster"})
	for i := range 20 {
		text := a.definition(work)
		wrong := strings.Replace(text, "podTemplateSpecPath: .spec", "podTemplateSpecPath: .spek", 1)
		result, err := lint.Run(context.Background(), lint.Options{
			Files: fstest.MapFS{"d.yaml": {Data: []byte(wrong)}}, Paths: []string{"d.yaml"},
			Rules: rules.All(), Schemas: lint.BuiltIn(),
		})
		if err != nil {
			t.Fatal(err)
		}
		if lines := found(result); wrong == text || len(lines) == 0 {
			t.Errorf("definition %d with .spek has no finding", i)
		}
	}
}

// kindOfWork is what the index says of a kind that has pod templates.
type kindOfWork struct {
	kind      v1alpha1.GroupVersionKind
	templates []templatePlace
	status    index.Type
	spec      index.Type
}

// templatePlace is where pod templates are.
type templatePlace struct {
	// path reads all of them; base is the path up to its last iteration, "" without one.
	path, base string
	// holder is the path of the object that has the template as a field.
	holder string
	// names is the field that tells elements apart; "" for the keys of a map.
	names string
	// counts are the integers beside the template, optional those that may be missing.
	counts []string
}

func workOf(t *testing.T, kind v1alpha1.GroupVersionKind) kindOfWork {
	t.Helper()
	found, err := index.Find(kind)
	if err != nil {
		t.Fatal(err)
	}
	work := kindOfWork{kind: kind}
	work.spec, _, _ = found.Root().Field("spec")
	work.status, _, _ = found.Root().Field("status")
	work.find(work.spec, templatePlace{path: ".spec"}, 0)
	return work
}

// find looks for pod templates below a type. One iteration at most: names of
// nested lists are not unique.
func (k *kindOfWork) find(t index.Type, at templatePlace, depth int) {
	if depth > 5 || len(k.templates) >= 12 {
		return
	}
	switch t.Kind() {
	case index.List, index.Map:
		element := t.Element()
		if at.base != "" || element.Kind() != index.Object {
			return
		}
		at.path += "[]?"
		at.base = at.path
		if t.Kind() == index.List {
			name := "name"
			if keys := t.ListKeys(); len(keys) == 1 {
				name = keys[0]
			}
			if field, exists, _ := element.Field(name); !exists || field.Kind() != index.String {
				return
			}
			at.names = name
		}
		k.find(element, at, depth+1)
	case index.Object:
		at.holder = at.path
		for name, field := range t.Fields() {
			if field.Kind() == index.Integer && len(field.Enum()) == 0 {
				at.counts = append(at.counts[:len(at.counts):len(at.counts)], dotted(name))
			}
		}
		for name, field := range t.Fields() {
			below := at
			below.path += dotted(name)
			if core, _ := field.Core(); core == "PodTemplateSpec" {
				k.templates = append(k.templates, below)
				continue
			}
			below.counts = nil
			k.find(field, below, depth+1)
		}
	}
}

func dotted(name string) string {
	if strings.Trim(strings.ToLower(name), "abcdefghijklmnopqrstuvwxyz") == "" {
		return "." + name
	}
	return "[" + strconv.Quote(name) + "]"
}

// author writes correct definitions.
type author struct{ *rand.Rand }

func (a author) one(of ...string) string { return of[a.IntN(len(of))] }

func (a author) definition(k kindOfWork) string {
	var text strings.Builder
	line := func(indent int, format string, arguments ...any) {
		fmt.Fprintf(&text, "%s%s\n", strings.Repeat("  ", indent), fmt.Sprintf(format, arguments...))
	}
	line(0, "apiVersion: workloadmap.dev/v1alpha1")
	line(0, "kind: WorkloadMap")
	line(0, "metadata:")
	line(1, "name: %s", v1alpha1.Slug(k.kind))
	line(0, "spec:")
	line(1, "structureDefinition:")
	line(2, "rootComponent:")
	line(3, "name: workload")
	line(3, "kind: {group: %q, version: %s, kind: %s}", k.kind.Group, k.kind.Version, k.kind.Kind)
	line(3, "statusDefinition:")
	a.status(k, line)
	if field, exists, _ := k.spec.Field("suspend"); exists && field.Kind() == index.Boolean {
		line(3, "suspendDefinition:")
		line(4, "suspendActions: [{path: .spec.suspend, value: %q}]", "true")
		line(4, "resumeActions: [{path: .spec.suspend, value: %q}]", "false")
	}
	line(2, "childComponents:")
	chosen := a.Perm(len(k.templates))[:1+a.IntN(min(3, len(k.templates)))]
	for i, at := range chosen {
		a.component(k.templates[at], i, line)
	}
	if a.IntN(2) == 0 {
		line(1, "optimizationInstructions:")
		line(2, "gangScheduling:")
		line(3, "podGroups:")
		line(4, "- name: all")
		line(5, "members:")
		line(6, "- componentName: workload")
		line(7, "groupByKeyPaths: ['.metadata.labels[\"example.com/job\"]']")
		if a.IntN(3) == 0 {
			line(7, "filters: ['(.metadata.labels[\"example.com/role\"] // \"\") != \"spare\"']")
		}
	}
	return text.String()
}

type writeLine func(indent int, format string, arguments ...any)

func (a author) component(at templatePlace, i int, line writeLine) {
	line(3, "- name: role-%d", i)
	line(4, "kind: {group: \"\", version: v1, kind: Pod}")
	line(4, "ownerRef: workload")
	if at.base != "" {
		list := strings.TrimSuffix(at.base, "[]?")
		if at.names != "" {
			line(4, "instanceIdPath: '%s.%s'", at.base, at.names)
		} else {
			line(4, "instanceIdPath: '%s'", a.one(list+" // {} | keys[]", list+" // {} | to_entries[] | .key"))
		}
	}
	line(4, "specDefinition:")
	line(5, "podTemplateSpecPath: %s", at.path)
	line(4, "scaleDefinition:")
	line(5, "replicasPath: '%s'", a.count(at))
	if a.IntN(3) == 0 {
		line(5, "minReplicasPath: '%s'", a.count(at))
	}
	line(4, "podSelector:")
	line(5, "componentTypeSelector:")
	line(6, "keyPath: .metadata.labels[\"example.com/role\"]")
	line(6, "value: role-%d", i)
	if at.base != "" {
		line(5, "componentInstanceSelector:")
		line(6, "idPath: .metadata.labels[\"example.com/group\"]")
	}
}

// count is a number for each instance, whatever is absent.
func (a author) count(at templatePlace) string {
	if len(at.counts) == 0 {
		return "1"
	}
	field := at.counts[a.IntN(len(at.counts))]
	other := at.counts[a.IntN(len(at.counts))]
	if at.base == "" {
		path := at.holder + field
		return a.one(path+" // 1", "("+path+" // 0) * 2", "["+path+" // 1, 3] | min", "if "+path+" == null then 1 else "+path+" end")
	}
	below := strings.TrimPrefix(at.holder, at.base)
	return at.base + " | " + a.one(
		fmt.Sprintf("(%s%s // 1)", below, field),
		fmt.Sprintf("(%s%s // 1) * (%s%s // 1)", below, field, below, other),
		fmt.Sprintf("[%s%s // 0, %s%s // 1] | max", below, field, below, other),
		fmt.Sprintf("%s%s as $n | if $n == null then 1 else $n end", below, field))
}

// status reads what the kind's status has.
func (a author) status(k kindOfWork, line writeLine) {
	phase, values := "", []string{"Running", "Ready", "active"}
	conditions, conditionTypes := false, []string{"Ready", "Available", "Complete"}
	var counters []string
	for name, field := range k.status.Fields() {
		switch {
		case field.Kind() == index.String && (name == "phase" || name == "state"):
			phase = name
			if enum := field.Enum(); len(enum) > 0 {
				values = nil
				for _, value := range enum {
					values = append(values, fmt.Sprint(value))
				}
			}
		case name == "conditions" && field.Kind() == index.List:
			element := field.Element()
			typed, hasType, _ := element.Field("type")
			_, hasStatus, _ := element.Field("status")
			conditions = hasType && hasStatus
			for _, value := range typed.Enum() {
				conditionTypes = append(conditionTypes, fmt.Sprint(value))
			}
			if len(typed.Enum()) > 0 {
				conditionTypes = conditionTypes[3:]
			}
		case field.Kind() == index.Integer && len(field.Enum()) == 0:
			counters = append(counters, dotted(name))
		}
	}
	if phase != "" {
		line(4, "phaseDefinition: {path: .status.%s}", phase)
	}
	if conditions {
		line(4, "conditionsDefinition: {path: '%s'}", a.one(".status.conditions", ".status.conditions // []"))
	}
	line(4, "statusMappings:")
	line(5, "running:")
	written := false
	if phase != "" {
		line(6, "- byPhase: %q", values[a.IntN(len(values))])
		written = true
	}
	if conditions && a.IntN(2) == 0 {
		line(6, "- byConditions: [{type: %q, status: %q}]", conditionTypes[a.IntN(len(conditionTypes))], a.one("True", "False"))
		written = true
	}
	if len(counters) > 0 && (!written || a.IntN(2) == 0) {
		counter := counters[a.IntN(len(counters))]
		line(6, "- byExpression: {expression: '%s', expectedResult: %q}", a.one(
			"(.status"+counter+" // 0) > 0", ".status"+counter+" == 3", "[.status"+counter+" // 0, 1] | max > 1"), a.one("true", "false"))
		written = true
	}
	if !written {
		line(6, "- byExpression: {expression: '.metadata.generation != null', expectedResult: %q}", a.one("true", "false"))
	}
}
