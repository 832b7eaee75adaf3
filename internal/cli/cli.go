// Package cli is the command line of wm. Each command lives in a file of its
// own: it translates flags into one call of a library package and hands the
// result to a printer.
package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/workloadmap/wm/internal/suggest"
)

// Exit codes are a contract with scripts.
const (
	exitClean        = 0
	exitFindings     = 1 // lint findings, failed cases
	exitUsage        = 2 // wrong usage or unreadable input
	exitNoDefinition = 4 // no definition for the type
)

// exitError ends the command with a code. Without cause the command has
// already said what there is to say.
type exitError struct {
	code  int
	cause error
}

func (e *exitError) Error() string {
	if e.cause == nil {
		return ""
	}
	return e.cause.Error()
}

func (e *exitError) Unwrap() error { return e.cause }

// Run executes one command line and returns its exit code. Results go to
// world.Stdout and everything else to world.Stderr.
func Run(ctx context.Context, arguments []string, world World) int {
	root := newRoot(world)
	root.SetArgs(arguments)
	root.SetIn(world.Stdin)
	root.SetOut(world.Stdout)
	root.SetErr(world.Stderr)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return exitClean
	}
	// Whatever is not an exitError comes from parsing flags and arguments.
	failure := &exitError{code: exitUsage, cause: err}
	errors.As(err, &failure)
	if failure.cause != nil {
		for line := range strings.Lines(failure.cause.Error()) {
			fmt.Fprintf(world.Stderr, "error: %s\n", strings.TrimSuffix(line, "\n"))
		}
	}
	return failure.code
}

func newRoot(world World) *cobra.Command {
	root := &cobra.Command{
		Use:   "wm",
		Short: "Read AI workloads through Workload Map definitions, and check the definitions",
		Args:  knownCommand,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return cmd.Help()
		},
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.CompletionOptions.HiddenDefaultCmd = true
	root.AddCommand(
		newCatalog(world),
		newDescribe(world),
		newGang(world),
		newLint(world),
		newResume(world),
		newSet(world),
		newSuspend(world),
		newTest(world),
		newVersion(world),
	)
	return root
}

// knownCommand refuses words that name no subcommand, with the nearest that does.
func knownCommand(cmd *cobra.Command, arguments []string) error {
	if len(arguments) == 0 {
		return nil
	}
	var names []string
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() {
			names = append(names, sub.Name())
		}
	}
	if nearest, ok := suggest.Nearest(arguments[0], names); ok {
		return fmt.Errorf("unknown command %q for %s; did you mean %s?", arguments[0], cmd.CommandPath(), nearest)
	}
	return fmt.Errorf("unknown command %q for %s; it has %s", arguments[0], cmd.CommandPath(), strings.Join(names, ", "))
}
