package cli

import (
	"context"
	"errors"
	"slices"

	"github.com/spf13/cobra"

	"github.com/workloadmap/wm/internal/cli/printer"
	"github.com/workloadmap/wm/internal/git"
	"github.com/workloadmap/wm/lint"
	"github.com/workloadmap/wm/lint/rules"
	"github.com/workloadmap/wm/testkit"
	"github.com/workloadmap/wm/testkit/coverage"
	"github.com/workloadmap/wm/testkit/mutation"
	"github.com/workloadmap/wm/testkit/review"
)

// reviewFlags say what to compare with what.
type reviewFlags struct {
	base, output string
	cases, crds  []string
	quick        bool
}

func newReview(world World) *cobra.Command {
	var flags reviewFlags
	cmd := &cobra.Command{
		Use:   "review --base REF [PATH...]",
		Short: "Show what a change does to definitions",
		Long: "Compare the definitions and cases of the current folder with those of a commit: what each\n" +
			"changed definition says differently, whether that breaks those who use it, how the resolved\n" +
			"views of all cases change, and what lint, cases, coverage and mutation say before and after.\n" +
			"PATH is a file or folder with definitions, catalog by default.\n\n" +
			"A break needs a reason in the definition's annotation " + review.BreakingAnnotation + ".\n" +
			"The exit code is 1 when there is a break without one, a case that fails, or a new lint finding.",
		Example: "  wm review --base main\n  wm review --base HEAD~1 definitions/ --cases testdata/cases -o json",
		RunE: func(cmd *cobra.Command, paths []string) error {
			format, err := printer.ParseFormat(flags.output, printer.Markdown, printer.JSON)
			if err != nil {
				return err
			}
			if len(paths) == 0 {
				paths = []string{"catalog"}
			}
			options, err := flags.options(cmd.Context(), world, paths)
			if err != nil {
				return err
			}
			report, err := review.Compare(cmd.Context(), options)
			if err != nil {
				return err
			}
			if err := printer.Review(world.Stdout, format, report); err != nil {
				return err
			}
			if report.Failed() {
				return &exitError{code: exitFindings}
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&flags.base, "base", "", "branch, tag or commit to compare with")
	cmd.Flags().StringArrayVar(&flags.cases, "cases", []string{"fixtures"}, "folder of cases (repeatable)")
	cmd.Flags().StringArrayVar(&flags.crds, "crd", nil, "file or folder with CRDs or indexes to check paths against (repeatable)")
	cmd.Flags().BoolVar(&flags.quick, "quick", false, "leave out coverage and mutation, which take most of the time")
	cmd.Flags().StringVarP(&flags.output, "output", "o", string(printer.Markdown), "output format: markdown or json")
	return cmd
}

// options reads the base from git; the head is the current folder.
func (f *reviewFlags) options(ctx context.Context, world World, paths []string) (review.Options, error) {
	options := review.Options{
		Head: world.Files, Definitions: paths, Cases: f.cases, Rules: rules.All(), Schemas: lint.BuiltIn(),
	}
	if f.base == "" {
		return options, errors.New("name the commit to compare with: --base main")
	}
	if !f.quick {
		options.Coverage, options.Mutation = coverageScores, mutationScores
	}
	var err error
	if len(f.crds) > 0 {
		if options.Schemas, err = lint.WithCRDs(world.Files, f.crds, world.Stdin, options.Schemas); err != nil {
			return options, err
		}
	}
	commit, err := git.Commit(ctx, world.Git, f.base)
	if err != nil {
		return options, err
	}
	options.Base, err = git.Tree(ctx, world.Git, commit, slices.Concat(paths, f.cases), git.IsData)
	return options, err
}

// coverageScores is how many parts of each definition its cases exercise.
func coverageScores(ctx context.Context, options testkit.Options) (map[string]review.Score, error) {
	report, err := coverage.Measure(ctx, options)
	if err != nil {
		return nil, err
	}
	scores := map[string]review.Score{}
	for i := range report.Definitions {
		d := &report.Definitions[i]
		scores[d.Name] = review.Score{Hit: d.Covered(), Of: d.Total()}
	}
	return scores, nil
}

// mutationScores is how many mistakes in each definition its cases catch.
func mutationScores(ctx context.Context, options testkit.Options) (map[string]review.Score, error) {
	report, err := mutation.Run(ctx, options)
	if err != nil {
		return nil, err
	}
	scores := map[string]review.Score{}
	for _, d := range report.Definitions {
		scores[d.Name] = review.Score{Hit: d.Killed, Of: d.Total - d.Equivalent}
	}
	return scores, nil
}
