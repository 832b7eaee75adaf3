package importer_test

import (
	"encoding/json"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/workloadmap/wm/testkit/importer"
)

// FuzzImport imports anything: what is imported as a single object has nothing
// left to scrub.
func FuzzImport(f *testing.F) {
	archives, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(archives) == 0 {
		f.Fatalf("no seeds, error %v", err)
	}
	for _, name := range archives {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(archive.Files[0].Data)
	}
	options := importer.Options{Definitions: catalogSet(f), Name: "fuzzed"}
	f.Fuzz(func(t *testing.T, content []byte) { importTwice(t, content, options) })
}

// FuzzText hides a text under a name in all places of a Job that differ.
func FuzzText(f *testing.F) {
	c := newCluster(1)
	for range 20 {
		for _, planted := range c.plant(c.uid(), c.address()) {
			f.Add("image", planted.(string))
			f.Add("HF_TOKEN", planted.(string))
			f.Add(planted.(string), "2026-03-04T05:06:07Z "+planted.(string))
		}
	}
	for _, key := range []string{"nodeName", "hostname", "uid", "repository", "kubernetes.io/hostname", "creationTimestamp", "version", "--token"} {
		f.Add(key, "a.b.svc.corp.net 10-0-0-1 10.0.0.1 fd00::1 user@corp.net https://u:p@a.corp.net")
	}
	options := importer.Options{Definitions: catalogSet(f), Name: "fuzzed"}
	f.Fuzz(func(t *testing.T, key, text string) {
		content, err := json.Marshal(map[string]any{"apiVersion": "batch/v1", "kind": "Job",
			"metadata": map[string]any{"name": "j", "annotations": map[string]any{key: text}},
			"spec":     map[string]any{key: text, "args": []any{key, text, key + "=" + text}, "env": []any{map[string]any{"name": key, "value": text}}}})
		if err == nil {
			importTwice(t, content, options)
		}
	})
}

// Pieces of identifiers put together without order: none is scrubbed again.
func TestPiecesImportTwice(t *testing.T) {
	pieces := []string{
		"a", "-", ".", "/", ":", "@", "://", "https://", "10.0.0.1", "10-0-0-1", "ip-", "fd00::1", "::", "1", "corp.net", "x.corp.net",
		"svc", ".svc.", "cluster.local", "k8s.corp.net", "node-1", "gpu-07.rack.io", "gpu-07", "host-1.example", "192.0.2.1", "user",
		"user@corp.net", "HF_TOKEN=", "--token", "=", " ", "\"", "sha256:",
		"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08", "8d1f9a52-6a0d-4f0e-8f53-1f7f0a3f6b10",
		"8d1f9a526a0d4f0e8f531f7f0a3f6b10", "2026-03-04T05:06:07Z", "2026-03-04 05:06:07 +0000", "team/train:3", "registry.io:5000",
		"$(X)", "bearer ", "abcdefgh12345678", "hf_abcdefghijklmnopqrst", "00000000-0000-4000-8000-000000000001", "02:00:00:00:00:01",
		"0a:58:0a:f4:00:05", "internal", "redacted", "v1.2.3.4", "_",
	}
	keys := []string{"nodeName", "hostname", "uid", "repository", "kubernetes.io/hostname", "creationTimestamp", "version", "token", "image",
		"x", "rack.io/a", "group", "finalizers", "host", "value"}
	random := rand.New(rand.NewPCG(5, 5))
	text := func() string {
		var b strings.Builder
		for range 1 + random.IntN(6) {
			b.WriteString(pieces[random.IntN(len(pieces))])
		}
		return b.String()
	}
	options := importer.Options{Definitions: catalogSet(t), Name: "pieces"}
	for range 400 {
		fields := map[string]any{text(): text()}
		for range 4 {
			fields[keys[random.IntN(len(keys))]] = text()
		}
		content, err := json.Marshal(map[string]any{"apiVersion": "batch/v1", "kind": "Job",
			"metadata": map[string]any{"name": "j", "annotations": fields, "creationTimestamp": "2026-02-03T00:00:00Z"},
			"spec":     map[string]any{"args": []any{text(), text()}, "fields": fields, "nodeName": "gpu-07.rack.io"}})
		if err != nil {
			t.Fatal(err)
		}
		importTwice(t, content, options)
	}
}

func importTwice(t *testing.T, content []byte, options importer.Options) {
	t.Helper()
	imported, err := importer.Import("fuzzed", content, options)
	if err != nil || len(imported.Files) != 2 {
		return
	}
	object := imported.Files[1]
	again, err := importer.Import(object.Name, object.Content, options)
	if err != nil {
		t.Fatalf("%v\n%s", err, object.Content)
	}
	if len(again.Scrubbed) > 0 || string(again.Files[1].Content) != string(object.Content) {
		t.Errorf("scrubbed again: %v\n%s\n%s", again.Scrubbed, object.Content, again.Files[1].Content)
	}
}
