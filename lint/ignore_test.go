package lint_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// ignoring is wrong with a comment behind its only mistake.
var ignoring = strings.TrimSuffix(wrong, "\n") + " # wm:ignore WM111 -- it is elsewhere\n"

// Comments stay where they are whatever ends the lines and however the file begins.
func TestIgnoreWithAnyLineEnds(t *testing.T) {
	for name, text := range map[string]string{
		"unix":                ignoring,
		"windows":             strings.ReplaceAll(ignoring, "\n", "\r\n"),
		"old mac":             strings.ReplaceAll(ignoring, "\n", "\r"),
		"mark of byte order":  "\ufeff" + ignoring,
		"no line end":         strings.TrimSuffix(ignoring, "\n"),
		"mark and file":       "\ufeff# wm:ignore-file WM111 -- it is elsewhere\n" + wrong,
		"wide characters":     "# 日本\n" + ignoring,
		"second document":     right + "---\n" + ignoring,
		"behind the document": wrong + "...\n# wm:ignore-file WM111 -- it is elsewhere\n",
		"before the document": "# wm:ignore-file WM111 -- it is elsewhere\n---\n" + wrong,
	} {
		t.Run(name, func(t *testing.T) {
			result, err := run(map[string]string{"a.yaml": text}, nil, "a.yaml")
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff([]string{}, placesOf(result)); diff != "" || result.Ignored != 1 {
				t.Errorf("%d ignored, findings (-want +got):\n%s", result.Ignored, diff)
			}
		})
	}
}

// A comment is about its own document's line, not about the same line of another.
func TestIgnoreInStreams(t *testing.T) {
	result, err := run(map[string]string{"a.yaml": ignoring + "---\n" + wrong, "b.yaml": wrong}, nil, "a.yaml", "b.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"a.yaml:23:15 WM111", "b.yaml:11:15 WM111"}, placesOf(result)); diff != "" {
		t.Error(diff)
	}
}

// JSON has no comments, and what looks like one in a string is none.
func TestJSONHasNoComments(t *testing.T) {
	text := `{"apiVersion": "workloadmap.dev/v1alpha1", "kind": "WorkloadMap",
 "metadata": {"name": "a", "annotations": {"a": " # wm:ignore WM111 -- x", "b": "# wm:ignore-file WM111 -- x"}},
 "spec": {"structureDefinition": {"rootComponent": {"name": "trainer", "kind": {"group": "example.com", "version": "v1", "kind": "Trainer"},
 "statusDefinition": {"statusMappings": {}}},
 "childComponents": [{"name": "worker"}]}}}
`
	result, err := run(map[string]string{"a.json": text}, nil, "a.json")
	if err != nil {
		t.Fatal(err)
	}
	if got := placesOf(result); len(got) != 1 || !strings.Contains(got[0], "a.json:5:") || result.Ignored != 0 {
		t.Errorf("findings %v, %d ignored", got, result.Ignored)
	}
}

// A text that is used through aliases is reported once, and so is its comment.
func TestIgnoreOfAliases(t *testing.T) {
	text := strings.Replace(right, "metadata: {name: a}", "metadata: {name: a, annotations: {x: &x '# wm:ignore WM111 -- x', y: *x}}", 1)
	result, err := run(map[string]string{"a.yaml": text}, nil, "a.yaml")
	if err != nil || len(result.Findings) > 0 {
		t.Errorf("%v, %v", placesOf(result), err)
	}
}

// Files that are made to be searched again and again cost no more than others.
func TestManyComments(t *testing.T) {
	line := "# wm:ignore WM101 -- x\n"
	var rules strings.Builder
	for i := range 200_000 {
		fmt.Fprintf(&rules, "WM%d,", 100_000+i)
	}
	for name, text := range map[string]string{
		"above one another": strings.Repeat(line, 200_000) + right,
		"between comments":  strings.Repeat(line+"#\n", 100_000) + right,
		"of many rules":     "# wm:ignore " + rules.String() + " -- x\n" + right,
		"in a text":         strings.Replace(right, "name: a", "name: '"+strings.Repeat(" # wm:ignore ", 200_000)+"'", 1),
	} {
		t.Run(name, func(t *testing.T) {
			started := time.Now()
			if _, err := run(map[string]string{"a.yaml": text}, nil, "a.yaml"); err != nil {
				t.Fatal(err)
			}
			if took := time.Since(started); took > 10*time.Second {
				t.Errorf("it took %v", took)
			}
		})
	}
}
