package lint_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/workloadmap/wm/lint"
	"github.com/workloadmap/wm/lint/report"
	"github.com/workloadmap/wm/lint/rules"
	"github.com/workloadmap/wm/source"
)

// The bounds that hold for one file of a stranger.
const (
	mostTime   = 10 * time.Second
	mostMemory = 500 << 20
)

// hostileHead is a definition up to the value of an expression.
const hostileHead = `apiVersion: workloadmap.dev/v1alpha1
kind: WorkloadMap
metadata: {name: batch-job-v1}
spec:
  structureDefinition:
    rootComponent:
      name: job
      kind: {group: batch, version: v1, kind: Job}
      statusDefinition: {statusMappings: {running: [{byExpression: {expression: "true", expectedResult: "true"}}]}}
      scaleDefinition:
        replicasPath: `

// hostileDefinitions are single files that mean to exhaust or to mislead. Each
// has a finding or cannot be read; want is in what is said.
func hostileDefinitions() map[string]struct{ content, want string } {
	manyFields, manyChildren, duplicates := strings.Builder{}, strings.Builder{}, strings.Builder{}
	for i := range 100_000 {
		fmt.Fprintf(&manyFields, "  f%d: 1\n", i)
		fmt.Fprintf(&duplicates, "a: %d\n", i)
	}
	for i := range 5_000 {
		fmt.Fprintf(&manyChildren, "    - {name: c%d, ownerRef: c%d}\n", i, (i+1)%5_000)
	}
	oneLine := strings.Builder{}
	for i := range 20_000 {
		fmt.Fprintf(&oneLine, `"f%d": 1, `, i)
	}
	return map[string]struct{ content, want string }{
		"many findings in one line":     {`{"apiVersion": "workloadmap.dev/v1alpha1", "kind": "WorkloadMap", "spec": {` + oneLine.String() + `"structureDefinition": {}}}`, "unknown field"},
		"many definitions":              {strings.Repeat("apiVersion: workloadmap.dev/v1alpha1\nkind: WorkloadMap\nspec: {a: 1}\n---\n", 9_000), "unknown field"},
		"an alias bomb":                 {"a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n" + aliasLevels(12), "too many values"},
		"an alias bomb in a definition": {hostileHead + ".spec.parallelism\n  bomb:\n    a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n" + indented(aliasLevels(5)), "repeated aliases"},
		"deep nesting":                  {"apiVersion: workloadmap.dev/v1alpha1\nkind: WorkloadMap\nspec: " + strings.Repeat("[", 100_000), "nested too deep"},
		"a deep definition":             {"apiVersion: workloadmap.dev/v1alpha1\nkind: WorkloadMap\nspec: " + strings.Repeat("{a: ", 400) + "1" + strings.Repeat("}", 400), "WM003"},
		"a huge file":                   {strings.Repeat("#", source.MaxFileSize+1), "larger than 16 MiB"},
		"a file of comments":            {strings.Repeat("# wm:ignore WM203 -- no\n", 500_000) + hostileHead + ".spec.parallelism\n", "WM008"},
		"a long line":                   {hostileHead + "'.spec." + strings.Repeat("x", 4<<20) + "'\n", "longer than"},
		"many unknown fields":           {"apiVersion: workloadmap.dev/v1alpha1\nkind: WorkloadMap\nmetadata: {name: a}\nspec:\n" + manyFields.String(), "unknown field"},
		"many duplicate keys":           {"apiVersion: workloadmap.dev/v1alpha1\nkind: WorkloadMap\n" + duplicates.String(), "WM004"},
		"a circle of children":          {hostileHead + ".spec.parallelism\n    childComponents:\n" + manyChildren.String(), "WM113"},

		"jq: deep brackets":         {hostileHead + `"` + strings.Repeat("(", 4_000) + "\"\n", "WM20"},
		"jq: deep lists":            {hostileHead + `"` + strings.Repeat("[", 5_000) + "1" + strings.Repeat("]", 5_000) + "\"\n", "WM20"},
		"jq: a long pipe":           {hostileHead + `".` + strings.Repeat("|.", 2_000) + "\"\n", "WM2"},
		"jq: many alternatives":     {hostileHead + `".a` + strings.Repeat(",.a", 1_300) + "\"\n", "WM2"},
		"jq: doubling":              {hostileHead + `"[.,.]` + strings.Repeat("|[.,.]", 600) + "\"\n", "WM2"},
		"jq: endless recursion":     {hostileHead + `"def f: f; f"` + "\n", "WM2"},
		"jq: endless numbers":       {hostileHead + `"[range(1; infinite)] | length"` + "\n", "WM2"},
		"jq: nested functions":      {hostileHead + `"` + nestedFunctions(60) + "\"\n", "1 definition"},
		"jq: a regular expression":  {hostileHead + `".spec.x | test(\"(a*)*b\" * 1000)"` + "\n", "WM2"},
		"jq: the environment":       {hostileHead + `"env.WM_HOSTILE_SECRET"` + "\n", "WM204"},
		"jq: $ENV":                  {hostileHead + `"$ENV.WM_HOSTILE_SECRET"` + "\n", "WM20"},
		"jq: a module":              {hostileHead + `"include \"/etc/passwd\"; .a"` + "\n", "WM20"},
		"jq: data of another file":  {hostileHead + `"import \"/etc/passwd\" as $d; $d"` + "\n", "WM20"},
		"jq: more input":            {hostileHead + `"input"` + "\n", "WM204"},
		"jq: the name of the file":  {hostileHead + `"input_filename"` + "\n", "WM2"},
		"YAML: a tag for a program": {"apiVersion: workloadmap.dev/v1alpha1\nkind: !!python/object/apply:os.system [id]\n", "WM001"},
	}
}

