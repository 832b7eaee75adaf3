package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/workloadmap/wm/schema"
	"github.com/workloadmap/wm/source"
)

func newCRD(world World) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "crd",
		Short: "Show or install the CRD by which a cluster holds definitions",
		Long:  "A cluster needs no CRD for its workloads to be read. With it, the cluster can hold definitions of its own,\nwhich replace built-in ones for everyone who reads it.",
		Args:  knownCommand,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newCRDInstall(world), newCRDPrint(world))
	return cmd
}

func newCRDPrint(world World) *cobra.Command {
	return &cobra.Command{
		Use:   "print",
		Short: "Write the CRD as YAML",
		Args:  noArguments,
		RunE: func(*cobra.Command, []string) error {
			_, err := world.Stdout.Write(schema.CRD())
			return err
		},
	}
}

func newCRDInstall(world World) *cobra.Command {
	var flags applyFlags
	cmd := &cobra.Command{
		Use:     "install",
		Short:   "Apply the CRD to a cluster, server-side",
		Example: "  wm crd install --dry-run=server\n  wm crd print | kubectl apply --server-side -f -",
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return flags.apply(cmd.Context(), world, []manifestFile{{"the CRD", schema.CRD()}})
		},
	}
	flags.register(cmd)
	return cmd
}

// objectOf is the only object of a manifest that ships with wm.
func objectOf(file manifestFile) (map[string]any, error) {
	value, err := source.Trusted(file.name, file.content)
	if err != nil {
		return nil, err
	}
	object, isObject := value.(map[string]any)
	if !isObject {
		return nil, fmt.Errorf("%s is no object", file.name)
	}
	return object, nil
}
