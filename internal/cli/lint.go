package cli

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/workloadmap/wm/internal/cli/printer"
	"github.com/workloadmap/wm/lint"
	"github.com/workloadmap/wm/lint/report"
	"github.com/workloadmap/wm/lint/rules"
)

func newLint(world World) *cobra.Command {
	var output string
	var crds []string
	cmd := &cobra.Command{
		Use:   "lint [PATH...]",
		Short: "Check definitions and point at every mistake",
		Long: "Check definitions: files, folders (the current one by default), or - for standard input.\n" +
			"In folders, files that are no definitions are passed over.",
		Example: "  wm lint\n  wm lint my-framework.yaml -o json\n  wm lint my-framework.yaml --crd crds/",
		RunE: func(cmd *cobra.Command, paths []string) error {
			format, err := printer.ParseFormat(output, printer.Text, printer.JSON)
			if err != nil {
				return err
			}
			if len(paths) == 0 {
				paths = []string{"."}
			}
			schemas := lint.BuiltIn()
			if len(crds) > 0 {
				if schemas, err = lint.WithCRDs(world.Files, crds, world.Stdin, schemas); err != nil {
					return err
				}
			}
			result, unread := lint.Run(cmd.Context(), lint.Options{
				Files: world.Files, Paths: paths, Stdin: world.Stdin, Rules: rules.All(), Schemas: schemas,
			})
			// Nothing was looked at: a report of no problems would mislead.
			if result.Files == 0 && unread != nil {
				return unread
			}
			if err := printFindings(world.Stdout, format, result); err != nil {
				return err
			}
			for _, kind := range result.Unknown {
				fmt.Fprintf(world.Stderr, "note: no schema is known of %s, so paths into it were not checked\n", kind)
			}
			if unread != nil {
				return unread
			}
			if result.Failed() {
				return &exitError{code: exitFindings}
			}
			return nil
		},
	}
	cmd.Flags().StringArrayVar(&crds, "crd", nil, "file or folder with CRDs or indexes to check paths against (repeatable)")
	cmd.Flags().StringVarP(&output, "output", "o", string(printer.Text), "output format: text or json")
	return cmd
}

func printFindings(out io.Writer, format printer.Format, result *lint.Result) error {
	if format == printer.JSON {
		return report.JSON{}.Report(out, result)
	}
	return report.Text{}.Report(out, result)
}
