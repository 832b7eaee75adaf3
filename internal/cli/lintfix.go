package cli

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/spf13/cobra"

	"github.com/workloadmap/wm/internal/cli/printer"
	"github.com/workloadmap/wm/lint"
	"github.com/workloadmap/wm/lint/report"
	"github.com/workloadmap/wm/source"
)

// lintFix are the flags that repair what can be repaired without a decision.
type lintFix struct{ write, diff bool }

func (f *lintFix) register(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&f.write, "fix", false, "repair in the files what is certain, and report the rest")
	cmd.Flags().BoolVar(&f.diff, "diff", false, "show what --fix would change, and change nothing")
}

func (f *lintFix) wanted() bool { return f.write || f.diff }

// run checks, repairs, and reports what is left.
func (f *lintFix) run(cmd *cobra.Command, world World, options lint.Options, reports lintReports) error {
	if !f.diff && slices.Contains(options.Paths, source.Stdin) {
		return errors.New("standard input cannot be repaired in place; --diff shows what would change")
	}
	result, unread := lint.Run(cmd.Context(), options)
	if result.Files == 0 && unread != nil {
		return unread
	}
	fixed, err := result.Repair(cmd.Context(), options)
	if err != nil {
		return err
	}
	if f.diff {
		return showDiffs(world, fixed, result, unread, reports)
	}
	var faults []error
	for _, file := range fixed {
		if err := writeFixed(world, file); err != nil {
			faults = append(faults, err)
			continue
		}
		fmt.Fprintf(world.Stderr, "fixed %s: %s\n", printer.Visible(file.Name, ""), changes(file.Changes))
	}
	// A report of what the files would say if they had been written would mislead.
	if len(faults) > 0 {
		return errors.Join(append(faults, unread)...)
	}
	return concludeLint(world, result, unread, reports)
}

// writeFixed replaces a file, unless it is no longer what was checked.
func writeFixed(world World, file lint.Fixed) error {
	now, err := source.Read(world.Files, file.Name, nil)
	if err != nil {
		return err
	}
	if !bytes.Equal(now, file.Before) {
		return fmt.Errorf("%s changed while it was checked and is left as it is", file.Name)
	}
	if err := world.WriteFile(file.Name, file.After); err != nil {
		return fmt.Errorf("cannot write %s: %w", file.Name, err)
	}
	return nil
}

// showDiffs writes one unified diff, which patch and git apply take. The exit
// code says whether there is anything to do.
func showDiffs(world World, fixed []lint.Fixed, result *lint.Result, unread error, reports lintReports) error {
	for _, file := range fixed {
		text := diff.Diff("a/"+file.Name, file.Before, "b/"+file.Name, file.After)
		// The first line is for people who compare many files; patch needs none.
		_, text, _ = bytes.Cut(text, []byte("\n"))
		if world.Colour {
			text = []byte(printer.Visible(string(text), "\n\t\r"))
		}
		if _, err := world.Stdout.Write(text); err != nil {
			return fmt.Errorf("write the changes: %w", err)
		}
	}
	fmt.Fprintf(world.Stderr, "%s to make, then: %s\n", changes(sum(fixed)), report.Summary(result))
	if unread != nil {
		return unread
	}
	if len(fixed) > 0 || result.Reaches(reports.failOn) {
		return &exitError{code: exitFindings}
	}
	return nil
}

func sum(fixed []lint.Fixed) int {
	n := 0
	for _, file := range fixed {
		n += file.Changes
	}
	return n
}

func changes(n int) string {
	if n == 1 {
		return "1 change"
	}
	return fmt.Sprintf("%d changes", n)
}
