package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/workloadmap/wm/internal/cli/printer"
	"github.com/workloadmap/wm/testkit"
	"github.com/workloadmap/wm/testkit/coverage"
)

// coverageFlags ask for coverage instead of a plain replay.
type coverageFlags struct {
	coverage bool
	least    float64
}

func (f *coverageFlags) register(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&f.coverage, "coverage", false, "show which parts of each definition the cases exercise; -o annotated copies it with comments")
	cmd.Flags().Float64Var(&f.least, "min-coverage", 0, "with --coverage, fail when the cases exercise less of a definition, in percent")
}

// check refuses flags that do not go together.
func (f *coverageFlags) check(cmd *cobra.Command) error {
	switch {
	case !f.coverage && cmd.Flags().Changed("min-coverage"):
		return errors.New("--min-coverage goes with --coverage")
	case !(f.least >= 0 && f.least <= 100):
		return fmt.Errorf("--min-coverage %v: a percentage from 0 to 100 is needed", f.least)
	case f.coverage && cmd.Flags().Changed("update"):
		return errors.New("--coverage never writes goldens: leave out --update")
	}
	return nil
}

// formats are those of coverage when it is asked for, else the plain ones.
func (f *coverageFlags) formats(plain ...printer.Format) []printer.Format {
	if f.coverage {
		return []printer.Format{printer.Text, printer.JSON, printer.Annotated}
	}
	return plain
}

// run prints what the cases exercise.
func (f *coverageFlags) run(ctx context.Context, world World, format printer.Format, options testkit.Options) error {
	progress, clear := progressOf(world.Terminal)
	options.Progress = progress
	report, err := coverage.Measure(ctx, options)
	clear()
	if err != nil {
		return err
	}
	if err := printer.Coverage(world.Stdout, format, report, f.least); err != nil {
		return err
	}
	for i := range report.Definitions {
		if d := &report.Definitions[i]; d.Percent() < f.least || len(d.Failing) > 0 {
			return &exitError{code: exitFindings}
		}
	}
	return nil
}
