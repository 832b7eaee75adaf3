package rules

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/workloadmap/wm/lint"
)

// fixable lists the rules that repair something, so that a rule that stops doing
// so is noticed.
var fixable = []string{"WM002", "WM003", "WM006", "WM306", "WM320", "WM510"}

// TestFixes repairs every wrong example: what had a fix is gone afterwards,
// nothing else appears, comments are still there, and a second repair changes
// nothing. The same holds with the line breaks of Windows.
func TestFixes(t *testing.T) {
	seen := map[string]bool{}
	for name, content := range wrongExamples(t) {
		t.Run(name, func(t *testing.T) {
			testFix(t, content, seen)
			// Marks below the line that they mark hold no carriage return.
			testFix(t, strings.ReplaceAll(content, "\n", "\r\n"), seen)
		})
	}
	for _, rule := range fixable {
		if !seen[rule] {
			t.Errorf("no wrong example of %s is repaired", rule)
		}
		delete(seen, rule)
	}
	for rule := range seen {
		t.Errorf("%s repairs something: add it to the list", rule)
	}
}

func testFix(t *testing.T, content string, seen map[string]bool) {
	t.Helper()
	options := fixOptions(content)
	before, err := lint.Run(context.Background(), options)
	if err != nil {
		t.Fatal(err)
	}
	gone, kept := map[string]int{}, map[string]int{}
	// Behind a header that is none, nothing was looked at.
	headerHid := false
	for _, f := range before.Findings {
		kept[f.Rule+" "+f.Message]++
		if f.Fix != nil {
			gone[f.Rule+" "+f.Message]++
			seen[f.Rule] = true
			headerHid = headerHid || f.Rule == "WM002"
		}
	}
	fixed, err := before.Repair(context.Background(), options)
	if err != nil {
		t.Fatal(err)
	}
	if len(gone) == 0 {
		if len(fixed) > 0 {
			t.Errorf("a file without fixes was changed:\n%s", fixed[0].After)
		}
		return
	}
	if len(fixed) != 1 {
		t.Fatalf("nothing was repaired of %v in:\n%s", gone, content)
	}
	after := string(fixed[0].After)
	if got, want := strings.Count(after, "#"), strings.Count(content, "#"); got != want {
		t.Errorf("%d comments, want %d:\n%s", got, want, after)
	}
	if lone := strings.Count(after, "\n") - strings.Count(after, "\r\n"); strings.Contains(content, "\r") && lone > 0 {
		t.Errorf("%d line breaks are not those of the file:\n%q", lone, after)
	}
	options = fixOptions(after)
	again, err := lint.Run(context.Background(), options)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range again.Findings {
		key := f.Rule + " " + f.Message
		if kept[key] == 0 && headerHid {
			continue
		}
		if kept[key]--; kept[key] < gone[key] {
			t.Errorf("after the repair there is %s at %d:%d:\n%s", key, f.Line, f.Column, after)
		}
	}
	if len(again.Findings) != len(before.Findings) {
		t.Errorf("the repaired result has %d findings, a run over the file %d", len(before.Findings), len(again.Findings))
	}
	if fixed, err = again.Repair(context.Background(), options); err != nil || len(fixed) > 0 {
		t.Errorf("the second repair changed %d files, %v", len(fixed), err)
	}
}

func fixOptions(content string) lint.Options {
	return lint.Options{
		Files: fstest.MapFS{"example.yaml": {Data: []byte(content)}},
		Paths: []string{"example.yaml"},
		Rules: All(), Schemas: lint.BuiltIn(),
	}
}

// wrongExamples are those of the pages and of testdata, without their marks.
func wrongExamples(t *testing.T) map[string]string {
	t.Helper()
	examples := map[string]string{}
	for _, rule := range All() {
		sections := sectionsOf(rule.Explanation)
		for i, title := range sections.titles {
			for _, text := range yamlBlocks(sections.bodies[i]) {
				if title == "Wrong" {
					examples[rule.ID+"/page"], _ = readExample(t, rule.ID, text)
				}
			}
		}
		archives, err := filepath.Glob(filepath.Join("testdata", rule.ID, "*.txtar"))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range archives {
			content, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			for _, file := range txtar.Parse(content).Files {
				if strings.HasPrefix(file.Name, "wrong") {
					examples[rule.ID+"/"+file.Name], _ = readExample(t, rule.ID, string(file.Data))
				}
			}
		}
	}
	return examples
}
