package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/workloadmap/wm/resolver"
)

func newSuspend(world World) *cobra.Command {
	var flags workloadFlags
	cmd := &cobra.Command{
		Use:   "suspend -f FILE",
		Short: "Show a workload suspended natively, as its definition says",
		Args:  noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runChange(cmd.Context(), world, &flags,
				func(ctx context.Context, r *resolver.Resolver, object map[string]any) (*resolver.Edit, error) {
					return r.Suspend(ctx, object)
				})
		},
	}
	flags.register(cmd)
	return cmd
}

func newResume(world World) *cobra.Command {
	var flags workloadFlags
	cmd := &cobra.Command{
		Use:   "resume -f FILE",
		Short: "Show a suspended workload resumed, as its definition says",
		Args:  noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runChange(cmd.Context(), world, &flags,
				func(ctx context.Context, r *resolver.Resolver, object map[string]any) (*resolver.Edit, error) {
					return r.Resume(ctx, object)
				})
		},
	}
	flags.register(cmd)
	return cmd
}
