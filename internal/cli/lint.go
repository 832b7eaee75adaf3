package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/workloadmap/wm/lint"
)

func newLint(world World) *cobra.Command {
	var settings lintSettings
	var fix lintFix
	var output []string
	var failOn, colour string
	var watching bool
	cmd := &cobra.Command{
		Use:   "lint [PATH...]",
		Short: "Check definitions and point at every mistake",
		Long: "Check definitions: files, folders (the current one by default), or - for standard input.\n" +
			"In folders, files that are no definitions are passed over. A comment silences a rule:\n" +
			"# wm:ignore WM203 -- reason on or above a line, # wm:ignore-file WM203 -- reason anywhere.",
		Example: "  wm lint\n  wm lint my-framework.yaml -o json\n  wm lint my-framework.yaml --crd crds/\n" +
			"  wm lint -o github -o sarif=findings.sarif --fail-on error\n  wm lint --severity WM304=off",
		RunE: func(cmd *cobra.Command, paths []string) error {
			reports, err := newLintReports(world, output, failOn, colour)
			if err != nil {
				return err
			}
			if len(paths) == 0 {
				paths = []string{"."}
			}
			complete := func() (lint.Options, error) { return settings.options(cmd.Context(), world, paths, reports.rules) }
			options, err := complete()
			if err != nil {
				return err
			}
			if watching {
				w := lintWatch{world: world, reports: reports, options: complete, current: options, fixes: fix.wanted()}
				return w.run(cmd.Context())
			}
			if fix.wanted() {
				return fix.run(cmd, world, options, reports)
			}
			return lintOnce(cmd, world, options, reports)
		},
	}
	settings.register(cmd)
	fix.register(cmd)
	cmd.Flags().BoolVar(&watching, "watch", false, "go on, and check each file again when it changes, until interrupted")
	cmd.Flags().StringArrayVarP(&output, "output", "o", []string{"text"}, "FORMAT or FORMAT=FILE (repeatable): "+strings.Join(lintFormats, ", "))
	cmd.Flags().StringVar(&failOn, "fail-on", lint.Warning.String(), "least severity that makes the exit code 1: error, warning or info")
	cmd.Flags().StringVar(&colour, "color", "auto", "colours in text: auto, always or never")
	return cmd
}

func lintOnce(cmd *cobra.Command, world World, options lint.Options, reports lintReports) error {
	result, unread := lint.Run(cmd.Context(), options)
	// Nothing was looked at: a report of no problems would mislead.
	if result.Files == 0 && unread != nil {
		return unread
	}
	return concludeLint(world, result, unread, reports)
}

// concludeLint reports a result and decides about the exit code.
func concludeLint(world World, result *lint.Result, unread error, reports lintReports) error {
	if err := reports.write(world, result); err != nil {
		return err
	}
	for _, kind := range result.Unknown {
		fmt.Fprintf(world.Stderr, "note: no schema is known of %s, so paths into it were not checked\n", kind)
	}
	if unread != nil {
		return unread
	}
	if result.Reaches(reports.failOn) {
		return &exitError{code: exitFindings}
	}
	return nil
}
