package cli_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/workloadmap/wm/internal/cli"
)

const job = "apiVersion: batch/v1\nkind: Job\nmetadata: {name: j}\nspec: {template: {spec: {containers: [{name: a}]}}}\n"

// hostileFiles are files that cannot be described, each with the whole line
// that says so; the line is about the file "x.yaml".
var hostileFiles = []struct {
	name, content string
	code          int
	want          string
}{
	{"empty", "", 2, "error: x.yaml is empty: a Kubernetes object is needed"},
	{"whitespace", " \n\n   \n", 2, "error: x.yaml is empty: a Kubernetes object is needed"},
	{"separators only", "---\n---\n", 2, "error: x.yaml is empty: a Kubernetes object is needed"},
	{"null", "null\n", 2, "error: x.yaml:1:1: this is not a Kubernetes object: an object with apiVersion and kind is needed"},
	{"text", "hello\n", 2, "error: x.yaml:1:1: this is not a Kubernetes object: an object with apiVersion and kind is needed"},
	{"list", "- a\n- b\n", 2, "error: x.yaml:1:1: this is not a Kubernetes object: an object with apiVersion and kind is needed"},
	{"no kind", "# x\napiVersion: v1\n", 2, "error: x.yaml:2:1: this is not a Kubernetes object: apiVersion and kind are needed"},
	{"kind is a number", "apiVersion: v1\nkind: 5\n", 2, "error: x.yaml:1:1: this is not a Kubernetes object: apiVersion and kind are needed"},
	{"metadata is text", "apiVersion: batch/v1\nkind: Job\nmetadata: hello\n", 2, "error: x.yaml:3:11: metadata of a Kubernetes object must be an object"},
	{"name is a number", "apiVersion: batch/v1\nkind: Job\nmetadata:\n  name: 5\n", 2, "error: x.yaml:4:9: metadata.name must be a string: put it in quotes"},
	{"List without a list", "apiVersion: v1\nkind: List\nitems: none\n", 2, "error: x.yaml:3:8: a List holds its objects in items, a list"},
	{"text in a List", "apiVersion: v1\nkind: List\nitems:\n- hello\n", 2, "error: x.yaml:4:3: this is not a Kubernetes object: an object with apiVersion and kind is needed"},
	{"empty List", "apiVersion: v1\nkind: List\nitems: []\n", 3, "error: no workload found: none of the objects runs pods"},

	{"truncated", job[:len(job)-9], 2, "error: x.yaml:4:39: this `{` is never closed"},
	{"truncated JSON", `{"apiVersion": "batch/v1", "kind": "Jo`, 2, "error: x.yaml:1:36: this string is never closed"},
	{"tab", "apiVersion: batch/v1\nkind: Job\nspec:\n\tsuspend: true\n", 2, "error: x.yaml:4:1: a tab is used as indentation; YAML needs spaces"},
	{"CRLF", "apiVersion: batch/v1\r\nkind: Job\r\nspec: [\r\n", 2, "error: x.yaml:3:7: this `[` is never closed"},
	{"duplicate key", "apiVersion: batch/v1\nkind: Job\nspec:\n  parallelism: 1\n  parallelism: 4\n", 2, "error: x.yaml:5:3: `parallelism` is in this mapping already, at 4:3; keep one of them"},
	{"three duplicate keys", "apiVersion: batch/v1\nkind: Job\nkind: Job\nkind: Job\nkind: Job\n", 2, "error: x.yaml:3:1: `kind` is in this mapping already, at 2:1; keep one of them (the document has 2 more duplicate keys)"},
	{"duplicate JSON key", "{\"apiVersion\": \"batch/v1\", \"kind\": \"Job\",\n \"kind\": \"Job\"}", 2, "error: x.yaml:2:2: `kind` is in this mapping already, at 1:28; keep one of them"},

	{"binary", "\x7fELF\x02\x01\x01\x00\x00", 2, "error: x.yaml:1:8: this is not text (byte 0x00 at offset 7)"},
	{"NUL byte", "apiVersion: batch/v1\nkind: J\x00b\n", 2, "error: x.yaml:2:8: this is not text (byte 0x00 at offset 28)"},
	{"Latin-1", "apiVersion: batch/v1\nkind: Job\nmetadata: {name: caf\xe9}\n", 2, "error: x.yaml:3:21: this is not text (byte 0xe9 at offset 51)"},
	{"UTF-16", utf16LE(job), 2, "error: x.yaml:1:1: the file is encoded as UTF-16"},

	{"infinity", "apiVersion: batch/v1\nkind: Job\nspec: {parallelism: .inf}\n", 2, "error: x.yaml:3:21: .inf is not a number in JSON"},
	{"a number of 23 digits", "apiVersion: batch/v1\nkind: Job\nspec: {parallelism: 99999999999999999999999}\n", 2, "error: x.yaml:3:21: the number 99999999999999999999999 is too large to be kept exactly"},
	{"20 MB", "apiVersion: batch/v1\nkind: Job\nspec: {a: " + strings.Repeat("x", 20<<20) + "}\n", 2, "error: cannot read x.yaml: it is larger than 16 MiB"},
	{"10,000 levels of YAML", "apiVersion: batch/v1\nkind: Job\nspec: " + strings.Repeat("{a: ", 10_000) + "1" + strings.Repeat("}", 10_000), 2, "error: x.yaml:3:*: values are nested too deep: at most 500 levels are read"},
	{"10,000 list items in one another", strings.Repeat("- ", 10_000) + "1\n", 2, "error: x.yaml:1:*: values are nested too deep: at most 500 levels are read"},
	{"10,000 levels of JSON", `{"apiVersion": "batch/v1", "kind": "Job", "spec": ` + strings.Repeat(`{"a": `, 10_000) + "1" + strings.Repeat("}", 10_001), 2, "error: x.yaml:1:*: values are nested too deep: at most 500 levels are read"},
	{"alias bomb", aliasBomb(), 2, "error: x.yaml:*: too many values: with aliases unfolded there are more than 2000000 values or 64 MiB of text"},
	{"an alias of itself", "apiVersion: batch/v1\nkind: Job\nspec: &a {b: *a}\n", 2, "error: x.yaml:3:14: the alias *a is inside the value of its own anchor"},

	{"a definition", "apiVersion: workloadmap.dev/v1alpha1\nkind: WorkloadMap\n", 2, "error: x.yaml:1:1: this is a definition (WorkloadMap), a workload is needed here; to check a definition use wm lint"},
	{"a kind without definition", "apiVersion: example.dev/v1\nkind: Zork\n", 4, "error: x.yaml:1:1: no definition for example.dev/v1 Zork"},
	{"a kind misspelt", "apiVersion: apps/v1\nkind: Deploymnet\n", 4, "error: x.yaml:1:1: no definition for apps/v1 Deploymnet; the nearest that wm knows is apps/v1 Deployment"},
	{"an owned Pod alone", "apiVersion: v1\nkind: Pod\nmetadata: {name: a, ownerReferences: [{uid: u, controller: true, kind: Job, name: j}]}\n", 3, "error: x.yaml:1:1: Pod a belongs to Job j, which is not among the objects"},
}

