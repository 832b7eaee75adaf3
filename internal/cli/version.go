package cli

import (
	"fmt"

	"github.com/spf13/cobra"
)

func newVersion(world World) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version of wm",
		Args:  noArguments,
		RunE: func(*cobra.Command, []string) error {
			line := "wm " + world.Version.Version
			if world.Version.Revision != "" {
				line += " (" + world.Version.Revision + ")"
			}
			fmt.Fprintln(world.Stdout, line)
			return nil
		},
	}
}
