package cli

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/workloadmap/wm/internal/cli/printer"
	"github.com/workloadmap/wm/internal/manifest"
	"github.com/workloadmap/wm/resolver"
)

func newDescribe(world World) *cobra.Command {
	var flags workloadFlags
	cmd := &cobra.Command{
		Use:     "describe -f FILE",
		Aliases: []string{"tree"},
		Short:   "Show a workload: its roles, replicas, requests and phase",
		Example: "  wm describe -f raycluster.yaml\n  kubectl get raycluster train -o yaml | wm describe -f - -o json",
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
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
