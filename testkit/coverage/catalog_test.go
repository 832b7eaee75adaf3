package coverage_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/workloadmap/wm/api/v1alpha1"
	"github.com/workloadmap/wm/catalog"
	"github.com/workloadmap/wm/resolver"
	"github.com/workloadmap/wm/source"
	"github.com/workloadmap/wm/testkit"
	"github.com/workloadmap/wm/testkit/coverage"
)

func catalogOptions(tb testing.TB) testkit.Options {
	tb.Helper()
	set, err := resolver.NewSet(catalog.Candidates())
	if err != nil {
		tb.Fatal(err)
	}
	return testkit.Options{Files: source.OS(), Paths: []string{"../../fixtures"}, Definitions: set, Written: writtenInCatalog}
}

func writtenInCatalog(used resolver.DefinitionReference) (*source.Document, error) {
	name := used.Name + ".yaml"
	content, err := source.Read(catalog.Files(), name, nil)
	if err != nil {
		return nil, err
	}
	documents, _ := source.Parse(name, content)
	for _, document := range documents {
		if _, err := v1alpha1.Decode(document.Value()); err == nil {
			return document, nil
		}
	}
	return nil, fmt.Errorf("%s holds no definition", name)
}

// Of built-in definitions something is exercised, the report is the same each time,
// and annotated copies mean what the definitions mean. BenchmarkCatalog takes all.
func TestCatalog(t *testing.T) {
	options := catalogOptions(t)
	options.Paths = []string{"../../fixtures/ray-io-raycluster-v1", "../../fixtures/batch-volcano-sh-job-v1alpha1"}
	reports := make([]*coverage.Report, 2)
	for i := range reports {
		var err error
		if reports[i], err = coverage.Measure(context.Background(), options); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(listed(reports[0]), listed(reports[1])); diff != "" {
		t.Errorf("two measurements differ (-first +second):\n%s", diff)
	}
	if len(reports[0].Definitions) != len(options.Paths) {
		t.Errorf("%d definitions were measured", len(reports[0].Definitions))
	}
	for i := range reports[0].Definitions {
		d := &reports[0].Definitions[i]
		if d.Covered(coverage.Expression) == 0 || d.Covered(coverage.Matcher) == 0 {
			t.Errorf("%s: nothing is covered", d.Name)
		}
	}
	copies, err := reports[0].Annotated()
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range copies {
		content, err := source.Read(catalog.Files(), file.Name, nil)
		if err != nil {
			t.Fatal(err)
		}
		sameMeaning(t, string(content), file.Content)
		if !strings.Contains(file.Content, "# covered by ") {
			t.Errorf("%s: no remark", file.Name)
		}
	}
}

func BenchmarkCatalog(b *testing.B) {
	options := catalogOptions(b)
	for b.Loop() {
		if _, err := coverage.Measure(context.Background(), options); err != nil {
			b.Fatal(err)
		}
	}
}
