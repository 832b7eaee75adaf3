package architecture

import (
	"slices"
	"strings"
	"testing"
)

// TestLintStaysInside holds that lint, and every package of this module below it,
// can reach neither the network nor other programs nor the environment's secrets
// by themselves: it checks files of strangers.
func TestLintStaysInside(t *testing.T) {
	imports := map[string][]string{}
	for _, file := range sourceFiles(t) {
		if !strings.HasSuffix(file.name, "_test.go") {
			imports[file.folder] = append(imports[file.folder], file.imports...)
		}
	}
	forbidden := []string{"net", "net/http", "net/rpc", "os/exec", "os/user", "plugin", "syscall", "unsafe", "k8s.io/client-go"}
	var from []string
	for folder := range imports {
		if within(folder, "lint") {
			from = append(from, folder)
		}
	}
	if len(from) < 3 {
		t.Fatalf("only %v is looked at", from)
	}
	seen := map[string]bool{}
	for len(from) > 0 {
		folder := from[0]
		from = from[1:]
		if seen[folder] {
			continue
		}
		seen[folder] = true
		for _, imported := range imports[folder] {
			if slices.ContainsFunc(forbidden, func(f string) bool { return imported == f || strings.HasPrefix(imported, f+"/") && f != "net" }) {
				t.Errorf("%s imports %s, and lint imports it", folder, imported)
			}
			if below, own := strings.CutPrefix(imported, module+"/"); own {
				from = append(from, below)
			}
		}
	}
	for _, below := range []string{"source", "jq", "schema/types"} {
		if !seen[below] {
			t.Errorf("lint does not import %s: this test looks at the wrong files", below)
		}
	}
}
