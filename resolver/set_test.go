package resolver_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/workloadmap/wm/api/v1alpha1"
	"github.com/workloadmap/wm/resolver"
)

func kindOf(group, version, kind string) v1alpha1.GroupVersionKind {
	return v1alpha1.GroupVersionKind{Group: group, Version: version, Kind: kind}
}

// candidate is a definition named after its origin; loads counts.
func candidate(kind v1alpha1.GroupVersionKind, origin string, loads *int) resolver.Candidate {
	return resolver.Candidate{Kind: kind, Name: strings.ToLower(kind.Kind), Origin: origin, Load: func() (*v1alpha1.WorkloadMap, error) {
		if loads != nil {
			*loads++
		}
		return v1alpha1.Decode(definitionFrom([]any{map[string]any{"name": "root", "kind": map[string]any{
			"group": kind.Group, "version": kind.Version, "kind": kind.Kind,
		}}}, nil))
	}}
}

func TestSetFinds(t *testing.T) {
	train, old := kindOf("example.dev", "v1", "Train"), kindOf("example.dev", "v1beta1", "Train")
	plane := kindOf("example.dev", "v1", "Plane")
	pod := kindOf("", "v1", "Pod")
	set, err := resolver.NewSet(
		[]resolver.Candidate{candidate(train, "catalog", nil), candidate(old, "catalog", nil), candidate(plane, "catalog", nil), candidate(pod, "catalog", nil)},
		[]resolver.Candidate{candidate(train, "cluster", nil)},
	)
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		apiVersion, kind string
		version, origin  string
		other            bool
	}{
		"same version, later layer":          {"example.dev/v1", "Train", "v1", "cluster", false},
		"same version, earlier layer":        {"example.dev/v1beta1", "Train", "v1beta1", "catalog", false},
		"the only other version stands in":   {"example.dev/v2", "Plane", "v1", "catalog", true},
		"a core kind":                        {"v1", "Pod", "v1", "catalog", false},
		"no guess between two other ones":    {"example.dev/v2", "Train", "", "", false},
		"another group of the same kind":     {"other.dev/v1", "Plane", "", "", false},
		"no apiVersion at all":               {"", "Plane", "", "", false},
		"the same kind in the core group":    {"v1", "Plane", "", "", false},
		"kinds are compared as they are":     {"example.dev/v1", "train", "", "", false},
		"nothing at all":                     {"", "", "", "", false},
		"a kind that is like none is no kin": {"example.dev/v1", "Submarine", "", "", false},
	} {
		t.Run(name, func(t *testing.T) {
			match, err := set.FindObject(map[string]any{"apiVersion": test.apiVersion, "kind": test.kind})
			if test.version == "" {
				var none *resolver.NoDefinitionError
				if !errors.As(err, &none) || match.Resolver != nil {
					t.Fatalf("got %v, %v, want a NoDefinitionError", match, err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if match.Resolver.Root().Version != test.version || match.Resolver.Definition().Origin != test.origin || match.OtherVersion != test.other {
				t.Errorf("got %v from %s, other version %v", match.Resolver.Root(), match.Resolver.Definition().Origin, match.OtherVersion)
			}
		})
	}
}

func TestSetSuggests(t *testing.T) {
	set, err := resolver.NewSet([]resolver.Candidate{
		candidate(kindOf("ray.io", "v1", "RayCluster"), "catalog", nil), candidate(kindOf("ray.io", "v1", "RayJob"), "catalog", nil),
	})
	if err != nil {
		t.Fatal(err)
	}
	_, err = set.Find(kindOf("ray.io", "v1", "RayClutser"))
	if want := "no definition for ray.io/v1 RayClutser; the nearest that wm knows is ray.io/v1 RayCluster"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %q", err, want)
	}
	_, err = set.Find(kindOf("", "v1", "ConfigMap"))
	if want := "no definition for v1 ConfigMap"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %q", err, want)
	}
}

