package coverage_test

import (
	"context"
	"errors"
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
	"github.com/workloadmap/wm/testkit/coverage"
)

// TestMeasure measures the cases of each archive in testdata, and holds what comes
// out against its file want: one line for each item and the cases that exercise it.
// The file annotated, where there is one, is the annotated copy.
func TestMeasure(t *testing.T) {
	names, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(names) < 8 {
		t.Fatalf("found %d archives: %v", len(names), err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			files := fstest.MapFS{}
			for _, file := range archive.Files {
				files[file.Name] = &fstest.MapFile{Data: file.Data}
			}
			report, err := coverage.Measure(context.Background(), optionsOf(t, files))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(files["want"].Data), listed(report)); diff != "" {
				t.Errorf("items (-want +got):\n%s", diff)
			}
			annotated, err := report.Annotated()
			if err != nil {
				t.Fatal(err)
			}
			if want := files["annotated"]; want != nil {
				if diff := cmp.Diff(string(want.Data), annotated[0].Content); diff != "" {
					t.Errorf("annotated copy (-want +got):\n%s", diff)
				}
			}
			sameMeaning(t, string(files["definition.yaml"].Data), annotated[0].Content)
		})
	}
}

// optionsOf reads the definition of an archive and all its cases.
func optionsOf(t *testing.T, files fstest.MapFS) testkit.Options {
	t.Helper()
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
	return testkit.Options{Files: files, Paths: []string{"fixtures"}, Definitions: set,
		Written: func(resolver.DefinitionReference) (*source.Document, error) { return documents[0], nil }}
}

func listed(report *coverage.Report) string {
	var text strings.Builder
	for i := range report.Definitions {
		d := &report.Definitions[i]
		for _, name := range d.Failing {
			fmt.Fprintf(&text, "failing %s\n", name)
		}
		for j := range d.Items {
			item := &d.Items[j]
			fmt.Fprintf(&text, "%d:%d %s", item.Place.Line, item.Place.Column, item)
			if item.Kind != coverage.Expression && item.Kind != coverage.Matcher && item.Expression != "" {
				fmt.Fprintf(&text, " %s", item.Expression)
			}
			cases := "NONE"
			if item.Covered() {
				cases = strings.Join(item.Cases, " ")
			}
			fmt.Fprintf(&text, ": %s\n", cases)
		}
		fmt.Fprintf(&text, "%d of %d\n", d.Covered(), d.Total())
	}
	return text.String()
}

// sameMeaning wants two texts to be the same document.
func sameMeaning(t *testing.T, original, copied string) {
	t.Helper()
	value := func(text string) any {
		documents, faults := source.Parse("definition.yaml", []byte(text))
		if len(faults) > 0 || len(documents) != 1 {
			t.Fatalf("%d documents, %v in\n%s", len(documents), faults, text)
		}
		return documents[0].Value()
	}
	if diff := cmp.Diff(value(original), value(copied)); diff != "" {
		t.Errorf("the copy says something else (-original +copy):\n%s", diff)
	}
}

// A copy keeps the line ends of its original, and JSON has no comments.
func TestAnnotatedLineEnds(t *testing.T) {
	archive, err := txtar.ParseFile("testdata/suspend.txtar")
	if err != nil {
		t.Fatal(err)
	}
	files := fstest.MapFS{}
	for _, file := range archive.Files {
		files[file.Name] = &fstest.MapFile{Data: file.Data}
	}
	windows := strings.ReplaceAll(string(files["definition.yaml"].Data), "\n", "\r\n")
	files["definition.yaml"].Data = []byte(windows)
	options := optionsOf(t, files)
	annotated := func() ([]coverage.File, error) {
		report, err := coverage.Measure(context.Background(), options)
		if err != nil {
			t.Fatal(err)
		}
		return report.Annotated()
	}
	copies, err := annotated()
	if err != nil {
		t.Fatal(err)
	}
	if got := copies[0].Content; strings.Count(got, "\n") != strings.Count(got, "\r\n") || !strings.Contains(got, "# covered by 1 case\r\n") {
		t.Errorf("the copy mixes line ends: %q", got)
	}
	sameMeaning(t, windows, copies[0].Content)

	documents, _ := source.Parse("definition.json", []byte(windows))
	options.Written = func(resolver.DefinitionReference) (*source.Document, error) { return documents[0], nil }
	if _, err := annotated(); err == nil || !strings.Contains(err.Error(), "definition.json is JSON, which has no comments") {
		t.Errorf("annotating JSON: %v", err)
	}
}

func TestMeasureRefuses(t *testing.T) {
	options := catalogOptions(t)
	options.Written = nil
	if _, err := coverage.Measure(context.Background(), options); err == nil || err.Error() != "coverage needs the definitions as they are written" {
		t.Errorf("without the definitions: %v", err)
	}
	canceled, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := coverage.Measure(canceled, catalogOptions(t)); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
}
