package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/workloadmap/wm/internal/cli/printer"
	"github.com/workloadmap/wm/internal/manifest"
	"github.com/workloadmap/wm/resolver"
)

func newGang(world World) *cobra.Command {
	var flags workloadFlags
	var as string
	var onCluster gangLive
	cmd := &cobra.Command{
		Use:   "gang (TYPE/NAME... | -f FILE)",
		Short: "Show the gangs of a workload, and each pod's gang",
		Long: "Show the gangs that a workload's pods form, how many pods each needs at least, and the pods of the cluster\n" +
			"or the files that are in it. With --as kai, show what the KAI scheduler's generic grouper computes instead.",
		RunE: func(cmd *cobra.Command, arguments []string) error {
			inCluster, err := liveOrFiles(arguments, &flags, onCluster.given(cmd))
			if err != nil {
				return err
			}
			if as != "" && as != "kai" {
				return fmt.Errorf("unknown reader %q for --as: use kai", as)
			}
			if inCluster {
				return onCluster.run(cmd.Context(), world, &flags, arguments, as)
			}
			format, set, objects, unread := flags.read(world)
			if len(objects) == 0 && unread != nil {
				return unread
			}
			if as == "kai" {
				groups, notes, undescribed := manifest.KAIGroups(cmd.Context(), objects, set)
				world.note(notes)
				if len(groups) > 0 {
					if err := printKAI(world, format, groups); err != nil {
						return err
					}
				}
				return describeFailure(unread, undescribed)
			}
			description, undescribed := manifest.Describe(cmd.Context(), objects, set)
			world.note(description.Notes)
			if len(description.Workloads) > 0 {
				if err := printGangs(world, format, description.Workloads); err != nil {
					return err
				}
			}
			return describeFailure(unread, undescribed)
		},
	}
	flags.register(cmd)
	onCluster.register(cmd)
	completeFromCluster(world, cmd, true, &onCluster.clusterFlags)
	cmd.Flags().StringVar(&as, "as", "", "show the gangs as another scheduler reads the definition: kai")
	return cmd
}

func printGangs(world World, format printer.Format, workloads []*resolver.Workload) error {
	if format == printer.Text {
		return printer.Gangs(world.Stdout, workloads)
	}
	gangs := []resolver.Gang{}
	for _, workload := range workloads {
		gangs = append(gangs, workload.Gangs...)
	}
	return printer.Document(world.Stdout, format, printer.ListOf(gangs))
}

func printKAI(world World, format printer.Format, groups []resolver.KAIGroup) error {
	if format == printer.Text {
		return printer.KAIGroups(world.Stdout, groups)
	}
	return printer.Document(world.Stdout, format, printer.ListOf(groups))
}
