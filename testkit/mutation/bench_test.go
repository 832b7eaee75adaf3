package mutation_test

import (
	"context"
	"io/fs"
	"testing"

	"github.com/workloadmap/wm/catalog"
	"github.com/workloadmap/wm/resolver"
	"github.com/workloadmap/wm/source"
	"github.com/workloadmap/wm/testkit"
	"github.com/workloadmap/wm/testkit/mutation"
)

// BenchmarkCatalog is wm test --mutate over the built-in definitions. It has to
// take less than a minute on two cores.
func BenchmarkCatalog(b *testing.B) {
	set, err := resolver.NewSet(catalog.Candidates())
	if err != nil {
		b.Fatal(err)
	}
	options := testkit.Options{Files: source.OS(), Paths: []string{"../../fixtures"}, Definitions: set,
		Written: func(used resolver.DefinitionReference) (*source.Document, error) {
			content, err := fs.ReadFile(catalog.Files(), used.Name+".yaml")
			if err != nil {
				return nil, err
			}
			documents, _ := source.Parse(used.Name+".yaml", content)
			return documents[0], nil
		}}
	for b.Loop() {
		report, err := mutation.Run(context.Background(), options)
		if err != nil {
			b.Fatal(err)
		}
		total := 0
		for _, d := range report.Definitions {
			total += d.Total
		}
		b.ReportMetric(float64(total), "mutants")
	}
}
