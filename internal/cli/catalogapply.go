package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/workloadmap/wm/api/v1alpha1"
	"github.com/workloadmap/wm/cluster"
	"github.com/workloadmap/wm/generators/convert"
)

// applyFlags are the flags of commands that apply objects of wm's own.
type applyFlags struct {
	clusterFlags
	dryRun string
	force  bool
}

func (f *applyFlags) register(cmd *cobra.Command) {
	f.clusterFlags.register(cmd)
	cmd.Flags().StringVar(&f.dryRun, "dry-run", dryRunNone, "none, client (only name what would be applied) or server (have the server check it)")
	cmd.Flags().BoolVar(&f.force, "force-conflicts", false, "take over fields that others manage")
}

// manifestFile is one object in YAML.
type manifestFile struct {
	name    string
	content []byte
}

// apply sends each object and goes on after a refusal, since they do not depend
// on each other. With nothing applied the cluster counts as refusing.
func (f *applyFlags) apply(ctx context.Context, world World, files []manifestFile) error {
	said := map[string]string{dryRunNone: "applied", dryRunClient: "would be applied", dryRunServer: "accepted (server dry run)"}[f.dryRun]
	if said == "" {
		return fmt.Errorf("--dry-run %q: write none, client or server", f.dryRun)
	}
	var client *cluster.Client
	if f.dryRun != dryRunClient {
		var err error
		if client, err = f.connect(world); err != nil {
			return err
		}
	}
	var faults []error
	for _, file := range files {
		object, err := objectOf(file)
		if err != nil {
			return err
		}
		if client != nil {
			if err := client.Apply(ctx, object, f.force, f.dryRun == dryRunServer); err != nil {
				faults = append(faults, err)
				var fault *cluster.Fault
				if errors.As(err, &fault) && fault.Refused() {
					break
				}
				continue
			}
		}
		fmt.Fprintf(world.Stdout, "%s %s %s\n", object["kind"], object["metadata"].(map[string]any)["name"], said)
	}
	err := errors.Join(faults...)
	switch {
	case err == nil:
		return nil
	case len(faults) < len(files):
		return &exitError{code: exitFindings, cause: err}
	}
	return &exitError{code: exitRefused, cause: err}
}

func newCatalogApply(world World) *cobra.Command {
	var flags applyFlags
	var dialect string
	cmd := &cobra.Command{
		Use:   "apply [NAME...]",
		Short: "Apply built-in definitions to a cluster, server-side",
		Long:  "The CRD of the dialect must be there: wm crd install brings that of workloadmap.",
		Example: "  wm catalog apply ray-io-raycluster-v1\n" +
			"  wm catalog apply --as karta --dry-run=server",
		RunE: func(cmd *cobra.Command, names []string) error {
			entries, err := entriesNamed(names)
			if err != nil {
				return err
			}
			var files []manifestFile
			for _, entry := range entries {
				content, err := entry.Content()
				if err != nil {
					return err
				}
				if content, err = convert.File(entry.Name+".yaml", content, dialect); err != nil {
					return err
				}
				files = append(files, manifestFile{entry.Name + ".yaml", content})
			}
			return flags.apply(cmd.Context(), world, files)
		},
	}
	flags.register(cmd)
	cmd.Flags().StringVar(&dialect, "as", v1alpha1.DialectWorkloadMap, "dialect: workloadmap or karta")
	return cmd
}
