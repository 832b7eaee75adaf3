package convert_test

import (
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/workloadmap/wm/api/v1alpha1"
	"github.com/workloadmap/wm/catalog"
	"github.com/workloadmap/wm/generators/convert"
	"github.com/workloadmap/wm/source"
)

func TestFile(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no testdata", err)
	}
	for _, name := range files {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		part := map[string]string{}
		for _, file := range archive.Files {
			part[file.Name] = string(file.Data)
		}
		for _, line := range []string{"\n", "\r\n"} {
			given, want := strings.ReplaceAll(part["given"], "\n", line), strings.ReplaceAll(part["karta"], "\n", line)
			got, err := convert.File("given.yaml", []byte(given), v1alpha1.DialectKarta)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			if diff := cmp.Diff(want, string(got)); diff != "" && line == "\n" {
				t.Errorf("%s (-want +got):\n%s", name, diff)
			}
			again, err := convert.File("again.yaml", got, v1alpha1.DialectKarta)
			if err != nil || string(again) != string(got) {
				t.Errorf("%s: a second conversion changes it: %v\n%s", name, err, again)
			}
		}
	}
}

// A definition and its conversion there and back are the same but for the labels.
func TestCatalogThereAndBack(t *testing.T) {
	for _, entry := range catalog.Entries() {
		content, err := entry.Content()
		if err != nil {
			t.Fatal(err)
		}
		karta, err := convert.File(entry.Name, content, v1alpha1.DialectKarta)
		if err != nil {
			t.Fatal(err)
		}
		back, err := convert.File(entry.Name, karta, v1alpha1.DialectWorkloadMap)
		if err != nil {
			t.Fatal(err)
		}
		before, after := decode(t, content), decode(t, back)
		if want := (map[string]string{v1alpha1.LabelKartaGroup: entry.Kind.Group, v1alpha1.LabelKartaVersion: entry.Kind.Version, v1alpha1.LabelKartaKind: entry.Kind.Kind}); !reflect.DeepEqual(after.Labels, want) {
			t.Errorf("%s has labels %v, want %v", entry.Name, after.Labels, want)
		}
		after.Labels = before.Labels
		if diff := cmp.Diff(before, after); diff != "" {
			t.Errorf("%s changes on the way there and back:\n%s", entry.Name, diff)
		}
	}
}

func decode(t *testing.T, content []byte) *v1alpha1.WorkloadMap {
	t.Helper()
	documents, faults := source.Parse("x", content)
	if len(faults) > 0 {
		t.Fatal(faults[0])
	}
	definition, err := v1alpha1.Decode(documents[0].Value())
	if err != nil {
		t.Fatal(err)
	}
	return definition
}

func TestRefusals(t *testing.T) {
	for _, c := range []struct{ content, dialect, want string }{
		{"apiVersion: v1\nkind: Pod\n", "karta", "d.yaml holds no definition"},
		{"kind: WorkloadMap\napiVersion: workloadmap.dev/v1alpha1\nmetadata: {name: x}\n", "kart", `unknown dialect "kart": use karta or resourceinterface or workloadmap`},
		{"kind: WorkloadMap\napiVersion: workloadmap.dev/v1alpha1\nmetadata: {name: x}\n", "karta", "d.yaml:1:1: the root component has no kind with version and kind, by which KAI would find the definition"},
		{"kind: [", "karta", "d.yaml:1:7: "},
	} {
		_, err := convert.File("d.yaml", []byte(c.content), c.dialect)
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%q: %v, want %s", c.content, err, c.want)
		}
	}
}
