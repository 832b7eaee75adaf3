package manifest_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/workloadmap/wm/catalog"
	"github.com/workloadmap/wm/internal/manifest"
	"github.com/workloadmap/wm/resolver"
)

// TestStreams reads the stream.yaml of each folder of testdata/streams and
// compares what is told about it with want.txt: a line for each workload with
// its pods, then the notes and the faults. Lines that start with # say why.
func TestStreams(t *testing.T) {
	folders, err := filepath.Glob("testdata/streams/*")
	if err != nil || len(folders) < 8 {
		t.Fatalf("found %d streams, error %v", len(folders), err)
	}
	for _, folder := range folders {
		t.Run(filepath.Base(folder), func(t *testing.T) {
			content, err := os.ReadFile(filepath.Join(folder, "want.txt"))
			if err != nil {
				t.Fatal(err)
			}
			want := string(content)
			for strings.HasPrefix(want, "#") {
				_, want, _ = strings.Cut(want, "\n")
			}
			if difference := cmp.Diff(want, told(t, os.DirFS(folder))); difference != "" {
				t.Errorf("want (-), got (+):\n%s", difference)
			}
		})
	}
}

func told(t *testing.T, files fs.FS) string {
	t.Helper()
	var text strings.Builder
	objects, unread := manifest.Read(files, []string{"stream.yaml"}, nil)
	description, undescribed := manifest.Describe(context.Background(), objects, catalogSet(t))
	for _, w := range description.Workloads {
		fmt.Fprintf(&text, "%s %s with", w.Kind, w.Name)
		pods := append([]string{}, w.Unattributed...)
		w.Walk(func(c *resolver.Component) bool {
			for _, instance := range c.Instances {
				for _, pod := range instance.Pods {
					pods = append(pods, pod.Name)
				}
			}
			return true
		})
		if w.Replicas.Ready == nil {
			fmt.Fprintln(&text, " no pods seen")
		} else {
			fmt.Fprintln(&text, " pods", pods)
		}
	}
	for _, note := range description.Notes {
		fmt.Fprintln(&text, "note:", note)
	}
	if err := errors.Join(unread, undescribed); err != nil {
		fmt.Fprintln(&text, err)
	}
	return text.String()
}

func catalogSet(t *testing.T) *resolver.Set {
	t.Helper()
	set, err := resolver.NewSet(catalog.Candidates())
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func TestApplyIsAllOrNothing(t *testing.T) {
	files := fstest.MapFS{"x.yaml": {Data: []byte(`
{apiVersion: batch/v1, kind: Job, metadata: {name: a}}
---
{apiVersion: batch/v1, kind: Job, metadata: {name: b}}
---
{apiVersion: v1, kind: Service, metadata: {name: s}}
`)}}
	objects, err := manifest.Read(files, []string{"x.yaml"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	refusal := errors.New("not b")
	refuse := func(name string) manifest.Change {
		return func(_ context.Context, _ *resolver.Resolver, object map[string]any) (*resolver.Edit, error) {
			if object["metadata"].(map[string]any)["name"] == name {
				return nil, refusal
			}
			return &resolver.Edit{Object: object}, nil
		}
	}
	changed, notes, err := manifest.Apply(context.Background(), objects, catalogSet(t), refuse("none"))
	if err != nil || len(changed) != 2 || len(notes) != 1 {
		t.Errorf("got %d changed, notes %q, error %v; want two, one note on the Service", len(changed), notes, err)
	}
	changed, _, err = manifest.Apply(context.Background(), objects, catalogSet(t), refuse("b"))
	if !errors.Is(err, refusal) || err.Error() != "x.yaml:4:1: not b" || changed != nil {
		t.Errorf("got %d changed, error %v; want none, the refusal with its place", len(changed), err)
	}
}

func TestReadKeepsWhatIsReadable(t *testing.T) {
	folder := t.TempDir()
	if err := os.Symlink("gone.yaml", filepath.Join(folder, "a.yaml")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "b.yaml"), []byte("apiVersion: batch/v1\nkind: Job\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	objects, err := manifest.Read(os.DirFS(folder), []string{"."}, nil)
	if len(objects) != 1 || err == nil || err.Error() != "cannot read a.yaml: no such file" {
		t.Errorf("got %d objects, error %v", len(objects), err)
	}
}