func TestHostileFiles(t *testing.T) {
	for _, hostile := range hostileFiles {
		t.Run(hostile.name, func(t *testing.T) {
			directory := t.TempDir()
			write(t, directory, "x.yaml", hostile.content)
			for _, command := range [][]string{{"describe"}, {"gang"}, {"gang", "--as", "kai"}, {"set", "--label", "a=b"}, {"suspend"}} {
				started := time.Now()
				code, stdout, stderr := session(directory, "", append(command, "-f", "x.yaml")...)
				if took := time.Since(started); took > 10*time.Second {
					t.Errorf("%s took %v", command, took)
				}
				checkRefusal(t, code, stdout, stderr, hostile.code, hostile.want)
			}
		})
	}
}

// The same files stand for a definition that cannot be one.
func TestHostileDefinitions(t *testing.T) {
	for _, hostile := range hostileFiles {
		t.Run(hostile.name, func(t *testing.T) {
			directory := t.TempDir()
			write(t, directory, "job.yaml", job)
			write(t, directory, "x.yaml", hostile.content)
			code, stdout, stderr := session(directory, "", "describe", "-f", "job.yaml", "--definitions", "x.yaml")
			if code != 2 || stdout != "" || !strings.HasPrefix(stderr, "error: ") || !strings.Contains(stderr, "x.yaml") {
				t.Errorf("exit code %d, stdout %q, stderr %q; want 2, nothing, a fault of x.yaml", code, stdout, stderr)
			}
			noInternals(t, stderr)
			code, stdout, stderr = session(directory, "", "lint", "x.yaml")
			if code != 1 && code != 2 || stdout+stderr == "" || !strings.Contains(stdout+stderr, "x.yaml") {
				t.Errorf("lint: exit code %d, stdout %q, stderr %q; want 1 or 2 and a fault of x.yaml", code, stdout, stderr)
			}
			noInternals(t, stdout+stderr)
		})
	}
}

