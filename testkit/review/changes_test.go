package review_test

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/workloadmap/wm/catalog"
	"github.com/workloadmap/wm/lint"
	"github.com/workloadmap/wm/lint/rules"
	"github.com/workloadmap/wm/resolver"
	"github.com/workloadmap/wm/testkit"
	"github.com/workloadmap/wm/testkit/review"
)

// TestChanges makes the change of each file in testdata/changes to the definition
// and the cases of testdata/train, and holds the review against the file's want.
//
// A file is a list of sections. "replace" and "by" change a text of the definition
// in the head tree, "before" and "now" do in the base tree; "move" gives a file of
// the head tree another name; "base/NAME" and "head/NAME" are files or folders,
// which "remove" removes.
// The lines of want are all lines of the report; "..." at the end of one stands
// for any text, and alone on a line for any lines.
func TestChanges(t *testing.T) {
	names, err := filepath.Glob("testdata/changes/*.txtar")
	if err != nil || len(names) < 15 {
		t.Fatalf("%d files, %v", len(names), err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			base, head, want := trees(t, archive)
			report, err := review.Compare(context.Background(), review.Options{
				Base: base, Head: head, Definitions: []string{"./definitions"}, Cases: []string{"cases"},
				Rules: rules.All(), Schemas: lint.BuiltIn(),
			})
			if err != nil {
				t.Fatal(err)
			}
			got := strings.Split(strings.TrimSpace(plain(report)+outcome(report)), "\n")
			if diff := cmp.Diff(want, leftOut(want, got)); diff != "" {
				t.Errorf("the review is another one (-want +got):\n%s", diff)
			}
		})
	}
}

// leftOut takes out of the lines what want leaves open.
func leftOut(want, got []string) []string {
	var kept []string
	at := 0
	for i, line := range want {
		if line == "..." {
			for at < len(got) && (i+1 == len(want) || got[at] != want[i+1]) {
				at++
			}
			kept = append(kept, line)
			continue
		}
		if at == len(got) {
			break
		}
		begin, open := strings.CutSuffix(line, "...")
		if open && strings.HasPrefix(got[at], begin) {
			kept = append(kept, line)
		} else {
			kept = append(kept, got[at])
		}
		at++
	}
	return append(kept, got[at:]...)
}

// trees applies a file to testdata/train, in whose base all cases are approved.
func trees(t *testing.T, archive *txtar.Archive) (base, head fstest.MapFS, want []string) {
	t.Helper()
	base, head = train(t), train(t)
	const definition = "definitions/train.yaml"
	old := ""
	for _, section := range archive.Files {
		text := string(section.Data)
		switch side, name, _ := strings.Cut(section.Name, "/"); side {
		case "replace", "before":
			old = text
		case "by":
			replaceIn(t, head, definition, old, text)
		case "now":
			replaceIn(t, base, definition, old, text)
		case "move":
			from, to, _ := strings.Cut(strings.TrimSpace(text), " ")
			head[to] = head[from]
			remove(t, head, from)
		case "want":
			want = strings.Split(strings.TrimSpace(text), "\n")
		case "base", "head":
			files := map[string]fstest.MapFS{"base": base, "head": head}[side]
			if strings.HasPrefix(text, "remove") {
				remove(t, files, name)
			} else {
				files[name] = &fstest.MapFile{Data: section.Data}
			}
		default:
			t.Fatalf("unknown section %s", section.Name)
		}
	}
	approve(t, base)
	for name, file := range base {
		// What was approved before is what the change is held against.
		if _, there := head[filepath.Dir(name)+"/case.yaml"]; there && filepath.Base(name) == "golden.yaml" {
			head[name] = file
		}
	}
	return base, head, want
}

func train(t *testing.T) fstest.MapFS {
	t.Helper()
	files := fstest.MapFS{}
	root := os.DirFS("testdata/train")
	err := fs.WalkDir(root, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := fs.ReadFile(root, name)
		files[name] = &fstest.MapFile{Data: content}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	files["definitions/train.yaml"] = files["definition.yaml"]
	delete(files, "definition.yaml")
	return files
}

func replaceIn(t *testing.T, files fstest.MapFS, name, old, now string) {
	t.Helper()
	text := string(files[name].Data)
	if strings.Count(text, old) != 1 {
		t.Fatalf("%d times in the definition: %q", strings.Count(text, old), old)
	}
	files[name] = &fstest.MapFile{Data: []byte(strings.Replace(text, old, now, 1))}
}

// remove takes a file away, or a folder.
func remove(t *testing.T, files fstest.MapFS, name string) {
	t.Helper()
	before := len(files)
	for file := range files {
		if file == name || strings.HasPrefix(file, name+"/") {
			delete(files, file)
		}
	}
	if len(files) == before {
		t.Fatalf("there is no %s to remove", name)
	}
}

// approve writes the goldens, as an author does before a change is merged.
func approve(t *testing.T, files fstest.MapFS) {
	t.Helper()
	candidates, err := catalog.Read(files, []string{"definitions"}, nil)
	if err != nil {
		return
	}
	set, err := resolver.NewSet(candidates)
	if err != nil {
		t.Fatal(err)
	}
	var goldens sync.Map
	_, err = testkit.Replay(context.Background(), testkit.Options{
		Files: files, Paths: []string{"cases"}, Definitions: set, Update: func(name string, content []byte) error {
			goldens.Store(name, &fstest.MapFile{Data: content})
			return nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, golden := range goldens.Range {
		files[name.(string)] = golden.(*fstest.MapFile)
	}
}

// outcome is what plain leaves out: reasons, cases, lint and the verdict.
func outcome(report *review.Report) string {
	var text strings.Builder
	for _, d := range report.Definitions {
		if d.Fault != "" {
			fmt.Fprintf(&text, "unreadable: %s\n", d.Fault)
		}
		if d.Reason != "" {
			fmt.Fprintf(&text, "reason: %s\n", d.Reason)
		}
		for _, each := range []struct {
			word  string
			names []string
		}{{"new", d.Cases.New}, {"gone", d.Cases.Gone}, {"rewritten", d.Cases.Rewritten}} {
			for _, name := range each.names {
				fmt.Fprintf(&text, "case %s: %s\n", each.word, name)
			}
		}
		for _, failing := range d.Cases.Failing {
			fmt.Fprintf(&text, "case fails: %s: %s\n", failing.Name, failing.Failures[0])
		}
		for _, finding := range d.Lint.New {
			fmt.Fprintf(&text, "lint new: %s %d\n", finding.Rule, finding.Line)
		}
		for _, finding := range d.Lint.Gone {
			fmt.Fprintf(&text, "lint gone: %s %d\n", finding.Rule, finding.Line)
		}
		if d.Example != nil {
			fmt.Fprintf(&text, "example: %s of %s\n", d.Example.Workload.Name, d.Example.Case)
		}
	}
	return text.String() + fmt.Sprintf("unchanged %d, failed %t\n", report.Unchanged, report.Failed())
}
