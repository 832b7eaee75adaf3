package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/workloadmap/wm/lint/rules"
	"github.com/workloadmap/wm/lsp"
)

func newLSP(world World) *cobra.Command {
	var settings lintSettings
	var stdio bool
	cmd := &cobra.Command{
		Use:   "lsp",
		Short: "Show editors what is wrong with a definition, what fields mean and which can follow",
		Long: "Speak the Language Server Protocol on standard input and output.\n" +
			"An editor starts this, in the folder whose .wm.yaml counts; docs/editors.md says how.",
		Example: "  wm lsp\n  wm lsp --crd crds/",
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			options, err := settings.options(cmd.Context(), world, []string{"."}, rules.All())
			if err != nil {
				return err
			}
			// Replaying cases takes too long for an answer to a keystroke.
			options.Cases = nil
			err = lsp.Serve(cmd.Context(), world.Stdin, world.Stdout, lsp.Options{Lint: options, Version: world.Version.Version})
			if err != nil {
				return &exitError{code: exitFindings, cause: fmt.Errorf("language server: %w", err)}
			}
			return nil
		},
	}
	settings.register(cmd)
	// Editors' libraries add this flag to every server that they start.
	cmd.Flags().BoolVar(&stdio, "stdio", true, "speak on standard input and output, the only way there is")
	cmd.Flags().Lookup("stdio").Hidden = true
	return cmd
}
