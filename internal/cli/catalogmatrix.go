package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"path"

	"github.com/spf13/cobra"

	"github.com/workloadmap/wm/catalog"
	"github.com/workloadmap/wm/internal/cli/printer"
)

func newCatalogMatrix(world World) *cobra.Command {
	var output, cases string
	cmd := &cobra.Command{
		Use:   "matrix",
		Short: "Show what each built-in definition can tell and do",
		Long: "One row for each definition: the release that it was checked against, roles, whether counts and\n" +
			"bounds are known, phases, native suspend, selectors, gangs, where requests and accelerators are\n" +
			"read from, how many of the places of pod data can be edited, and golden cases.",
		Example: "  wm catalog matrix\n  wm catalog matrix -o markdown --cases fixtures",
		Args:    noArguments,
		RunE: func(*cobra.Command, []string) error {
			format, err := printer.ParseFormat(output, printer.Text, printer.Markdown, printer.JSON, printer.YAML)
			if err != nil {
				return err
			}
			var rows []printer.MatrixRow
			for _, entry := range catalog.Entries() {
				row := printer.MatrixRow{}
				if row.Capabilities, err = entry.Capabilities(); err != nil {
					return err
				}
				if cases != "" {
					if row.Cases, err = countCases(world.Files, path.Join(cases, entry.Name)); err != nil {
						return err
					}
				}
				rows = append(rows, row)
			}
			switch format {
			case printer.Text:
				return printer.Matrix(world.Stdout, rows)
			case printer.Markdown:
				return printer.MatrixMarkdown(world.Stdout, rows)
			default:
				return printer.Document(world.Stdout, format, printer.ListOf(rows))
			}
		},
	}
	cmd.Flags().StringVarP(&output, "output", "o", string(printer.Text), "output format: text, markdown, json or yaml")
	cmd.Flags().StringVar(&cases, "cases", "", "folder with golden cases to count, such as fixtures")
	return cmd
}

// countCases counts the folders with a case; none when the folder is not there.
func countCases(files fs.FS, folder string) (*int, error) {
	entries, err := fs.ReadDir(files, folder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("count cases: %w", err)
	}
	count := 0
	for _, entry := range entries {
		if _, err := fs.Stat(files, path.Join(folder, entry.Name(), "case.yaml")); err == nil {
			count++
		}
	}
	return &count, nil
}
