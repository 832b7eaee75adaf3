package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/workloadmap/wm/catalog"
	"github.com/workloadmap/wm/internal/cli/printer"
)

func newCatalog(world World) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "catalog",
		Short: "List, show and export the built-in definitions",
		Args:  knownCommand,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return cmd.Help()
		},
	}
	cmd.AddCommand(newCatalogApply(world), newCatalogExport(world), newCatalogList(world), newCatalogMatrix(world), newCatalogShow(world))
	return cmd
}

func newCatalogList(world World) *cobra.Command {
	var output string
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the built-in definitions",
		Args:  noArguments,
		RunE: func(*cobra.Command, []string) error {
			format, err := printer.ParseFormat(output, printer.Text, printer.JSON, printer.YAML)
			if err != nil {
				return err
			}
			if format == printer.Text {
				return printer.Catalog(world.Stdout, catalog.Entries())
			}
			return printer.Document(world.Stdout, format, printer.ListOf(catalog.Entries()))
		},
	}
	cmd.Flags().StringVarP(&output, "output", "o", string(printer.Text), "output format: text, json or yaml")
	return cmd
}

func newCatalogShow(world World) *cobra.Command {
	return &cobra.Command{
		Use:   "show NAME",
		Short: "Print a built-in definition as it was written",
		Args: func(_ *cobra.Command, arguments []string) error {
			if len(arguments) != 1 {
				return errors.New("name one definition; wm catalog list shows all")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, arguments []string) error {
			entry, err := catalog.Find(arguments[0])
			if err != nil {
				return &exitError{code: exitNoDefinition, cause: err}
			}
			content, err := entry.Content()
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(world.Stdout, "%s", content)
			return err
		},
	}
}
