package generators

import (
	"bytes"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/workloadmap/wm/api/v1alpha1"
	"github.com/workloadmap/wm/schema/index"
)

const indexFolder = "../schema/index/"

// The indexes in the repository are what the generator makes of the Go types and
// of themselves, and nothing else.
func TestIndexesAreFresh(t *testing.T) {
	files, err := Indexes(os.DirFS(indexFolder+"data"), index.Core().Release())
	if err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(indexFolder + "data")
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if name := "data/" + entry.Name(); files[name] == nil {
			t.Errorf("%s is no longer made: remove it", name)
		}
	}
	for name, want := range files {
		if name == "indexes.zip" {
			// How well Go's deflate packs may change with its release; what is in the
			// bundle is compared by a test of the index package.
			continue
		}
		if diff := cmp.Diff(string(want), string(read(t, indexFolder+name))); diff != "" {
			t.Errorf("%s is stale, run make generate (-generated +file):\n%s", name, diff)
		}
	}
}

// When Kubernetes adds a field to a core type, the indexes that refer to the type
// are written again and mean what they meant before.
func TestIndexesFollowTheCoreTypes(t *testing.T) {
	older := map[string]*index.Schema{}
	for _, name := range index.Core().Names() {
		found, _ := index.Core().Type(name)
		older[name] = found.Schema()
	}
	container := *older["Container"]
	container.Fields = container.Fields[1:] // args
	older["Container"] = &container
	library, err := index.NewLibrary("older", older)
	if err != nil {
		t.Fatal(err)
	}
	kind := v1alpha1.GroupVersionKind{Group: "ray.io", Version: "v1", Kind: "RayCluster"}
	built, err := index.Find(kind)
	if err != nil {
		t.Fatal(err)
	}
	made, err := library.New(kind, built.Root().Schema())
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Equal(made.Encode(), built.Encode()) {
		t.Fatal("the other library made no difference")
	}
	name := index.Slug(kind) + ".json"
	files, err := Indexes(fstest.MapFS{
		index.LibraryFile: {Data: library.Encode()},
		name:              {Data: made.Encode()},
	}, index.Core().Release())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(built.Encode()), string(files["data/"+name])); diff != "" {
		t.Errorf("RayCluster changed (-before +after):\n%s", diff)
	}
}

func TestIndexesRefuse(t *testing.T) {
	core := index.Core().Encode()
	job := read(t, indexFolder+"data/batch-job-v1.json")
	for name, test := range map[string]struct {
		data fstest.MapFS
		want string
	}{
		"broken core types": {fstest.MapFS{index.LibraryFile: {Data: []byte("{")}}, "core types: line 1"},
		"broken index":      {fstest.MapFS{index.LibraryFile: {Data: core}, "x.json": {Data: []byte("{}")}}, "x.json: not an index"},
		"wrong name":        {fstest.MapFS{index.LibraryFile: {Data: core}, "x.json": {Data: job}}, "x.json holds the index of batch/v1/Job"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Indexes(test.data, "test")
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want one with %q", err, test.want)
			}
		})
	}
}
