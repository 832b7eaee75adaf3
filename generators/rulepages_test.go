package generators

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/workloadmap/wm/lint/rules"
)

// docs/rules is what the generator makes of the rules, and nothing else.
func TestRulePagesAreFresh(t *testing.T) {
	const folder = "../docs/rules"
	want := map[string]string{}
	for _, page := range RulePages(rules.All()) {
		want[page.Name] = string(page.Content)
	}
	files, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, file := range files {
		got[filepath.Base(file)] = string(read(t, file))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("docs/rules is stale, run make generate (-generated +file):\n%s", diff)
	}
	if _, err := os.Stat(filepath.Join(folder, "README.md")); err != nil {
		t.Error(err)
	}
}