func TestHostileFileNames(t *testing.T) {
	directory := t.TempDir()
	write(t, directory, "with space.yaml", job)
	write(t, directory, "line\nbreak.yaml", "a: [\n")
	write(t, directory, "\x1b[31m.yaml", "a: [\n")
	write(t, directory, "folder/readme.txt", "text")
	link(t, directory, "loop.yaml", "loop.yaml")
	link(t, directory, "dangling.yaml", "gone.yaml")
	write(t, directory, "links/job.yaml", job)
	link(t, directory, "links/upwards", "..")

	code, stdout, stderr := session(directory, "", "describe", "-f", "with space.yaml")
	if code != 0 || !strings.HasPrefix(stdout, "Job j ") || stderr != "" {
		t.Errorf("with space.yaml: exit code %d, stdout %q, stderr %q", code, stdout, stderr)
	}
	code, stdout, stderr = session(directory, "", "describe", "-f", "links")
	if code != 0 || strings.Count(stdout, "Job j ") != 1 || stderr != "" {
		t.Errorf("links: exit code %d, stdout %q, stderr %q", code, stdout, stderr)
	}
	for name, want := range map[string]string{
		"line\nbreak.yaml": "error: line\\nbreak.yaml:1:4: this `[` is never closed",
		"\x1b[31m.yaml":    "error: \\x1b[31m.yaml:1:4: this `[` is never closed",
		"loop.yaml":        "error: cannot read loop.yaml: too many levels of symbolic links",
		"dangling.yaml":    "error: cannot read dangling.yaml: no such file",
		"gone.yaml":        "error: cannot read gone.yaml: no such file",
		"folder":           "error: no .yaml, .yml or .json file in folder",
	} {
		code, stdout, stderr := session(directory, "", "describe", "-f", name)
		checkRefusal(t, code, stdout, stderr, 2, want)
	}
}

// Names in objects come from anybody; a terminal must show them, not obey them.
func TestControlCharactersAreShown(t *testing.T) {
	directory := t.TempDir()
	write(t, directory, "x.yaml", "apiVersion: batch/v1\nkind: Job\nmetadata: {name: \"\\e[31mred\\u202e\\nJob other  Running\"}\n")
	_, stdout, _ := session(directory, "", "describe", "-f", "x.yaml")
	if want := `Job \x1b[31mred\u202e\nJob other  Running  Initializing` + "\n"; !strings.HasPrefix(stdout, want) {
		t.Errorf("stdout is %q, want it to start with %q", stdout, want)
	}
	write(t, directory, "x.yaml", "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: d, uid: d}\n---\n"+
		"apiVersion: v1\nkind: Pod\nmetadata: {name: \"a\\e[2J\\nTOTAL\", ownerReferences: [{uid: d, controller: true}]}\nstatus: {phase: Running}\n")
	_, stdout, _ = session(directory, "", "describe", "-f", "x.yaml")
	if want := `· a\x1b[2J\nTOTAL  Running` + "\n"; !strings.Contains(stdout, want) {
		t.Errorf("stdout is %q, want a line %q", stdout, want)
	}
}

