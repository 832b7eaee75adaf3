package mutation_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/workloadmap/wm/api/v1alpha1"
	"github.com/workloadmap/wm/resolver"
	"github.com/workloadmap/wm/source"
	"github.com/workloadmap/wm/testkit"
	"github.com/workloadmap/wm/testkit/mutation"
)

// project is the definition and the fixtures of an archive, with the goldens
// that --update writes.
func project(t *testing.T, archive *txtar.Archive) testkit.Options {
	t.Helper()
	files := fstest.MapFS{}
	for _, file := range archive.Files {
		files[file.Name] = &fstest.MapFile{Data: file.Data}
	}
	documents, faults := source.Parse("definition.yaml", files["definition.yaml"].Data)
	if len(faults) > 0 {
		t.Fatal(faults[0])
	}
	definition, err := v1alpha1.Decode(documents[0].Value())
	if err != nil {
		t.Fatal(err)
	}
	set, err := resolver.NewSet([]resolver.Candidate{{
		Kind: *definition.Spec.StructureDefinition.RootComponent.Kind, Name: definition.Name, Origin: "definition.yaml",
		Load: func() (*v1alpha1.WorkloadMap, error) { return definition, nil },
	}})
	if err != nil {
		t.Fatal(err)
	}
	options := testkit.Options{Files: files, Paths: []string{"fixtures"}, Definitions: set,
		Written: func(resolver.DefinitionReference) (*source.Document, error) { return documents[0], nil }}
	approving := options
	approving.Update = func(name string, content []byte) error {
		files[name] = &fstest.MapFile{Data: content}
		return nil
	}
	if _, err := testkit.Replay(context.Background(), approving); err != nil {
		t.Fatal(err)
	}
	return options
}

// TestRuns replays each archive of testdata/runs and compares the fate of every
// mutant with its section want, one line each.
func TestRuns(t *testing.T) {
	archives, err := filepath.Glob("testdata/runs/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatalf("found %d archives, error %v", len(archives), err)
	}
	for _, name := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			last := len(archive.Files) - 1
			want := string(archive.Files[last].Data)
			archive.Files = archive.Files[:last]
			report, err := mutation.Run(context.Background(), project(t, archive))
			if err != nil {
				t.Fatal(err)
			}
			if difference := cmp.Diff(strings.Split(want, "\n"), strings.Split(fates(report), "\n")); difference != "" {
				t.Errorf("want (-), got (+):\n%s", difference)
			}
		})
	}
}

func fates(report *mutation.Report) string {
	var text strings.Builder
	for _, name := range report.Failing {
		fmt.Fprintf(&text, "failing: %s\n", name)
	}
	for _, d := range report.Definitions {
		fmt.Fprintf(&text, "%s: %d cases, %d mutants, %d equivalent, %d by expect, %d by golden, score %.1f\n",
			d.Name, d.Cases, d.Total, d.Equivalent, d.ByExpect, d.ByGolden, d.Score())
		line := func(fate string, m mutation.Mutant) {
			fmt.Fprintf(&text, "%s: %s: %s\n", fate, m.Operator, m.Meaning)
		}
		for _, m := range d.Survivors {
			line("survives", m)
		}
		for _, m := range d.Caught {
			if m.ByGolden {
				line("golden of "+m.KilledBy, m)
			} else {
				line(m.KilledBy, m)
			}
		}
	}
	return text.String()
}

// TestLists puts mutants.yaml of each archive of testdata/lists beside the case of
// testdata/listed.txtar and compares the score, or the error. A name with @ stands
// for the mutant whose full name begins so.
func TestLists(t *testing.T) {
	archives, err := filepath.Glob("testdata/lists/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatalf("found %d archives, error %v", len(archives), err)
	}
	for _, name := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			base, err := txtar.ParseFile("testdata/listed.txtar")
			if err != nil {
				t.Fatal(err)
			}
			archive, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			names := fullNames(t, base.Files[0].Data)
			list := txtar.File{Name: "fixtures/train/mutants.yaml", Data: []byte(names.Replace(string(archive.Files[0].Data)))}
			base.Files = append(base.Files, list)
			var got string
			report, err := mutation.Run(context.Background(), project(t, base))
			if err != nil {
				got = err.Error() + "\n"
			} else {
				d := report.Definitions[0]
				got = fmt.Sprintf("%d killed of %d, %d equivalent, score %.1f\n", d.Killed, d.Total, d.Equivalent, d.Score())
			}
			if want := names.Replace(string(archive.Files[1].Data)); got != want {
				t.Errorf("want\n%sgot\n%s", want, got)
			}
		})
	}
}

// fullNames replaces names without their digest.
func fullNames(t *testing.T, definition []byte) *strings.Replacer {
	t.Helper()
	var pairs []string
	for _, m := range mutants(t, definition) {
		pairs = append(pairs, "@"+m.ID[:strings.LastIndexByte(m.ID, '/')], m.ID)
	}
	return strings.NewReplacer(pairs...)
}
