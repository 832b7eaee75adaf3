// Package cli is the command line of wm. Each command lives in a file of its
// own: it translates flags into one call of a library package and hands the
// result to a printer.
package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/workloadmap/wm/internal/suggest"
)

// Run executes one command line and returns its exit code. Results go to
// world.Stdout and everything else to world.Stderr.
func Run(ctx context.Context, arguments []string, world World) int {
	out := &output{out: world.Stdout}
	world.Stdout = out
	root := newRoot(world)
	root.SetArgs(arguments)
	root.SetIn(world.Stdin)
	root.SetOut(world.Stdout)
	root.SetErr(world.Stderr)
	return finish(world.Stderr, root.ExecuteContext(ctx), out)
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
	asPlugin(root, world.Program)
	root.CompletionOptions.HiddenDefaultCmd = true
	root.SetHelpCommand(newHelp(root))
	root.AddCommand(
		newCatalog(world),
		newConvert(world),
		newCRD(world),
		newDescribe(world),
		newExplain(world),
		newGang(world),
		newGet(world),
		newLint(world),
		newLSP(world),
		newRBAC(world),
		newResume(world),
		newReview(world),
		newSchema(world),
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
	if len(names) == 0 {
		return fmt.Errorf("%s has no commands, %q is none", cmd.CommandPath(), arguments[0])
	}
	return fmt.Errorf("unknown command %q for %s; it has %s", arguments[0], cmd.CommandPath(), strings.Join(names, ", "))
}

func newHelp(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Show how a command is used",
		RunE: func(_ *cobra.Command, words []string) error {
			found, rest, err := root.Find(words)
			if err != nil {
				return err
			}
			if err := knownCommand(found, rest); err != nil {
				return err
			}
			found.InitDefaultHelpFlag()
			return found.Help()
		},
	}
}

// noArguments refuses words behind a command that takes only flags. What a
// command reads is named with -f, which is easily forgotten.
func noArguments(cmd *cobra.Command, arguments []string) error {
	switch {
	case len(arguments) == 0:
		return nil
	case cmd.Flags().Lookup("filename") != nil:
		return fmt.Errorf("%s takes no argument %q; files are named with -f", cmd.CommandPath(), arguments[0])
	default:
		return fmt.Errorf("%s takes no argument %q", cmd.CommandPath(), arguments[0])
	}
}
