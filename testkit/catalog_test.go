package testkit_test

import (
	"context"
	"testing"

	"github.com/workloadmap/wm/catalog"
	"github.com/workloadmap/wm/resolver"
	"github.com/workloadmap/wm/source"
	"github.com/workloadmap/wm/testkit"
)

// TestCatalog replays the cases of the built-in definitions, as wm test does.
func TestCatalog(t *testing.T) {
	set, err := resolver.NewSet(catalog.Candidates())
	if err != nil {
		t.Fatal(err)
	}
	report, err := testkit.Replay(context.Background(), testkit.Options{
		Files: source.OS(), Paths: []string{"../fixtures"}, Definitions: set,
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := report.Err(); err != nil {
		t.Error(err)
	}
	cases := map[string]int{}
	for _, outcome := range report.Cases {
		cases[outcome.Definition]++
	}
	for _, entry := range catalog.Entries() {
		if cases[entry.Name] < 4 {
			t.Errorf("%s has %d cases, at least 4 are needed", entry.Name, cases[entry.Name])
		}
	}
}
