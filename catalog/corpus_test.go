package catalog_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/workloadmap/wm/catalog"
	"github.com/workloadmap/wm/resolver"
	"github.com/workloadmap/wm/source"
)

// corpusFolder names the environment variable with a folder of manifests, such
// as the examples of the frameworks' own repositories, which are not part of
// this module.
const corpusFolder = "WM_CORPUS"

// TestCorpus reads every manifest of a covered kind in a folder: no error, no
// problem. Kinds without a definition, templates that are no YAML, and examples
// of what a webhook refuses ("invalid" in the name) are counted and passed over.
func TestCorpus(t *testing.T) {
	folder := os.Getenv(corpusFolder)
	if folder == "" {
		t.Logf("skipped: %s names no folder of manifests", corpusFolder)
		return
	}
	set, err := resolver.NewSet(catalog.Candidates())
	if err != nil {
		t.Fatal(err)
	}
	c := corpus{t: t, set: set, described: map[string]int{}}
	if folder, err = filepath.EvalSymlinks(folder); err != nil {
		t.Fatal(err)
	}
	err = filepath.WalkDir(folder, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		switch filepath.Ext(name) {
		case ".yaml", ".yml", ".json":
			c.file(name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	total := 0
	for _, count := range c.described {
		total += count
	}
	t.Logf("%d workloads of %d kinds, %d objects of other kinds, %d documents that are no YAML, %d files meant to be refused",
		total, len(c.described), c.others, c.unreadable, c.invalid)
	if total < 100 {
		t.Errorf("only %d workloads in %s: is it a corpus?", total, folder)
	}
}

type corpus struct {
	t                  *testing.T
	set                *resolver.Set
	described          map[string]int
	others, unreadable int
	invalid            int
}

func (c *corpus) file(name string) {
	if strings.Contains(filepath.Base(name), "invalid") {
		c.invalid++
		return
	}
	content, err := os.ReadFile(name)
	if err != nil {
		c.t.Error(err)
		return
	}
	documents, broken := source.Parse(name, content)
	c.unreadable += len(broken)
	for _, document := range documents {
		c.value(name, document.Value())
	}
}

func (c *corpus) value(name string, value any) {
	object, ok := value.(map[string]any)
	if !ok {
		return
	}
	if kind, _ := object["kind"].(string); strings.HasSuffix(kind, "List") {
		items, _ := object["items"].([]any)
		for _, item := range items {
			c.value(name, item)
		}
		return
	}
	match, err := c.set.FindObject(object)
	var missing *resolver.NoDefinitionError
	if errors.As(err, &missing) {
		c.others++
		return
	}
	if err != nil {
		c.t.Errorf("%s: %v", name, err)
		return
	}
	view, err := match.Resolver.Resolve(c.t.Context(), object)
	if err != nil {
		c.t.Errorf("%s: %v", name, err)
		return
	}
	c.described[view.Definition.Name]++
	for _, problem := range view.Problems {
		c.t.Errorf("%s: %s %s %q: %s %s: %s", name, view.Definition.Name, view.Kind, view.Name, problem.Component, problem.Field, problem.Message)
	}
}
