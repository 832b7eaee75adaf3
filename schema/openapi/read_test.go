package openapi_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/workloadmap/wm/schema/index"
	"github.com/workloadmap/wm/schema/openapi"
)

func archives(t *testing.T, pattern string) map[string]*txtar.Archive {
	t.Helper()
	names, err := filepath.Glob(pattern)
	if err != nil || len(names) == 0 {
		t.Fatalf("%s: %d files, %v", pattern, len(names), err)
	}
	found := map[string]*txtar.Archive{}
	for _, name := range names {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		found[strings.TrimSuffix(filepath.Base(name), ".txtar")] = archive
	}
	return found
}

// The first file of an archive is a CRD, the others are the root and defs of the
// indexes that have to come of it, in order, written by hand.
func TestIndexOfCRD(t *testing.T) {
	for name, archive := range archives(t, "testdata/ok/*.txtar") {
		t.Run(name, func(t *testing.T) {
			made, err := openapi.Read(archive.Files[0].Name, archive.Files[0].Data)
			if err != nil {
				t.Fatal(err)
			}
			if len(made) != len(archive.Files)-1 {
				t.Fatalf("%d indexes, want %d", len(made), len(archive.Files)-1)
			}
			for i, want := range archive.Files[1:] {
				if title := index.Title(made[i].Kind()); title != want.Name {
					t.Errorf("index %d is of %s, want %s", i, title, want.Name)
				}
				if diff := cmp.Diff(typesOf(t, want.Data), typesOf(t, made[i].Encode())); diff != "" {
					t.Errorf("%s (-want +got):\n%s", want.Name, diff)
				}
				again, err := index.Load(made[i].Encode())
				if err != nil {
					t.Fatal(err)
				}
				rewritten, err := index.New(again.Kind(), again.Root().Schema())
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(string(made[i].Encode()), string(rewritten.Encode())); diff != "" {
					t.Errorf("%s is not the same after a round trip (-first +second):\n%s", want.Name, diff)
				}
			}
		})
	}
}

func typesOf(t *testing.T, content []byte) map[string]any {
	t.Helper()
	var file map[string]any
	if err := json.Unmarshal(content, &file); err != nil {
		t.Fatal(err)
	}
	for _, header := range []string{"format", "kind", "core"} {
		delete(file, header)
	}
	return file
}

func TestFaults(t *testing.T) {
	for name, archive := range archives(t, "testdata/bad/*.txtar") {
		t.Run(name, func(t *testing.T) {
			_, err := openapi.Read(archive.Files[0].Name, archive.Files[0].Data)
			if err == nil {
				t.Fatal("no error")
			}
			if diff := cmp.Diff(strings.TrimSpace(string(archive.Files[1].Data)), err.Error()); diff != "" {
				t.Errorf("error (-want +got):\n%s", diff)
			}
		})
	}
}

// Where WM_CRDS names a folder of CRDs, each of them has to be understood, and the
// index of each version has to stay small.
func TestRealCRDs(t *testing.T) {
	folder := os.Getenv("WM_CRDS")
	if folder == "" {
		t.Log("WM_CRDS is not set: no real CRD is read by this test")
		return
	}
	names, err := filepath.Glob(filepath.Join(folder, "*.yaml"))
	if err != nil || len(names) == 0 {
		t.Fatalf("%s: %d files, %v", folder, len(names), err)
	}
	count := 0
	for _, name := range names {
		content, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		made, err := openapi.Read(filepath.Base(name), content)
		if err != nil {
			t.Error(err)
		}
		for _, each := range made {
			count++
			if size := len(each.Encode()); size > 40_000 {
				t.Errorf("the index of %s has %d bytes", index.Title(each.Kind()), size)
			}
			built, err := index.Find(each.Kind())
			if err != nil {
				t.Errorf("%v: commit it", err)
				continue
			}
			if diff := cmp.Diff(string(built.Encode()), string(each.Encode())); diff != "" {
				t.Errorf("the built-in index of %s is not what its CRD gives (-built in +CRD):\n%s", index.Title(each.Kind()), diff)
			}
		}
	}
	t.Logf("%d indexes of %d files", count, len(names))
}
