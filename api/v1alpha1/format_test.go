package v1alpha1

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime"
)

func TestSlug(t *testing.T) {
	for want, kind := range map[string]GroupVersionKind{
		"core-pod-v1":            {Version: "v1", Kind: "Pod"},
		"batch-job-v1":           {Group: "batch", Version: "v1", Kind: "Job"},
		"ray-io-raycluster-v1":   {Group: "ray.io", Version: "v1", Kind: "RayCluster"},
		"a-b-c-io-thing-v1beta2": {Group: "a.b-c.io", Version: "v1beta2", Kind: "Thing"},
	} {
		if got := Slug(kind); got != want {
			t.Errorf("%v: got %s, want %s", kind, got, want)
		}
	}
}

func TestAPIVersion(t *testing.T) {
	if got := (GroupVersionKind{Version: "v1"}).APIVersion(); got != "v1" {
		t.Errorf("core: %s", got)
	}
	if got := (GroupVersionKind{Group: "ray.io", Version: "v1"}).APIVersion(); got != "ray.io/v1" {
		t.Errorf("group: %s", got)
	}
}

func TestDialects(t *testing.T) {
	if !slices.IsSortedFunc(Dialects(), func(a, b Dialect) int { return strings.Compare(a.Name, b.Name) }) {
		t.Error("not sorted by name")
	}
	for _, c := range []struct{ apiVersion, kind, want string }{
		{"workloadmap.dev/v1alpha1", "WorkloadMap", "workloadmap"},
		{"run.ai/v1alpha1", "Karta", "karta"},
		{"optimization.nvidia.com/v1alpha1", "ResourceInterface", "resourceinterface"},
		{"run.ai/v1alpha1", "WorkloadMap", ""},
		{"run.ai/v1", "Karta", ""},
		{"run.ai/v1alpha1", "karta", ""},
		{"", "", ""},
	} {
		got, ok := DialectOf(c.apiVersion, c.kind)
		if got.Name != c.want || ok != (c.want != "") {
			t.Errorf("%s %s: got %q, %t", c.apiVersion, c.kind, got.Name, ok)
		}
	}
}

func TestPhaseOrders(t *testing.T) {
	for _, c := range []struct {
		name string
		got  []Phase
		want string
	}{
		{"match", MatchPhases(), "Resuming Suspending Suspended Running Failed Completed Initializing Degraded"},
		{"headline", HeadlinePhases(), "Failed Completed Suspending Resuming Suspended Degraded Running Initializing Undefined"},
		{"declared", Phases(), "Initializing Running Completed Failed Degraded Suspended Suspending Resuming"},
	} {
		var words []string
		for _, p := range c.got {
			words = append(words, string(p))
		}
		if diff := cmp.Diff(c.want, strings.Join(words, " ")); diff != "" {
			t.Errorf("%s order (-want +got):\n%s", c.name, diff)
		}
	}
}

// Each phase reads the field that has its key, and no field is left over.
func TestStatusMappingsFor(t *testing.T) {
	mappings := reflect.TypeFor[StatusMappings]()
	if mappings.NumField() != len(Phases()) {
		t.Errorf("%d fields for %d phases", mappings.NumField(), len(Phases()))
	}
	for i, phase := range Phases() {
		if got := jsonName(mappings.Field(i)); got != phase.Key() {
			t.Errorf("%s has key %s, the field is %s", phase, phase.Key(), got)
		}
		var m StatusMappings
		reflect.ValueOf(&m).Elem().Field(i).Set(reflect.ValueOf([]StatusMatcher{{ByPhase: "x"}}))
		if got := m.For(phase); len(got) != 1 {
			t.Errorf("For(%s) reads another field", phase)
		}
	}
	if got := (StatusMappings{Running: []StatusMatcher{{}}}).For(PhaseUndefined); got != nil {
		t.Errorf("Undefined has matchers: %v", got)
	}
	if got := PhaseUndefined.Key(); got != "" {
		t.Errorf("Undefined has the key %q", got)
	}
}

// Children may have a status too, and a definition built in Go passes here only.
func TestSetDefaultsOnChildren(t *testing.T) {
	w := &WorkloadMap{}
	w.Spec.StructureDefinition.ChildComponents = []Component{
		{}, {StatusDefinition: &StatusDefinition{ConditionsDefinition: &ConditionsDefinition{Path: ".c", StatusFieldName: "state"}}},
	}
	SetDefaults(w)
	want := ConditionsDefinition{Path: ".c", TypeFieldName: "type", StatusFieldName: "state", MessageFieldName: "message", ReasonFieldName: "reason"}
	if got := *w.Spec.StructureDefinition.ChildComponents[1].StatusDefinition.ConditionsDefinition; got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestAddToScheme(t *testing.T) {
	scheme := runtime.NewScheme()
	if err := AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	object, err := scheme.New(GroupVersion.WithKind("WorkloadMap"))
	if _, ok := object.(*WorkloadMap); err != nil || !ok {
		t.Errorf("got %T, %v", object, err)
	}
}