func TestStandardInputIsReadOnce(t *testing.T) {
	code, stdout, stderr := session(t.TempDir(), job, "describe", "-f", "-", "--definitions", "-")
	checkRefusal(t, code, stdout, stderr, 2, "error: standard input can be read once: give -f or --definitions a file")
	code, stdout, stderr = session(t.TempDir(), "", "describe", "-f", "-")
	checkRefusal(t, code, stdout, stderr, 2, "error: standard input is empty: a Kubernetes object is needed")
}

// A result that did not arrive is no success, whatever the command.
func TestUnwritableOutput(t *testing.T) {
	directory := t.TempDir()
	write(t, directory, "job.yaml", job)
	full := errors.New("no space left on device")
	for _, arguments := range [][]string{
		{"version"},
		{"help"},
		{"catalog", "list"},
		{"catalog", "show", "batch-job-v1"},
		{"describe", "-f", "job.yaml"},
		{"describe", "-f", "job.yaml", "-o", "json"},
		{"set", "-f", "job.yaml", "--label", "a=b"},
		{"lint", "job.yaml"},
	} {
		var stderr bytes.Buffer
		world := cli.World{Stdout: failing{full}, Stderr: &stderr, Files: folder(directory)}
		code := cli.Run(context.Background(), arguments, world)
		checkRefusal(t, code, "", stderr.String(), 2, "error: cannot write the result: no space left on device")
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) {
	return 0, &os.PathError{Op: "write", Path: "/dev/stdout", Err: f.err}
}

// checkRefusal wants exactly one line and no result. A * in want stands for
// whatever is there.
func checkRefusal(t *testing.T, code int, stdout, stderr string, wantCode int, want string) {
	t.Helper()
	pattern := "^" + strings.ReplaceAll(regexp.QuoteMeta(want), `\*`, ".*") + "\n$"
	if matched, err := regexp.MatchString(pattern, stderr); err != nil || !matched || code != wantCode || stdout != "" {
		t.Errorf("exit code %d, stdout %q, stderr %q; want %d, nothing, %q", code, stdout, cut(stderr), wantCode, want)
	}
	noInternals(t, stderr)
}

func noInternals(t *testing.T, text string) {
	t.Helper()
	for _, word := range []string{"map[string]", "interface {}", "goroutine", "panic", "unmarshal", "v1alpha1.", "*errors."} {
		if strings.Contains(text, word) {
			t.Errorf("the user is told about %s: %s", word, cut(text))
		}
	}
}

func cut(text string) string {
	if len(text) > 1000 {
		return text[:1000] + "..."
	}
	return text
}

func write(t *testing.T, directory, name, content string) {
	t.Helper()
	file := filepath.Join(directory, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

func link(t *testing.T, directory, name, target string) {
	t.Helper()
	if err := os.Symlink(target, filepath.Join(directory, name)); err != nil {
		t.Fatal(err)
	}
}

func utf16LE(text string) string {
	content := []byte{0xff, 0xfe}
	for _, unit := range utf16.Encode([]rune(text)) {
		content = append(content, byte(unit), byte(unit>>8))
	}
	return string(content)
}

// aliasBomb unfolds to 10^10 values.
func aliasBomb() string {
	var text strings.Builder
	text.WriteString("apiVersion: batch/v1\nkind: Job\na0: &a0 [x, x, x, x, x, x, x, x, x, x]\n")
	for i := 1; i < 10; i++ {
		fmt.Fprintf(&text, "a%d: &a%d [%s*a%d]\n", i, i, strings.Repeat(fmt.Sprintf("*a%d, ", i-1), 9), i-1)
	}
	return text.String()
}