func TestSetRefusesTwoInOneLayer(t *testing.T) {
	train := kindOf("example.dev", "v1", "Train")
	_, err := resolver.NewSet([]resolver.Candidate{candidate(train, "a.yaml", nil), candidate(train, "b.yaml", nil)})
	var duplicate *resolver.DuplicateError
	if !errors.As(err, &duplicate) || duplicate.First != "train (a.yaml)" || duplicate.Second != "train (b.yaml)" {
		t.Errorf("got %v", err)
	}
}

// TestSetLoadsOnce also holds for definitions that cannot be loaded, and never
// loads what nobody asks for.
func TestSetLoadsOnce(t *testing.T) {
	train, plane := kindOf("example.dev", "v1", "Train"), kindOf("example.dev", "v1", "Plane")
	loads, unused, failures := 0, 0, 0
	broken := resolver.Candidate{Kind: plane, Name: "plane", Origin: "p.yaml", Load: func() (*v1alpha1.WorkloadMap, error) {
		failures++
		return nil, errors.New("torn page")
	}}
	set, err := resolver.NewSet([]resolver.Candidate{candidate(train, "catalog", &loads), candidate(kindOf("a", "b", "C"), "catalog", &unused), broken})
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if match, err := set.Find(train); err != nil || match.Resolver == nil {
				t.Error(match, err)
			}
			match, err := set.Find(plane)
			if match.Resolver != nil || err == nil || !strings.Contains(err.Error(), "load definition plane (p.yaml): torn page") {
				t.Error(match, err)
			}
		})
	}
	all.Wait()
	if loads != 1 || unused != 0 || failures != 1 {
		t.Errorf("loaded %d, %d and %d times", loads, unused, failures)
	}
}

// TestSetChecksWhatItLoads: a candidate announced for one kind must not read another.
func TestSetChecksWhatItLoads(t *testing.T) {
	train := kindOf("example.dev", "v1", "Train")
	wrong := candidate(kindOf("example.dev", "v1", "Plane"), "x.yaml", nil)
	wrong.Kind = train
	set, err := resolver.NewSet([]resolver.Candidate{wrong})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := set.Find(train); err == nil || !strings.Contains(err.Error(), "it reads example.dev/v1 Plane") {
		t.Errorf("got %v", err)
	}
}

// TestFamilies splits a stream into roots and what they own.
func TestFamilies(t *testing.T) {
	stream := objects([]any{
		map[string]any{"name": "pod-a", "uid": "pa", "owners": []any{"job"}},
		map[string]any{"name": "job", "uid": "job", "owners": []any{"set"}},
		map[string]any{"name": "set", "uid": "set", "owners": []any{"elsewhere"}},
		map[string]any{"name": "alone"},
		map[string]any{"name": "both", "owners": []any{"alone-too", "set"}},
		map[string]any{"name": "x", "uid": "x", "owners": []any{"y"}},
		map[string]any{"name": "y", "uid": "y", "owners": []any{"x"}},
		map[string]any{"name": "below-circle", "owners": []any{"y"}},
	})
	want := []resolver.Family{{Root: 2, Owned: []int{0, 1, 4}}, {Root: 3}, {Root: 5, Owned: []int{6, 7}}}
	got := resolver.Families(stream)
	if len(got) != len(want) {
		t.Fatalf("got %v, want %v", got, want)
	}
	for i := range want {
		if got[i].Root != want[i].Root || !slices.Equal(got[i].Owned, want[i].Owned) {
			t.Errorf("family %d: got %v, want %v", i, got[i], want[i])
		}
	}
}

func TestSetOfObjectsResolves(t *testing.T) {
	train := kindOf("example.dev", "v1", "Train")
	set, err := resolver.NewSet([]resolver.Candidate{candidate(train, "catalog", nil)})
	if err != nil {
		t.Fatal(err)
	}
	object := map[string]any{"apiVersion": "example.dev/v2", "kind": "Train", "metadata": map[string]any{"name": "t"}}
	match, err := set.FindObject(object)
	if err != nil || !match.OtherVersion {
		t.Fatal(match, err)
	}
	view, err := match.Resolver.Resolve(context.Background(), object)
	if err != nil || view.APIVersion != "example.dev/v2" || view.Definition.Origin != "catalog" {
		t.Errorf("got %+v, %v", view, err)
	}
}
