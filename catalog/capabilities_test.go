package catalog_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/workloadmap/wm/api/v1alpha1"
	"github.com/workloadmap/wm/catalog"
)

// LeaderWorkerSet: leaders and workers in groups (units), no native suspend, no end.
func TestCapabilities(t *testing.T) {
	entry, err := catalog.Find("leaderworkerset-x-k8s-io-leaderworkerset-v1")
	if err != nil {
		t.Fatal(err)
	}
	got, err := entry.Capabilities()
	if err != nil {
		t.Fatal(err)
	}
	got.Writable, got.Paths = 0, 0
	want := catalog.Capabilities{
		Entry: entry, CheckedAgainst: "LeaderWorkerSet v0.10.0", Roles: []string{"leader", "worker"}, Scale: "all",
		Phases:    []v1alpha1.Phase{v1alpha1.PhaseInitializing, v1alpha1.PhaseRunning, v1alpha1.PhaseDegraded},
		Selectors: []string{"unit", "type"}, Gangs: []string{"group"}, Requests: []string{"pod template"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestEveryDefinitionSaysWhatItCanDo(t *testing.T) {
	for _, entry := range catalog.Entries() {
		got, err := entry.Capabilities()
		if err != nil {
			t.Fatal(err)
		}
		if got.CheckedAgainst == "" || len(got.CheckedAgainst) > 60 {
			t.Errorf("%s was checked against %q", entry.Name, got.CheckedAgainst)
		}
		if len(got.Phases) == 0 {
			t.Errorf("%s reports no phase", entry.Name)
		}
	}
}