func aliasLevels(levels int) string {
	var b strings.Builder
	for i := 1; i <= levels; i++ {
		fmt.Fprintf(&b, "a%d: &a%d [%s*a%d]\n", i, i, strings.Repeat(fmt.Sprintf("*a%d, ", i-1), 9), i-1)
	}
	return b.String()
}

func indented(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString("    " + line)
	}
	return b.String()
}

// nestedFunctions calls each function twice in the next: 2^n calls at the end.
func nestedFunctions(n int) string {
	var b strings.Builder
	b.WriteString("def f0: .a; ")
	for i := 1; i <= n; i++ {
		fmt.Fprintf(&b, "def f%d: f%d | f%d; ", i, i-1, i-1)
	}
	return b.String() + fmt.Sprintf("f%d", n)
}

// TestHostileDefinitions checks one file after the other: something is said, in
// time, in bounded memory, in bounded length, and without the environment.
func TestHostileDefinitions(t *testing.T) {
	t.Setenv("WM_HOSTILE_SECRET", "value-of-the-environment")
	for name, hostile := range hostileDefinitions() {
		t.Run(name, func(t *testing.T) {
			stop := watchHeap()
			started := cpuTime(t)
			said := lintSays(t, fstest.MapFS{"x.yaml": {Data: []byte(hostile.content)}}, "x.yaml")
			if took := cpuTime(t) - started; took > mostTime {
				t.Errorf("it took %v, at most %v are allowed", took, mostTime)
			}
			if peak := stop(); peak > mostMemory {
				t.Errorf("it took %d MB, at most %d are allowed", peak>>20, mostMemory>>20)
			}
			if !strings.Contains(said, hostile.want) {
				t.Errorf("it says %s; want %q in it", head(said), hostile.want)
			}
			if strings.Contains(said, "value-of-the-environment") || strings.Contains(said, "root:") {
				t.Errorf("it says what is not in the file: %s", head(said))
			}
		})
	}
}

// lintSays is everything that a run says: the report and the error.
func lintSays(t *testing.T, files fs.FS, paths ...string) string {
	t.Helper()
	result, err := lint.Run(context.Background(), lint.Options{
		Files: files, Paths: paths, Rules: rules.All(), Schemas: lint.BuiltIn(),
	})
	var out bytes.Buffer
	if failed := (report.Text{}).Report(&out, result); failed != nil {
		t.Fatal(failed)
	}
	if err != nil {
		out.WriteString(err.Error())
	}
	return out.String()
}

func head(text string) string { return fmt.Sprintf("%.600q", text) }

const hostileGood = hostileHead + ".spec.parallelism // 1\n      specDefinition: {podTemplateSpecPath: .spec.template}\n"

