package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/workloadmap/wm/internal/manifest"
	"github.com/workloadmap/wm/resolver"
)

func newSuspend(world World) *cobra.Command {
	return suspendCommand(world, &cobra.Command{
		Use:     "suspend (TYPE/NAME... | -f FILE)",
		Short:   "Suspend a workload natively, as its definition says",
		Long:    suspendLong,
		Example: "  wm suspend raycluster/train -n research --wait\n  wm suspend -f raycluster.yaml -o yaml",
	}, func(ctx context.Context, r *resolver.Resolver, object map[string]any) (*resolver.Edit, error) {
		return r.Suspend(ctx, object)
	}, isSuspended)
}

func newResume(world World) *cobra.Command {
	return suspendCommand(world, &cobra.Command{
		Use:     "resume (TYPE/NAME... | -f FILE)",
		Short:   "Resume a suspended workload, as its definition says",
		Long:    suspendLong,
		Example: "  wm resume raycluster/train -n research --yes\n  wm resume -f raycluster.yaml -o yaml",
	}, func(ctx context.Context, r *resolver.Resolver, object map[string]any) (*resolver.Edit, error) {
		return r.Resume(ctx, object)
	}, isResumed)
}

const suspendLong = "A workload of a cluster is changed after the difference was shown and confirmed, and only if nobody changed\n" +
	"it since it was read. Of workloads in files the difference is shown; the files are not written."

func suspendCommand(world World, cmd *cobra.Command, change manifest.Change, done reached) *cobra.Command {
	var flags workloadFlags
	var onCluster changeLive
	cmd.RunE = func(cmd *cobra.Command, arguments []string) error {
		inCluster, err := liveOrFiles(arguments, &flags, onCluster.given(cmd))
		switch {
		case err != nil:
			return err
		case inCluster:
			return onCluster.run(cmd.Context(), world, &flags, arguments, change, done)
		}
		return runChange(cmd.Context(), world, &flags, change)
	}
	flags.register(cmd)
	onCluster.register(cmd, true)
	completeFromCluster(world, cmd, true, &onCluster.clusterFlags)
	return cmd
}
