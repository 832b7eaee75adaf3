package mutation_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/workloadmap/wm/api/v1alpha1"
	"github.com/workloadmap/wm/catalog"
	"github.com/workloadmap/wm/source"
	"github.com/workloadmap/wm/testkit/mutation"
)

// TestOperators makes the mutants of each definition in testdata/operators. A
// section named like an operator lists all of its mutants: the changed lines
// without their indentation and what they mean. Every operator has a section
// somewhere, and is in docs/mutation.md.
func TestOperators(t *testing.T) {
	archives, err := filepath.Glob("testdata/operators/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatalf("found %d archives, error %v", len(archives), err)
	}
	seen, described := map[string]bool{}, map[string]bool{}
	for _, name := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			got := map[string]string{}
			for _, m := range mutants(t, archive.Files[0].Data) {
				got[m.Operator] += shown(m)
				seen[m.Operator] = true
			}
			for _, section := range archive.Files[1:] {
				described[section.Name] = true
				want := string(section.Data)
				if difference := cmp.Diff(strings.Split(want, "\n"), strings.Split(got[section.Name], "\n")); difference != "" {
					t.Errorf("%s: want (-), got (+):\n%s", section.Name, difference)
				}
			}
		})
	}
	guide, err := os.ReadFile("../../docs/mutation.md")
	if err != nil {
		t.Fatal(err)
	}
	for operator := range seen {
		if !strings.Contains(string(guide), operator) {
			t.Errorf("docs/mutation.md does not tell of %s", operator)
		}
		if !described[operator] {
			t.Errorf("no archive says what %s does", operator)
		}
	}
}

func mutants(t testing.TB, content []byte) []*mutation.Mutant {
	t.Helper()
	documents, faults := source.Parse("definition.yaml", content)
	if len(faults) > 0 {
		t.Fatal(faults[0])
	}
	all, err := mutation.Mutants(documents[0])
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func shown(m *mutation.Mutant) string {
	var text strings.Builder
	for line := range strings.Lines(m.Diff()) {
		fmt.Fprintf(&text, "%s %s\n", line[:1], strings.TrimSpace(line[1:]))
	}
	return text.String() + m.Meaning + "\n\n"
}

// inCatalog visits every fifth of the built-in definitions as it is written: all
// together take minutes.
func inCatalog(t *testing.T, visit func(t *testing.T, document *source.Document)) {
	for i, entry := range catalog.Entries() {
		if i%5 != 0 {
			continue
		}
		t.Run(entry.Name, func(t *testing.T) {
			t.Parallel()
			content, err := fs.ReadFile(catalog.Files(), entry.Name+".yaml")
			if err != nil {
				t.Fatal(err)
			}
			documents, faults := source.Parse(entry.Name+".yaml", content)
			if len(faults) > 0 {
				t.Fatal(faults[0])
			}
			visit(t, documents[0])
		})
	}
}

// TestMutantsOfCatalog checks what holds for every mutant: its name is its own,
// what it shows is in the file, and its YAML is the definition that is replayed.
func TestMutantsOfCatalog(t *testing.T) {
	inCatalog(t, func(t *testing.T, document *source.Document) {
		all, err := mutation.Mutants(document)
		if err != nil {
			t.Fatal(err)
		}
		original, err := v1alpha1.Decode(document.Value())
		if err != nil {
			t.Fatal(err)
		}
		names := map[string]bool{}
		for i, m := range all {
			if names[m.ID] || strings.ContainsAny(m.ID, " \t\n#") {
				t.Errorf("%s is no name, or is taken", m.ID)
			}
			names[m.ID] = true
			if reflect.DeepEqual(m.Definition().Spec, original.Spec) {
				t.Errorf("%s changes nothing", m.ID)
			}
			line := document.File().Line(m.Place.Line)
			if first, _, _ := strings.Cut(m.Before, "\n"); m.Operator != "swap-phase" && line != first {
				t.Errorf("%s is at %s, which is\n%s\nnot\n%s", m.ID, m.Place, line, first)
			}
			if m.Before == m.After || m.Meaning == "" {
				t.Errorf("%s says nothing: %s", m.ID, m.Diff())
			}
			// Reading YAML again is slow; a part of the mutants shows it.
			if i%8 != 0 {
				continue
			}
			content, err := m.YAML()
			if err != nil {
				t.Fatal(err)
			}
			if again := decoded(t, content); !reflect.DeepEqual(m.Definition(), again) {
				t.Errorf("%s: definition (-), YAML (+):\n%s", m.ID, cmp.Diff(m.Definition(), again))
			}
		}
	})
}

func decoded(t *testing.T, content []byte) *v1alpha1.WorkloadMap {
	t.Helper()
	documents, faults := source.Parse("mutant.yaml", content)
	if len(faults) > 0 {
		t.Fatal(faults[0])
	}
	definition, err := v1alpha1.Decode(documents[0].Value())
	if err != nil {
		t.Fatal(err)
	}
	return definition
}

// TestNamesStay changes a definition in one place and wants the names of the
// mutants in all other places unchanged, also when lines move and lists grow.
func TestNamesStay(t *testing.T) {
	content, err := os.ReadFile("testdata/operators/matchers.txtar")
	if err != nil {
		t.Fatal(err)
	}
	before := txtar.Parse(content).Files[0].Data
	after := strings.Replace(string(before), "            - byPhase: up\n", "            # A comment.\n            - byPhase: ready\n            - byPhase: up\n", 1)
	if after == string(before) {
		t.Fatal("the definition has not changed")
	}
	names := map[string]bool{}
	for _, m := range mutants(t, []byte(after)) {
		names[m.ID] = true
	}
	for _, m := range mutants(t, before) {
		if !names[m.ID] {
			t.Errorf("%s is gone:\n%s", m.ID, m.Diff())
		}
	}
}
