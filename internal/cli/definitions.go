package cli

import (
	"context"
	"fmt"

	"github.com/workloadmap/wm/catalog"
	"github.com/workloadmap/wm/cluster"
	"github.com/workloadmap/wm/resolver"
)

// definitionSet layers the definitions that a command reads workloads with:
// the built-in catalog, then the files given with --definitions.
func definitionSet(world World, paths []string) (*resolver.Set, error) {
	return layeredSet(world, [][]resolver.Candidate{catalog.Candidates()}, paths)
}

// clusterSet puts the definitions that the cluster holds between the built-in
// ones and those of files. One that cannot be used is told about and passed
// over: it must not take all other workloads out of sight.
func clusterSet(ctx context.Context, world World, client *cluster.Client, paths []string) (*resolver.Set, error) {
	layers := [][]resolver.Candidate{catalog.Candidates()}
	held, faults, err := client.Definitions(ctx)
	if err != nil {
		return nil, &exitError{code: exitRefused, cause: err}
	}
	for _, fault := range faults {
		world.note([]string{fmt.Sprintf("a definition of the cluster is not used: %v", fault)})
	}
	return layeredSet(world, append(layers, held...), paths)
}

func layeredSet(world World, layers [][]resolver.Candidate, paths []string) (*resolver.Set, error) {
	for _, path := range paths {
		candidates, err := catalog.Read(world.Files, []string{path}, world.Stdin)
		if err != nil {
			return nil, err
		}
		layers = append(layers, candidates)
	}
	return resolver.NewSet(layers...)
}
