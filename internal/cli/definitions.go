package cli

import (
	"github.com/workloadmap/wm/catalog"
	"github.com/workloadmap/wm/resolver"
)

// definitionSet layers the definitions that a command reads workloads with:
// the built-in catalog, then the files given with --definitions.
func definitionSet(world World, paths []string) (*resolver.Set, error) {
	layers := [][]resolver.Candidate{catalog.Candidates()}
	for _, path := range paths {
		candidates, err := catalog.Read(world.Files, []string{path}, world.Stdin)
		if err != nil {
			return nil, err
		}
		layers = append(layers, candidates)
	}
	return resolver.NewSet(layers...)
}
