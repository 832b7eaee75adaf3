package catalog_test

import (
	"io/fs"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/workloadmap/wm/api/v1alpha1"
	"github.com/workloadmap/wm/catalog"
	"github.com/workloadmap/wm/resolver"
	"github.com/workloadmap/wm/source"
)

func TestIndexIsTheFiles(t *testing.T) {
	files, err := fs.Glob(catalog.Files(), "*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, entry := range catalog.Entries() {
		names = append(names, entry.Name+".yaml")
	}
	if !slices.Equal(names, files) {
		t.Errorf("index.go lists %v, the folder holds %v", names, files)
	}
}

func TestEveryDefinitionCompilesUnderItsSlug(t *testing.T) {
	for _, entry := range catalog.Entries() {
		definition, err := entry.Load()
		if err != nil {
			t.Errorf("%s: %v", entry.Name, err)
			continue
		}
		if kind := *definition.Spec.StructureDefinition.RootComponent.Kind; kind != entry.Kind {
			t.Errorf("%s reads %v, index.go says %v", entry.Name, kind, entry.Kind)
		}
		if slug := v1alpha1.Slug(entry.Kind); entry.Name != slug || definition.Name != slug {
			t.Errorf("file %s, name %s; both have to be %s", entry.Name, definition.Name, slug)
		}
		if _, err := resolver.Compile(definition); err != nil {
			t.Error(err)
		}
	}
}

// Definitions are loaded without the checks of the linter; the files are in order.
func TestFilesAreReadAsWritten(t *testing.T) {
	for _, entry := range catalog.Entries() {
		content, err := entry.Content()
		if err != nil {
			t.Fatal(err)
		}
		documents, faults := source.Parse(entry.Name, content)
		if len(faults) > 0 || len(documents) != 1 {
			t.Fatalf("%s: %d documents, %v", entry.Name, len(documents), faults)
		}
		want, err := v1alpha1.Decode(documents[0].Value())
		if err != nil {
			t.Fatal(err)
		}
		got, err := entry.Load()
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s is loaded otherwise than it is read:\n%s", entry.Name, diff)
		}
	}
}

func TestHeaderSaysWhatWasChecked(t *testing.T) {
	for _, entry := range catalog.Entries() {
		content, err := entry.Content()
		if err != nil {
			t.Fatal(err)
		}
		header, _, _ := strings.Cut(string(content), "apiVersion:")
		for _, want := range []string{"Checked against", "What the object does not tell"} {
			if !strings.Contains(strings.ToLower(header), strings.ToLower(want)) {
				t.Errorf("%s: the header comment does not say %q", path.Base(entry.Name), want)
			}
		}
	}
}

func TestFindSuggests(t *testing.T) {
	if _, err := catalog.Find("ray-io-rayclustr-v1"); err == nil || !strings.Contains(err.Error(), "ray-io-raycluster-v1") {
		t.Errorf("got %v", err)
	}
	if entry, err := catalog.Find("batch-job-v1"); err != nil || entry.Kind.Kind != "Job" {
		t.Errorf("got %v, %v", entry, err)
	}
}
