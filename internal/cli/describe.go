package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/workloadmap/wm/internal/cli/printer"
	"github.com/workloadmap/wm/internal/manifest"
	"github.com/workloadmap/wm/resolver"
)

func newDescribe(world World) *cobra.Command {
	var flags workloadFlags
	var onCluster describeLive
	cmd := &cobra.Command{
		Use:     "describe (TYPE/NAME... | -f FILE)",
		Aliases: []string{"tree"},
		Short:   "Show a workload: its roles, replicas, pods, requests and phase",
		Long: "Show a workload of a cluster, or the workloads of files. From a cluster come also its pods, how many of\n" +
			"each gang are there, and warnings about them.",
		Example: "  wm describe raycluster/train -n research --why\n  wm describe -f raycluster.yaml\n" +
			"  kubectl get raycluster train -o yaml | wm describe -f - -o json",
		RunE: func(cmd *cobra.Command, arguments []string) error {
			switch given := onCluster.given(cmd); {
			case len(arguments) > 0 && len(flags.files) > 0:
				return errors.New("name workloads of a cluster or files with -f, not both")
			case len(arguments) > 0:
				return onCluster.run(cmd.Context(), world, &flags, arguments)
			case len(flags.files) == 0:
				return errDescribeWhat
			case given != "":
				return fmt.Errorf("--%s is for workloads of a cluster, -f reads files", given)
			}
			format, set, objects, unread := flags.read(world)
			if len(objects) == 0 && unread != nil {
				return unread
			}
			description, undescribed := manifest.Describe(cmd.Context(), objects, set)
			world.note(description.Notes)
			if len(description.Workloads) > 0 {
				if err := printWorkloads(world, format, description.Workloads); err != nil {
					return err
				}
			}
			return describeFailure(unread, undescribed)
		},
	}
	flags.register(cmd)
	onCluster.register(cmd)
	completeFromCluster(world, cmd, true, &onCluster.clusterFlags)
	return cmd
}

func printWorkloads(world World, format printer.Format, workloads []*resolver.Workload) error {
	if format == printer.Text {
		return printer.Workloads(world.Stdout, workloads)
	}
	return printer.Results(world.Stdout, format, workloads)
}

// describeFailure picks the exit code: unreadable input outweighs a missing
// definition, since what is in that input is not known, and that outweighs a
// missing workload.
func describeFailure(unread, undescribed error) error {
	err := errors.Join(unread, undescribed)
	if err == nil {
		return nil
	}
	var missing *resolver.NoDefinitionError
	var stray *manifest.StrayError
	switch {
	case unread != nil:
		return &exitError{code: exitUsage, cause: err}
	case errors.As(undescribed, &missing):
		return &exitError{code: exitNoDefinition, cause: err}
	case errors.As(undescribed, &stray), errors.Is(undescribed, manifest.ErrNoWorkload):
		return &exitError{code: exitNotFound, cause: err}
	}
	return &exitError{code: exitUsage, cause: err}
}
