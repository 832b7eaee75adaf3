package lint_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/workloadmap/wm/lint"
	"github.com/workloadmap/wm/lint/rules"
	"github.com/workloadmap/wm/source"
)

const right = `apiVersion: workloadmap.dev/v1alpha1
kind: WorkloadMap
metadata: {name: a}
spec:
  structureDefinition:
    rootComponent:
      name: trainer
      kind: {group: example.com, version: v1, kind: Trainer}
      statusDefinition: {statusMappings: {}}
`

// wrong has one finding, WM111 at 11:15.
const wrong = right + `    childComponents:
      - name: worker
`

const broken = "a: [1\n"

// anyPath takes paths as people type them, as source.OS does.
type anyPath struct{ fstest.MapFS }

func (f anyPath) Open(name string) (fs.File, error)     { return f.MapFS.Open(path.Clean(name)) }
func (f anyPath) Stat(name string) (fs.FileInfo, error) { return f.MapFS.Stat(path.Clean(name)) }
func (f anyPath) ReadDir(name string) ([]fs.DirEntry, error) {
	return f.MapFS.ReadDir(path.Clean(name))
}

func run(files map[string]string, stdin io.Reader, paths ...string) (*lint.Result, error) {
	fsys := fstest.MapFS{}
	for name, content := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(content)}
	}
	return lint.Run(context.Background(), lint.Options{Files: anyPath{fsys}, Paths: paths, Stdin: stdin, Rules: rules.All(), Schemas: lint.BuiltIn()})
}

func placesOf(result *lint.Result) []string {
	lines := []string{}
	for _, f := range result.Findings {
		lines = append(lines, fmt.Sprintf("%s:%d:%d %s", f.File, f.Line, f.Column, f.Rule))
	}
	return lines
}

func TestWhatIsLookedAt(t *testing.T) {
	config := "apiVersion: v1\nkind: ConfigMap\n"
	files := map[string]string{
		"a/right.yaml":     right,
		"a/wrong.yml":      wrong,
		"a/deep/karta.yml": strings.NewReplacer("workloadmap.dev", "run.ai", "WorkloadMap", "Karta").Replace(right),
		"a/config.yaml":    config,
		"a/kueue.yaml":     "apiVersion: kueue.x-k8s.io/v1beta1\nkind: Workload\n",
		"a/project.yaml":   "apiVersion: run.ai/v1alpha1\nkind: Project\n",
		"a/list.json":      `{"kind": "List", "apiVersion": "v1", "items": [{"kind": "Pod", "apiVersion": "v1"}]}`,
		"a/empty.yaml":     "# nothing\n",
		"a/readme.md":      wrong,
		"a/values.yaml":    "replicas: 1\n",
		"b/misspelt.yaml":  "apiVersion: workloadmap.dev/v1alpha1\nkind: Workloadmap\n",
		"c/streams.yaml":   right + "---\n" + broken + "---\n" + wrong,
	}
	for _, c := range []struct {
		name        string
		paths       []string
		findings    []string
		files       int
		definitions int
	}{
		{"a folder", []string{"a"}, []string{"a/wrong.yml:11:15 WM111"}, 9, 3},
		{"everything", []string{"."}, []string{
			"a/wrong.yml:11:15 WM111", "b/misspelt.yaml:2:7 WM002", "c/streams.yaml:11:4 WM001", "c/streams.yaml:23:15 WM111",
		}, 11, 5},
		{"one file twice", []string{"a/wrong.yml", "./a/wrong.yml", "a/wrong.yml"}, []string{"a/wrong.yml:11:15 WM111"}, 1, 1},
		{"a file and its folder", []string{"a", "a/config.yaml"}, []string{"a/config.yaml:2:7 WM002", "a/wrong.yml:11:15 WM111"}, 9, 3},
		{"any name that is given", []string{"a/readme.md"}, []string{"a/readme.md:11:15 WM111"}, 1, 1},
		{"a misspelt header in a folder", []string{"b"}, []string{"b/misspelt.yaml:2:7 WM002"}, 1, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			result, err := run(files, nil, c.paths...)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.findings, placesOf(result)); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
			if result.Files != c.files || result.Definitions != c.definitions {
				t.Errorf("%d files and %d definitions, want %d and %d", result.Files, result.Definitions, c.files, c.definitions)
			}
		})
	}
}

