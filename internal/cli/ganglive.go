package cli

import (
	"context"
	"fmt"

	"github.com/workloadmap/wm/cluster"
	"github.com/workloadmap/wm/internal/cli/printer"
	"github.com/workloadmap/wm/resolver"
)

// gangLive are the flags of gang for a cluster.
type gangLive struct{ clusterFlags }

func (f *gangLive) run(ctx context.Context, world World, files *workloadFlags, arguments []string, as string) error {
	format, err := printer.ParseFormat(files.output, printer.Text, printer.JSON, printer.YAML)
	if err != nil {
		return err
	}
	names, err := parseNames(arguments)
	if err != nil {
		return err
	}
	opened, err := openCluster(ctx, world, &f.clusterFlags, files.definitions)
	if err != nil {
		return err
	}
	queries, err := (&describeLive{}).queries(world, opened, names)
	if err != nil {
		return err
	}
	all := &cluster.Result{}
	for _, query := range queries {
		result := opened.client.Read(ctx, query)
		all.Found = append(all.Found, result.Found...)
		all.Faults = append(all.Faults, result.Faults...)
		all.Missing = append(all.Missing, result.Missing...)
		all.Answered += result.Answered
	}
	if len(all.Found) > 0 {
		if err := showGangs(ctx, world, format, all, as); err != nil {
			return err
		}
	}
	return readFailure(all)
}

// showGangs adds to the result's faults what could not be grouped.
func showGangs(ctx context.Context, world World, format printer.Format, all *cluster.Result, as string) error {
	if as == "" {
		var workloads []*resolver.Workload
		for _, found := range all.Found {
			workloads = append(workloads, found.Workload)
		}
		return printGangs(world, format, workloads)
	}
	groups := []resolver.KAIGroup{}
	for _, found := range all.Found {
		// As of files, what KAI makes of a workload follows from the workload alone.
		made, err := found.Type.Resolver.AsKAI(ctx, found.Object)
		if err != nil {
			all.Faults = append(all.Faults, fmt.Errorf("%s/%s: %w", found.Type.Resource, found.Workload.Name, err))
			continue
		}
		groups = append(groups, made...)
	}
	if len(groups) == 0 {
		return nil
	}
	return printKAI(world, format, groups)
}
