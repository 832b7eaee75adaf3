package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/workloadmap/wm/internal/cli/printer"
	"github.com/workloadmap/wm/resolver"
	"github.com/workloadmap/wm/source"
	"github.com/workloadmap/wm/testkit"
	"github.com/workloadmap/wm/testkit/importer"
)

// importFlags say where an imported case goes.
type importFlags struct {
	name, to      string
	definitions   []string
	force, dryRun bool
}

func newTestImport(world World) *cobra.Command {
	var flags importFlags
	cmd := &cobra.Command{
		Use:   "import FILE --name CASE",
		Short: "Make a case from kubectl output, a watch or a recording",
		Long: "Make a case from what a cluster showed: one workload with its pods (kubectl get -o yaml), the\n" +
			"states of a watch (kubectl get -w -o yaml), or a recording (events: [{kind: STATE, object, ...}]).\n" +
			"FILE - is standard input. UIDs, times, hosts, addresses, registries and credentials are replaced,\n" +
			"each by the same value everywhere; what was replaced is told on standard error. What is to be\n" +
			"expected is left to you: the case fails until case.yaml says it.",
		Example: "  { kubectl get raycluster train -o yaml; echo ---; kubectl get pod -l ray.io/cluster=train -o yaml; } |\n" +
			"    wm test import - --name worker-lost\n" +
			"  kubectl get job train -w -o yaml > watch.yaml; wm test import watch.yaml --name retried",
		Args: func(_ *cobra.Command, files []string) error {
			if len(files) != 1 {
				return fmt.Errorf("wm test import takes one FILE, or - for standard input; %d are given", len(files))
			}
			return nil
		},
		RunE: func(_ *cobra.Command, files []string) error {
			if flags.name == "" {
				return errors.New("name the case with --name, after what it shows, such as --name worker-lost")
			}
			return flags.run(world, files[0])
		},
	}
	cmd.Flags().StringVar(&flags.name, "name", "", "name of the case: lowercase letters, digits and dashes")
	cmd.Flags().StringVar(&flags.to, "to", "fixtures", "folder of cases; the case becomes its folder DEFINITION/CASE")
	cmd.Flags().StringArrayVar(&flags.definitions, "definitions", nil, "file or directory with definitions that replace built-in ones (repeatable)")
	cmd.Flags().BoolVar(&flags.force, "force", false, "replace files of the case that are there; never what they expect")
	cmd.Flags().BoolVar(&flags.dryRun, "dry-run", false, "print the files instead of writing them")
	return cmd
}

func (f *importFlags) run(world World, file string) error {
	set, err := definitionSet(world, f.definitions)
	if err != nil {
		return err
	}
	content, err := source.Read(world.Files, file, world.Stdin)
	if err != nil {
		return err
	}
	imported, err := importer.Import(file, content, importer.Options{Definitions: set, Name: f.name})
	if err != nil {
		return importFailure(err)
	}
	folder := path.Join(f.to, imported.Definition, imported.Name)
	if err := f.mayWrite(world, folder, imported); err != nil {
		return err
	}
	for _, file := range imported.Files {
		name := path.Join(folder, file.Name)
		if f.dryRun {
			_, err = fmt.Fprintf(world.Stdout, "==> %s <==\n%s", name, file.Content)
		} else if err = world.WriteFile(name, file.Content); err != nil {
			err = fmt.Errorf("write %s: %w", name, err)
		}
		if err != nil {
			return err
		}
	}
	world.note(imported.Notes)
	fmt.Fprintln(world.Stderr, printer.Scrubbed(imported.Scrubbed))
	if !f.dryRun {
		_, err = fmt.Fprintln(world.Stdout, folder)
	}
	return err
}

// mayWrite refuses to replace files that nobody asked to replace, and always
// what a person expects.
func (f *importFlags) mayWrite(world World, folder string, imported *importer.Case) error {
	entries, err := fs.ReadDir(world.Files, folder)
	if errors.Is(err, fs.ErrNotExist) || f.dryRun {
		return nil
	}
	if err != nil {
		return fmt.Errorf("look into %s: %w", folder, err)
	}
	if len(entries) > 0 && !f.force {
		return fmt.Errorf("%s is there already: choose another --name, or replace it with --force", folder)
	}
	judged := testkit.Judged(world.Files, folder)
	for _, file := range imported.Files {
		if !slices.Contains(judged, file.Name) {
			continue
		}
		if held, err := fs.ReadFile(world.Files, path.Join(folder, file.Name)); err != nil || !bytes.Equal(held, file.Content) {
			return fmt.Errorf("%s says what is expected, which no tool replaces: delete it first", path.Join(folder, file.Name))
		}
	}
	var left []string
	for _, entry := range entries {
		written := slices.ContainsFunc(imported.Files, func(file importer.File) bool { return file.Name == entry.Name() })
		if !written && entry.Name() != "golden.yaml" && !strings.HasPrefix(entry.Name(), ".") {
			left = append(left, entry.Name())
		}
	}
	if len(left) > 0 {
		return fmt.Errorf("%s holds %s, which the new case does not use: delete it first", folder, strings.Join(left, ", "))
	}
	return nil
}

// importFailure picks the exit code as for other commands that read workloads.
func importFailure(err error) error {
	var missing *resolver.NoDefinitionError
	var stray *importer.StrayError
	switch {
	case errors.As(err, &missing):
		return &exitError{code: exitNoDefinition, cause: err}
	case errors.As(err, &stray):
		return &exitError{code: exitNotFound, cause: err}
	}
	return err
}