// What cannot be read is an error in one line, and the rest is checked.
func TestUnreadable(t *testing.T) {
	files := map[string]string{
		"wrong.yaml":       wrong,
		"empty.yaml":       "",
		"comments.yaml":    "# nothing\n---\n",
		"binary.yaml":      "\x7fELF\x00\x01",
		"latin1.yaml":      "a: \xe9\n",
		"utf16.yaml":       "\xff\xfea\x00",
		"large.yaml":       strings.Repeat("#", 20<<20),
		"other/a.yaml":     "kind: ConfigMap\napiVersion: v1\n",
		"other/empty.yaml": "",
		"nothing/a.txt":    "x",
	}
	for path, want := range map[string]string{
		"missing.yaml":  "cannot read missing.yaml: no such file",
		"empty.yaml":    "empty.yaml is empty: a definition is needed",
		"comments.yaml": "comments.yaml is empty: a definition is needed",
		"binary.yaml":   "cannot read binary.yaml:1:5: this is not text (byte 0x00 at offset 4)",
		"latin1.yaml":   "cannot read latin1.yaml:1:4: this is not text (byte 0xe9 at offset 3)",
		"utf16.yaml":    "cannot read utf16.yaml:1:1: the file is encoded as UTF-16",
		"large.yaml":    "cannot read large.yaml: it is larger than 16 MiB",
		"other":         "no definitions in other",
		"nothing":       "no definitions in nothing",
	} {
		t.Run(path, func(t *testing.T) {
			result, err := run(files, nil, path, "wrong.yaml")
			if err == nil || err.Error() != want {
				t.Errorf("got error %v, want %s", err, want)
			}
			if diff := cmp.Diff([]string{"wrong.yaml:11:15 WM111"}, placesOf(result)); diff != "" {
				t.Errorf("the file beside it (-want +got):\n%s", diff)
			}
		})
	}
}

// A folder in which something is wrong is not called empty as well.
func TestFolderWithOnlyABrokenFile(t *testing.T) {
	result, err := run(map[string]string{"a/x.yaml": broken}, nil, "a")
	if err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff([]string{"a/x.yaml:1:4 WM001"}, placesOf(result)); diff != "" {
		t.Error(diff)
	}
	_, err = run(map[string]string{"a/x.yaml": "\x00"}, nil, "a")
	if err == nil || strings.Contains(err.Error(), "no definitions") {
		t.Errorf("got %v", err)
	}
}

func TestStandardInput(t *testing.T) {
	result, err := run(nil, strings.NewReader(wrong), "-")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"-:11:15 WM111"}, placesOf(result)); diff != "" {
		t.Error(diff)
	}
	for _, c := range []struct {
		stdin io.Reader
		want  string
	}{
		{strings.NewReader(""), "standard input is empty: a definition is needed"},
		{nil, "cannot read standard input: there is none"},
	} {
		if _, err := run(nil, c.stdin, "-"); err == nil || err.Error() != c.want {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
}

func TestFindingsKnowTheirLine(t *testing.T) {
	result, err := run(map[string]string{"a.yaml": strings.ReplaceAll(wrong, "\n", "\r\n")}, nil, "a.yaml")
	if err != nil {
		t.Fatal(err)
	}
	f := result.Findings[0]
	if got, want := result.Line(f.File, f.Line), "      - name: worker"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := result.Line("b.yaml", 1) + result.Line("a.yaml", 99); got != "" {
		t.Errorf("a line that is not there is %q", got)
	}
}

// Whatever names are in a file, a finding is one line of a bearable length.
func TestMessagesAreOneLine(t *testing.T) {
	long := strings.Repeat("x", 10_000)
	result := lintText(t, right+`    childComponents: [{name: "a\nb\r`+long+`", ownerRef: "c\r\nd"}]`)
	if len(result.Findings) != 1 {
		t.Fatal(found(result))
	}
	message := result.Findings[0].Message
	if strings.ContainsAny(message, "\r\n") || len(message) > 600 || !strings.HasPrefix(message, "the owner `c d` of component `a b xxx") {
		t.Errorf("got %q", message)
	}
}

func TestInfosDoNotFail(t *testing.T) {
	for severity, want := range map[lint.Severity]bool{lint.Info: false, lint.Warning: true, lint.Error: true} {
		if got := (&lint.Result{Findings: []lint.Finding{{Severity: severity}}}).Failed(); got != want {
			t.Errorf("%s fails: %t", severity, got)
		}
	}
	if (&lint.Result{}).Failed() {
		t.Error("a run without findings fails")
	}
	if _, err := new(lint.Severity).MarshalText(); err == nil {
		t.Error("the zero severity can be written")
	}
}

// rootKind finds the first kind of a definition, which is the root's.
var rootKind = regexp.MustCompile(`kind: \{group: ([^,]+), version: ([^,]+), kind: ([^}]+)\}`)

// The catalog has no finding in any dialect.
func TestCatalogIsClean(t *testing.T) {
	files, err := filepath.Glob("../catalog/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no catalog: %v", err)
	}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		karta := bytes.Replace(content, []byte("apiVersion: workloadmap.dev/v1alpha1\nkind: WorkloadMap\n"),
			[]byte("apiVersion: run.ai/v1alpha1\nkind: Karta\n"), 1)
		if bytes.Equal(karta, content) {
			t.Errorf("%s: no header to replace", file)
		}
		// Kartas with gangs have the labels that KAI looks them up by.
		kind := rootKind.FindSubmatch(content)
		if kind == nil {
			t.Fatalf("%s: no kind of the root", file)
		}
		karta = bytes.Replace(karta, []byte("\nmetadata:\n"), fmt.Appendf(nil,
			"\nmetadata:\n  labels: {run.ai/karta-group: %s, run.ai/karta-version: %s, run.ai/karta-kind: %s}\n", kind[1], kind[2], kind[3]), 1)
		for _, text := range [][]byte{content, karta} {
			result := lintText(t, string(text))
			if len(result.Findings) > 0 || result.Definitions != 1 {
				t.Errorf("%s: %d definitions, %v", file, result.Definitions, found(result))
			}
		}
	}
}

