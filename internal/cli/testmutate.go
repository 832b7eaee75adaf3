package cli

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/workloadmap/wm/internal/cli/printer"
	"github.com/workloadmap/wm/testkit"
	"github.com/workloadmap/wm/testkit/mutation"
)

// mutateFlags ask for mutation instead of a plain replay.
type mutateFlags struct {
	mutate   bool
	minScore float64
}

func (f *mutateFlags) register(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&f.mutate, "mutate", false, "make small mistakes in each definition and show those that no case catches")
	cmd.Flags().Float64Var(&f.minScore, "min-score", 0, "with --mutate, fail when the cases catch fewer of a definition's mistakes, in percent")
}

// check refuses flags that do not go together.
func (f *mutateFlags) check(cmd *cobra.Command) error {
	switch {
	case !f.mutate && cmd.Flags().Changed("min-score"):
		return errors.New("--min-score goes with --mutate")
	case f.minScore < 0 || f.minScore > 100:
		return fmt.Errorf("--min-score %v: a percentage from 0 to 100 is needed", f.minScore)
	case f.mutate && cmd.Flags().Changed("coverage"):
		return errors.New("--mutate and --coverage are two questions: ask one at a time")
	case f.mutate && cmd.Flags().Changed("update"):
		return errors.New("--mutate compares with goldens and never writes them: leave out --update")
	}
	return nil
}

// run replays the cases through mutants and prints what survives.
func (f *mutateFlags) run(ctx context.Context, world World, output string, options testkit.Options) error {
	format, err := printer.ParseFormat(output, printer.Text, printer.JSON)
	if err != nil {
		return err
	}
	defer collectLess()()
	report, err := mutation.Run(ctx, options)
	if err != nil {
		return err
	}
	if err := printer.Mutation(world.Stdout, format, report, f.minScore); err != nil {
		return err
	}
	failed := len(report.Failing) > 0
	for i := range report.Definitions {
		failed = failed || report.Definitions[i].Score() < f.minScore
	}
	if failed {
		return &exitError{code: exitFindings}
	}
	return nil
}

// collectLess collects garbage half as often until its result is called. Each
// mutant is compiled and dropped again, so that a third of the time would go into
// collecting a small heap. A setting that is not the default is somebody's wish.
func collectLess() (restore func()) {
	const usual, rare = 100, 200
	before := debug.SetGCPercent(rare)
	if before != usual {
		debug.SetGCPercent(before)
	}
	return func() { debug.SetGCPercent(before) }
}
