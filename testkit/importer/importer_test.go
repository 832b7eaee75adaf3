package importer_test

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/workloadmap/wm/catalog"
	"github.com/workloadmap/wm/resolver"
	"github.com/workloadmap/wm/testkit/importer"
)

// TestImport imports the input.yaml of each archive in testdata and compares the
// files of the case with those under want/, and what is told with "told": notes,
// counts, or the error.
func TestImport(t *testing.T) {
	archives, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(archives) < 25 {
		t.Fatalf("found %d archives, error %v", len(archives), err)
	}
	for _, name := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			want, input := map[string]string{}, ""
			for _, file := range archive.Files {
				switch {
				case file.Name == "input.yaml":
					input = string(file.Data)
				case file.Name == "told" || strings.HasPrefix(file.Name, "want/"):
					want[file.Name] = string(file.Data)
				default:
					t.Fatalf("%s is neither input.yaml, told nor under want/", file.Name)
				}
			}
			got := map[string]string{}
			imported, err := importer.Import("input.yaml", []byte(input), importer.Options{Definitions: catalogSet(t), Name: "imported"})
			if err != nil {
				got["told"] = fmt.Sprintf("error: %v\n", err)
			} else {
				got = folder(imported)
				got["told"] = told(imported)
			}
			if difference := cmp.Diff(want, got); difference != "" {
				t.Errorf("want (-), got (+):\n%s", difference)
			}
		})
	}
}

func told(imported *importer.Case) string {
	var b strings.Builder
	for _, note := range imported.Notes {
		fmt.Fprintf(&b, "note: %s\n", note)
	}
	for _, count := range imported.Scrubbed {
		fmt.Fprintf(&b, "%d %s", count.Values, count.What)
		if count.Values != count.Places {
			fmt.Fprintf(&b, " in %d places", count.Places)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// folder is the case as names and contents of files.
func folder(imported *importer.Case) map[string]string {
	files := map[string]string{}
	for _, file := range imported.Files {
		files["want/"+file.Name] = string(file.Content)
	}
	return files
}

func catalogSet(t testing.TB) *resolver.Set {
	t.Helper()
	set, err := resolver.NewSet(catalog.Candidates())
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// The same input gives the same case.
func TestImportIsDeterministic(t *testing.T) {
	archive, err := txtar.ParseFile("testdata/objects.txtar")
	if err != nil {
		t.Fatal(err)
	}
	var first map[string]string
	for range 20 {
		imported, err := importer.Import("input.yaml", archive.Files[0].Data, importer.Options{Definitions: catalogSet(t), Name: "imported"})
		if err != nil {
			t.Fatal(err)
		}
		files := folder(imported)
		files["told"] = told(imported)
		if first == nil {
			first = files
		}
		if !maps.Equal(first, files) {
			t.Fatalf("the files %v differ from run to run", slices.Sorted(maps.Keys(files)))
		}
	}
}