// manyFiles makes definitions of different sizes; every seventh has a mistake
// and every hundredth is unreadable.
func manyFiles(n int) fstest.MapFS {
	files := fstest.MapFS{}
	for i := range n {
		content := right
		for j := range i % 13 {
			content += map[bool]string{true: "    childComponents:\n"}[j == 0]
			content += fmt.Sprintf("      - {name: c%d, ownerRef: trainer, scaleDefinition: {replicasPath: .spec.c%d}}\n", j, i%50)
		}
		if i%7 == 0 {
			content += "x: " + fmt.Sprint(i) + "\n"
		}
		if i%100 == 99 {
			content = "\x00"
		}
		files[fmt.Sprintf("d/%04d.yaml", i)] = &fstest.MapFile{Data: []byte(content)}
	}
	return files
}

func TestWorkersDoNotChangeTheResult(t *testing.T) {
	files := manyFiles(300)
	var first string
	for _, workers := range []int{1, 2, 16, 0} {
		result, err := lint.Run(context.Background(), lint.Options{Files: files, Paths: []string{"d"}, Rules: rules.All(), Workers: workers})
		got := fmt.Sprintf("%v\n%v\n%d %d", result.Findings, err, result.Files, result.Definitions)
		if first == "" {
			first = got
			// 43 numbers below 300 are divisible by 7, none of them 99, 199 or 299.
			if len(result.Findings) != 43 || result.Files != 297 || err == nil {
				t.Fatalf("%d findings in %d files, error %v", len(result.Findings), result.Files, err)
			}
		}
		if got != first {
			t.Errorf("%d workers give another result", workers)
		}
	}
}

func TestEndedContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	result, err := lint.Run(ctx, lint.Options{Files: manyFiles(10), Paths: []string{"d"}, Rules: rules.All()})
	if !errors.Is(err, context.Canceled) || result == nil || len(result.Findings) > 0 {
		t.Errorf("got %v, %v", result, err)
	}
}

func TestReadErrorsKeepTheirCause(t *testing.T) {
	_, err := run(nil, nil, "missing.yaml")
	if !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}

func BenchmarkThousandFiles(b *testing.B) {
	files := fstest.MapFS{}
	catalog, err := filepath.Glob("../catalog/*.yaml")
	if err != nil {
		b.Fatal(err)
	}
	size := 0
	for i := range 1000 {
		content, err := os.ReadFile(catalog[i%len(catalog)])
		if err != nil {
			b.Fatal(err)
		}
		size += len(content)
		files[fmt.Sprintf("d/%04d.yaml", i)] = &fstest.MapFile{Data: content}
	}
	all := rules.All()
	b.SetBytes(int64(size))
	for b.Loop() {
		if _, err := lint.Run(context.Background(), lint.Options{Files: files, Paths: []string{"d"}, Rules: all}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkThousandFilesParse is what of it goes to reading the files.
func BenchmarkThousandFilesParse(b *testing.B) {
	catalog, err := filepath.Glob("../catalog/*.yaml")
	if err != nil {
		b.Fatal(err)
	}
	var contents [][]byte
	for i := range 1000 {
		content, err := os.ReadFile(catalog[i%len(catalog)])
		if err != nil {
			b.Fatal(err)
		}
		contents = append(contents, content)
	}
	for b.Loop() {
		for _, content := range contents {
			source.Parse("d.yaml", content)
		}
	}
}
