package cli

import (
	"context"
	"errors"
	"slices"

	"github.com/spf13/cobra"

	"github.com/workloadmap/wm/internal/cli/printer"
	"github.com/workloadmap/wm/internal/manifest"
	"github.com/workloadmap/wm/resolver"
	"github.com/workloadmap/wm/source"
)

// workloadFlags are the flags of every command that reads workloads from files.
type workloadFlags struct {
	files, definitions []string
	output             string
}

func (f *workloadFlags) register(cmd *cobra.Command) {
	cmd.Flags().StringArrayVarP(&f.files, "filename", "f", nil, "file or directory with workloads, - for standard input (repeatable)")
	cmd.Flags().StringArrayVar(&f.definitions, "definitions", nil, "file or directory with definitions that replace built-in ones (repeatable)")
	cmd.Flags().StringVarP(&f.output, "output", "o", string(printer.Text), "output format: text, json or yaml")
}

// read gives the format, the definitions and the objects that the flags name.
// Objects that could be read come with the error about the others.
func (f *workloadFlags) read(world World) (printer.Format, *resolver.Set, []manifest.Object, error) {
	format, err := printer.ParseFormat(f.output, printer.Text, printer.JSON, printer.YAML)
	if err != nil {
		return "", nil, nil, err
	}
	if len(f.files) == 0 {
		return "", nil, nil, errors.New("name a file with -f, or - for standard input")
	}
	if slices.Contains(f.files, source.Stdin) && slices.Contains(f.definitions, source.Stdin) {
		return "", nil, nil, errors.New("standard input can be read once: give -f or --definitions a file")
	}
	set, err := definitionSet(world, f.definitions)
	if err != nil {
		return "", nil, nil, err
	}
	objects, err := manifest.Read(world.Files, f.files, world.Stdin)
	return format, set, objects, err
}

// runChange makes one change to every workload of the files and shows it. The
// files themselves stay as they are.
func runChange(ctx context.Context, world World, flags *workloadFlags, change manifest.Change) error {
	format, set, objects, err := flags.read(world)
	if err != nil {
		return err
	}
	changed, notes, err := manifest.Apply(ctx, objects, set, change)
	world.note(notes)
	if err != nil {
		return describeFailure(nil, err)
	}
	if format != printer.Text {
		return printer.Objects(world.Stdout, format, edited(changed))
	}
	for _, c := range changed {
		if err := printer.Edit(world.Stdout, c.Object.Where, c.Object.Value, c.Edit); err != nil {
			return err
		}
	}
	return nil
}

func edited(changed []manifest.Changed) []map[string]any {
	objects := make([]map[string]any, len(changed))
	for i, c := range changed {
		objects[i] = c.Edit.Object
	}
	return objects
}
