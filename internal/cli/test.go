package cli

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"

	"github.com/spf13/cobra"

	"github.com/workloadmap/wm/api/v1alpha1"
	"github.com/workloadmap/wm/catalog"
	"github.com/workloadmap/wm/internal/cli/printer"
	"github.com/workloadmap/wm/resolver"
	"github.com/workloadmap/wm/source"
	"github.com/workloadmap/wm/testkit"
)

func newTest(world World) *cobra.Command {
	var definition, output, run string
	var update bool
	var mutate mutateFlags
	var covering coverageFlags
	cmd := &cobra.Command{
		Use:   "test [PATH...]",
		Short: "Replay golden cases through their definitions",
		Long: "Replay golden cases: resolve each case's object, compare with what case.yaml expects\n" +
			"and with the whole view in golden.yaml. A timeline is replayed frame by frame. PATH is a\n" +
			"folder of cases, fixtures by default.",
		Example: "  wm test\n  wm test fixtures/ray-io-raycluster-v1 -d my-raycluster.yaml\n  wm test --run 'suspend' -o junit\n  wm test --update\n  wm test --mutate --min-score 90",
		RunE: func(cmd *cobra.Command, paths []string) error {
			if err := mutate.check(cmd); err != nil {
				return err
			}
			if err := covering.check(cmd); err != nil {
				return err
			}
			format, err := printer.ParseFormat(output, covering.formats(printer.Text, printer.JSON, printer.JUnit)...)
			if err != nil {
				return err
			}
			options := testkit.Options{Files: world.Files, Paths: paths, Origin: definition, Written: writtenIn(world)}
			if len(paths) == 0 {
				options.Paths = []string{"fixtures"}
			}
			if run != "" {
				if options.Run, err = regexp.Compile(run); err != nil {
					return fmt.Errorf("--run %s: %s", run, syntaxOf(err))
				}
			}
			if update {
				options.Update = world.WriteFile
			}
			var replacing []string
			if definition != "" {
				replacing = []string{definition}
			}
			if options.Definitions, err = definitionSet(world, replacing); err != nil {
				return err
			}
			if mutate.mutate {
				return mutate.run(cmd.Context(), world, output, options)
			}
			if covering.coverage {
				return covering.run(cmd.Context(), world, format, options)
			}
			progress, clear := progressOf(world.Terminal)
			options.Progress = progress
			report, err := testkit.Replay(cmd.Context(), options)
			clear()
			if err != nil {
				return err
			}
			if err := printReport(world, format, report); err != nil {
				return err
			}
			if report.Err() != nil {
				return &exitError{code: exitFindings}
			}
			return nil
		},
	}
	cmd.Flags().StringVarP(&definition, "definition", "d", "", "replay the cases of this definition file's kind against it")
	cmd.Flags().StringVar(&run, "run", "", "replay only cases whose name, DEFINITION/CASE, matches this regular expression")
	cmd.Flags().BoolVar(&update, "update", false, "write golden.yaml where the view changed or was missing; never changes case.yaml")
	cmd.Flags().StringVarP(&output, "output", "o", string(printer.Text), "output format: text, json or junit")
	mutate.register(cmd)
	covering.register(cmd)
	cmd.AddCommand(newTestImport(world))
	return cmd
}

// writtenIn reads definitions again for pointing into them: built-in ones from
// the binary, others from the file that they came from.
func writtenIn(world World) func(resolver.DefinitionReference) (*source.Document, error) {
	return func(used resolver.DefinitionReference) (*source.Document, error) {
		files, name, shown := world.Files, used.Origin, used.Origin
		if used.Origin == catalog.Origin {
			files, name = catalog.Files(), used.Name+".yaml"
			shown = catalog.Origin + "/" + name
		}
		content, err := source.Read(files, name, nil)
		if err != nil {
			return nil, err
		}
		documents, _ := source.Parse(shown, content)
		for _, document := range documents {
			if definition, err := v1alpha1.Decode(document.Value()); err == nil && definition.Name == used.Name {
				return document, nil
			}
		}
		return nil, fmt.Errorf("%s does not hold definition %s", name, used.Name)
	}
}

// syntaxOf is what is wrong with a regular expression, without the expression.
func syntaxOf(err error) string {
	var fault *syntax.Error
	if errors.As(err, &fault) {
		return fmt.Sprintf("%s: %s", fault.Code, fault.Expr)
	}
	return err.Error()
}

func printReport(world World, format printer.Format, report *testkit.Report) error {
	if format == printer.JUnit {
		return printer.JUnitReport(world.Stdout, report)
	}
	if format == printer.JSON {
		return printer.Document(world.Stdout, format, report)
	}
	if _, err := fmt.Fprint(world.Stdout, printer.Report(report)); err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	return nil
}
