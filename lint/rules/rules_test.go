package rules

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/workloadmap/wm/lint"
)

func TestRegistry(t *testing.T) {
	id, name := regexp.MustCompile(`^WM[0-5]\d\d$`), regexp.MustCompile(`^[a-z]+(-[a-z]+)*$`)
	names := map[string]string{}
	last := ""
	for _, rule := range All() {
		if !id.MatchString(rule.ID) || !name.MatchString(rule.Name) {
			t.Errorf("%s %s: not an id and a name", rule.ID, rule.Name)
		}
		if rule.ID <= last {
			t.Errorf("%s comes after %s: the registry is sorted and each id is there once", rule.ID, last)
		}
		last = rule.ID
		if other, taken := names[rule.Name]; taken {
			t.Errorf("%s and %s have the same name", other, rule.ID)
		}
		names[rule.Name] = rule.ID
		if _, err := rule.Severity.MarshalText(); err != nil {
			t.Errorf("%s: %v", rule.ID, err)
		}
		checks := 0
		for _, has := range []bool{rule.Check != nil, rule.CheckFile != nil, rule.CheckIgnores != nil} {
			if has {
				checks++
			}
		}
		if checks != 1 {
			t.Errorf("%s needs exactly one check", rule.ID)
		}
		if !strings.HasSuffix(rule.Summary, ".") {
			t.Errorf("%s: the summary is not a sentence: %q", rule.ID, rule.Summary)
		}
	}
}

// Every rule has its three files, and no such file belongs to no rule.
func TestEveryRuleHasItsFiles(t *testing.T) {
	var want []string
	for _, rule := range All() {
		want = append(want, rule.FileName()+".go", rule.FileName()+".md", "testdata/"+rule.ID)
	}
	var got []string
	for _, pattern := range []string{"wm*.go", "wm*.md", "testdata/*"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, found...)
	}
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("files (-of the rules +there are):\n%s", diff)
	}
}

// The pages have fixed sections, and their examples are tests: what is wrong is
// found at the marked characters and nowhere else, what is right is silent under
// all rules.
func TestPages(t *testing.T) {
	for _, rule := range All() {
		t.Run(rule.ID, func(t *testing.T) {
			sections := sectionsOf(rule.Explanation)
			if diff := cmp.Diff([]string{"What it finds", "Why", "Wrong", "Right"}, sections.titles); diff != "" {
				t.Fatalf("sections (-want +got):\n%s", diff)
			}
			for i, title := range sections.titles {
				examples := yamlBlocks(sections.bodies[i])
				if i < 2 {
					if strings.TrimSpace(sections.bodies[i]) == "" {
						t.Errorf("%s is empty", title)
					}
					continue
				}
				if len(examples) == 0 {
					t.Errorf("%s has no example", title)
				}
				for _, example := range examples {
					checkExample(t, rule.ID, example, title == "Wrong")
				}
			}
		})
	}
}

type pageSections struct{ titles, bodies []string }

func sectionsOf(page string) pageSections {
	var s pageSections
	for line := range strings.Lines(page) {
		if title, ok := strings.CutPrefix(line, "## "); ok {
			s.titles = append(s.titles, strings.TrimSpace(title))
			s.bodies = append(s.bodies, "")
			continue
		}
		if len(s.bodies) == 0 {
			s.titles, s.bodies = append(s.titles, "text before the first section"), append(s.bodies, "")
		}
		s.bodies[len(s.bodies)-1] += line
	}
	return s
}

func yamlBlocks(body string) []string {
	var blocks []string
	for _, part := range strings.Split(body, "```yaml\n")[1:] {
		block, _, _ := strings.Cut(part, "```")
		blocks = append(blocks, block)
	}
	return blocks
}

// testdata/WMNNN/*.txtar hold more examples: files whose name starts with wrong
// or right.
func TestCases(t *testing.T) {
	for _, rule := range All() {
		archives, err := filepath.Glob(filepath.Join("testdata", rule.ID, "*"))
		if err != nil {
			t.Fatal(err)
		}
		if len(archives) == 0 {
			t.Errorf("%s has no cases", rule.ID)
		}
		for _, archive := range archives {
			t.Run(strings.TrimPrefix(archive, "testdata/"), func(t *testing.T) {
				testArchive(t, rule, archive)
			})
		}
	}
}

func testArchive(t *testing.T, rule lint.Rule, name string) {
	if filepath.Ext(name) != ".txtar" {
		t.Fatal("this is not a .txtar file: nothing reads it")
	}
	content, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	archive := txtar.Parse(content)
	if len(archive.Files) == 0 {
		t.Fatal("no cases in it")
	}
	for _, file := range archive.Files {
		t.Run(file.Name, func(t *testing.T) {
			wrong := strings.HasPrefix(file.Name, "wrong")
			if !wrong && !strings.HasPrefix(file.Name, "right") {
				t.Fatal("the name of a case starts with wrong or right")
			}
			checkExample(t, rule.ID, string(file.Data), wrong)
		})
	}
}
