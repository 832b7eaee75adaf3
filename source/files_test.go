package source_test

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/workloadmap/wm/source"
)

func tree() fstest.MapFS {
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	return fstest.MapFS{
		"d/b.yaml": file("b"), "d/a.yml": file("a"), "d/c.json": file("{}"), "d/readme.md": file("x"),
		"d/sub/z.yaml": file("z"), "d/sub/skip/s.yaml": file("s"), "d/.git/g.yaml": file("g"), "d/.wm.yaml": file("w"),
		"d/other.txt": file("o"), "empty/x.md": file("x"),
	}
}

func TestList(t *testing.T) {
	skip := func(name string) bool { return strings.HasSuffix(name, "/skip") || name == "d/c.json" }
	for _, test := range []struct {
		paths   []string
		exclude []func(string) bool
		want    []string
	}{
		{[]string{"d"}, nil, []string{"d/a.yml", "d/b.yaml", "d/c.json", "d/sub/skip/s.yaml", "d/sub/z.yaml"}},
		{[]string{"d"}, []func(string) bool{skip}, []string{"d/a.yml", "d/b.yaml", "d/sub/z.yaml"}},
		{[]string{"d/sub", "d"}, []func(string) bool{nil, skip}, []string{"d/sub/z.yaml", "d/a.yml", "d/b.yaml"}},
		{[]string{"d/other.txt", "-", "d/c.json", "-", "d/c.json"}, []func(string) bool{skip}, []string{"d/other.txt", "-", "d/c.json"}},
		{[]string{"empty"}, nil, nil},
		{nil, nil, nil},
	} {
		got, err := source.List(tree(), test.paths, test.exclude...)
		if diff := cmp.Diff(test.want, got); diff != "" || err != nil {
			t.Errorf("%v: %v (-want +got)\n%s", test.paths, err, diff)
		}
	}
	if _, err := source.List(tree(), []string{"d", "absent"}); err == nil || err.Error() != "cannot read absent: no such file" || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing path gives %v", err)
	}
}

func TestRead(t *testing.T) {
	files := tree()
	files["large.yaml"] = &fstest.MapFile{Data: make([]byte, source.MaxFileSize+1)}
	files["limit.yaml"] = &fstest.MapFile{Data: make([]byte, source.MaxFileSize)}
	for _, test := range []struct {
		name  string
		stdin io.Reader
		size  int
		want  string
	}{
		{"d/b.yaml", nil, 1, ""},
		{"limit.yaml", nil, source.MaxFileSize, ""},
		{"-", strings.NewReader("text"), 4, ""},
		{"large.yaml", nil, 0, "cannot read large.yaml: it is larger than 16 MiB"},
		{"d", nil, 0, "cannot read d: it is a directory"},
		{"x.yaml", nil, 0, "cannot read x.yaml: no such file"},
		{"-", nil, 0, "cannot read standard input: there is none"},
		{"-", endless{}, 0, "cannot read standard input: it is larger than 16 MiB"},
		{"-", failing{}, 0, "cannot read standard input: the pipe broke"},
	} {
		content, err := source.Read(files, test.name, test.stdin)
		message := ""
		if err != nil {
			message = err.Error()
		}
		if len(content) != test.size || message != test.want {
			t.Errorf("%s: %d bytes and %q, want %d and %q", test.name, len(content), message, test.size, test.want)
		}
	}
}

// endless never ends: reading all of it would never return.
type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, errors.New("the pipe broke") }

func TestOS(t *testing.T) {
	directory := t.TempDir()
	write := func(name string) {
		path := filepath.Join(directory, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("a: 1\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("d/a.yaml")
	write("other/b.yaml")
	for link, target := range map[string]string{
		"d/loop": "../d", "d/loop.yaml": "../d", "d/file.yaml": "../other/b.yaml", "d/nowhere.yaml": "absent", "entry": "d",
	} {
		if err := os.Symlink(target, filepath.Join(directory, link)); err != nil {
			t.Fatal(err)
		}
	}
	at := func(name string) string { return filepath.ToSlash(filepath.Join(directory, name)) }
	got, err := source.List(source.OS(), []string{at("d"), filepath.Join(directory, "d", "..", "entry")})
	want := []string{
		at("d/a.yaml"), at("d/file.yaml"), at("d/nowhere.yaml"),
		at("entry/a.yaml"), at("entry/file.yaml"), at("entry/nowhere.yaml"),
	}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got)\n%s", err, diff)
	}
	if content, err := source.Read(source.OS(), at("d/file.yaml"), nil); string(content) != "a: 1\n" || err != nil {
		t.Errorf("got %q, %v", content, err)
	}
	if _, err := source.Read(source.OS(), at("d/nowhere.yaml"), nil); err == nil || err.Error() != "cannot read "+at("d/nowhere.yaml")+": no such file" {
		t.Errorf("a link to nothing gives %v", err)
	}
	if os.Geteuid() != 0 {
		if err := os.Chmod(filepath.Join(directory, "d/a.yaml"), 0); err != nil {
			t.Fatal(err)
		}
		if _, err := source.Read(source.OS(), at("d/a.yaml"), nil); err == nil || !strings.HasSuffix(err.Error(), ": permission denied") {
			t.Errorf("a file that may not be read gives %v", err)
		}
	}
}
