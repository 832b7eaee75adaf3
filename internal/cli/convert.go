package cli

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/workloadmap/wm/api/v1alpha1"
	"github.com/workloadmap/wm/generators/convert"
	"github.com/workloadmap/wm/source"
)

func newConvert(world World) *cobra.Command {
	var to string
	cmd := &cobra.Command{
		Use:   "convert FILE|-",
		Short: "Rewrite a definition's header for another dialect",
		Long: "The header becomes that of another dialect, everything else stays as it is written, comments\n" +
			"too. For karta the three labels are added by which the KAI scheduler looks definitions up.",
		Example: "  wm convert my-framework.yaml --to karta\n  wm convert karta.yaml > workloadmap.yaml",
		Args: func(_ *cobra.Command, arguments []string) error {
			if len(arguments) != 1 {
				return errors.New("name one file, or - for standard input")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, arguments []string) error {
			content, err := source.Read(world.Files, arguments[0], world.Stdin)
			if err != nil {
				return err
			}
			converted, err := convert.File(arguments[0], content, to)
			if err != nil {
				return err
			}
			_, err = world.Stdout.Write(converted)
			return err
		},
	}
	cmd.Flags().StringVar(&to, "to", v1alpha1.DialectWorkloadMap, "dialect: workloadmap or karta")
	return cmd
}