// TestHostileFolder has everything that a folder can hold at once; what can be
// read is checked, and for each of the others there is a line that names it.
func TestHostileFolder(t *testing.T) {
	folder, outside := t.TempDir(), t.TempDir()
	put := func(name, content string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	link := func(name, target string) {
		t.Helper()
		if err := os.Symlink(target, filepath.Join(folder, name)); err != nil {
			t.Fatal(err)
		}
	}
	put(filepath.Join(folder, "good.yaml"), hostileGood)
	put(filepath.Join(folder, "with space.yaml"), hostileGood)
	put(filepath.Join(folder, "line\nbreak.yaml"), hostileGood)
	put(filepath.Join(folder, "not utf-8 \xff\xfe.yaml"), hostileGood)
	put(filepath.Join(folder, "below", "real.yaml"), hostileGood)
	put(filepath.Join(outside, "secret.yaml"), "password: hunter2: [\n")
	link("loop.yaml", "loop.yaml")
	link("loop", ".")
	link("upwards", "..")
	link("nowhere.yaml", "absent.yaml")
	link("within.yaml", "below/real.yaml")
	link("out.yaml", filepath.Join(outside, "secret.yaml"))
	link("zero.yaml", "/dev/zero")
	wantFaults := []string{"loop.yaml", "nowhere.yaml", "out.yaml", "zero.yaml"}
	if mkfifo, err := exec.LookPath("mkfifo"); err == nil {
		if err := exec.Command(mkfifo, filepath.Join(folder, "pipe.yaml")).Run(); err != nil {
			t.Fatal(err)
		}
		wantFaults = append(wantFaults, "pipe.yaml")
	}

	result, err := lint.Run(context.Background(), lint.Options{
		Files: source.OS(), Paths: []string{filepath.ToSlash(folder)}, Rules: rules.All(), Schemas: lint.BuiltIn(),
	})
	// Five files and the link that stays within the folder.
	if result.Files != 6 || len(result.Findings) != 0 {
		t.Errorf("%d files with %v, want 6 without findings", result.Files, result.Findings)
	}
	var faults []string
	for line := range strings.Lines(fmt.Sprint(err)) {
		faults = append(faults, strings.TrimSpace(line))
	}
	for _, name := range wantFaults {
		if !slices.ContainsFunc(faults, func(f string) bool { return strings.HasPrefix(f, "cannot read ") && strings.Contains(f, "/"+name) }) {
			t.Errorf("nothing is said of %s in %q", name, faults)
		}
	}
	if len(faults) != len(wantFaults) || strings.Contains(fmt.Sprint(err), "hunter2") {
		t.Errorf("faults %q, want one for each of %q", faults, wantFaults)
	}

	// Who names the link means the file.
	named := lintSays(t, source.OS(), filepath.ToSlash(filepath.Join(folder, "out.yaml")))
	if !strings.Contains(named, "WM001") {
		t.Errorf("a link that is named gives %s", head(named))
	}
}

// unreadable is a file system in which some files and folders may not be read,
// which no permissions can arrange for root.
type unreadable struct {
	fstest.MapFS
	names []string
}

func (u unreadable) denied(op, name string) error {
	if slices.Contains(u.names, name) {
		return &fs.PathError{Op: op, Path: name, Err: fs.ErrPermission}
	}
	return nil
}

func (u unreadable) Open(name string) (fs.File, error) {
	if err := u.denied("open", name); err != nil {
		return nil, err
	}
	return u.MapFS.Open(name)
}

func (u unreadable) ReadDir(name string) ([]fs.DirEntry, error) {
	if err := u.denied("readdir", name); err != nil {
		return nil, err
	}
	return u.MapFS.ReadDir(name)
}

// TestUnreadablePaths holds that what cannot be read is said, and the rest checked.
func TestUnreadablePaths(t *testing.T) {
	files := unreadable{names: []string{"d/secret.yaml", "d/closed"}, MapFS: fstest.MapFS{
		"d/a.yaml":        {Data: []byte(hostileGood)},
		"d/closed/b.yaml": {Data: []byte(hostileGood)},
		"d/secret.yaml":   {Data: []byte(hostileGood)},
		"d/z.yaml":        {Data: []byte(strings.Replace(hostileGood, "parallelism", "paralelism", 1))},
	}}
	result, err := lint.Run(context.Background(), lint.Options{
		Files: files, Paths: []string{"absent.yaml", "d"}, Rules: rules.All(), Schemas: lint.BuiltIn(),
	})
	if result.Files != 2 || len(result.Findings) != 1 || result.Findings[0].File != "d/z.yaml" {
		t.Errorf("%d files with %v, want 2 with a finding in d/z.yaml", result.Files, result.Findings)
	}
	want := []string{
		"cannot read absent.yaml: no such file",
		"cannot read d/closed: permission denied",
		"cannot read d/secret.yaml: permission denied",
	}
	got := strings.Split(fmt.Sprint(err), "\n")
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("faults %q, want %q", got, want)
	}
	if !errors.Is(err, fs.ErrPermission) || !errors.Is(err, fs.ErrNotExist) {
		t.Error("the causes of the faults are lost")
	}
}

// many is a folder of so many files that hold no definition.
type many struct{ generated }

func (m many) Open(name string) (fs.File, error) {
	if name == "." {
		return m.generated.Open(name)
	}
	text := "kind: ConfigMap\n"
	return &generatedFile{Reader: strings.NewReader(text), entry: generatedEntry{name: name, size: int64(len(text))}}, nil
}

// TestManyFiles looks through a folder of 100,000 manifests.
func TestManyFiles(t *testing.T) {
	// What earlier tests left, and how long garbage may lie, is not this run's.
	defer debug.SetGCPercent(debug.SetGCPercent(25))
	runtime.GC()
	var before runtime.MemStats
	runtime.ReadMemStats(&before)
	stop := watchHeap()
	result, err := lint.Run(context.Background(), lint.Options{
		Files: many{generated{files: 100_000}}, Paths: []string{"."}, Rules: rules.All(), Schemas: lint.BuiltIn(),
	})
	if peak := int64(stop()) - int64(before.HeapInuse); peak > 150<<20 {
		t.Errorf("it took %d MB", peak>>20)
	} else {
		t.Logf("it took %d MB", peak>>20)
	}
	if result.Files != 100_000 || err == nil || !strings.HasPrefix(err.Error(), "no definitions in .") {
		t.Errorf("%d files, %v", result.Files, err)
	}
}

// TestCancelled holds that an interrupt ends a run between two files.
func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := lint.Run(ctx, lint.Options{Files: generated{files: 1000}, Paths: []string{"."}, Rules: rules.All()})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled run ends with %v", err)
	}
}
