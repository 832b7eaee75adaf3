package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/workloadmap/wm/internal/cli/printer"
	"github.com/workloadmap/wm/testkit"
)

func newTest(world World) *cobra.Command {
	var definition, output string
	var update bool
	cmd := &cobra.Command{
		Use:   "test [PATH...]",
		Short: "Replay golden cases through their definitions",
		Long: "Replay golden cases: resolve each case's object, compare with what case.yaml expects\n" +
			"and with the whole view in golden.yaml. PATH is a folder of cases, fixtures by default.",
		Example: "  wm test\n  wm test fixtures/ray-io-raycluster-v1 -d my-raycluster.yaml\n  wm test --update",
		RunE: func(cmd *cobra.Command, paths []string) error {
			format, err := printer.ParseFormat(output, printer.Text, printer.JSON)
			if err != nil {
				return err
			}
			options := testkit.Options{Files: world.Files, Paths: paths, Origin: definition}
			if len(paths) == 0 {
				options.Paths = []string{"fixtures"}
			}
			if update {
				options.Update = world.WriteFile
			}
			var replacing []string
			if definition != "" {
				replacing = []string{definition}
			}
			if options.Definitions, err = definitionSet(world, replacing); err != nil {
				return err
			}
			report, err := testkit.Replay(cmd.Context(), options)
			if err != nil {
				return err
			}
			if err := printReport(world, format, report); err != nil {
				return err
			}
			if report.Err() != nil {
				return &exitError{code: exitFindings}
			}
			return nil
		},
	}
	cmd.Flags().StringVarP(&definition, "definition", "d", "", "replay the cases of this definition file's kind against it")
	cmd.Flags().BoolVar(&update, "update", false, "write golden.yaml where the view changed or was missing; never changes case.yaml")
	cmd.Flags().StringVarP(&output, "output", "o", string(printer.Text), "output format: text or json")
	return cmd
}

func printReport(world World, format printer.Format, report *testkit.Report) error {
	if format == printer.JSON {
		return printer.Document(world.Stdout, format, report)
	}
	if _, err := fmt.Fprint(world.Stdout, printer.Report(report)); err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	return nil
}
