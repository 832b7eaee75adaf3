package cli

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/workloadmap/wm/internal/cli/printer"
	"github.com/workloadmap/wm/schema/index"
	"github.com/workloadmap/wm/schema/openapi"
	"github.com/workloadmap/wm/source"
)

func newSchema(world World) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "schema",
		Short: "Make, show and compare indexes of CRDs",
		Long: "An index keeps what a CRD says about fields and values, without its prose. Definitions are\n" +
			"checked against indexes; those of many frameworks are built in.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return cmd.Help()
		},
	}
	cmd.AddCommand(newSchemaIndex(world), newSchemaShow(world), newSchemaDiff(world))
	return cmd
}

func newSchemaIndex(world World) *cobra.Command {
	var folder string
	cmd := &cobra.Command{
		Use:   "index FILE...",
		Short: "Make the index of each served version of CRDs",
		Long: "Make the index of each served version of CRDs: files, folders, or - for standard input.\n" +
			"Lists are unpacked, objects other than CRDs passed over. A single index goes to standard\n" +
			"output; several need --out. When anything cannot be read, nothing is written.",
		Example: "  wm schema index crd.yaml\n  wm schema index crds/ --out indexes",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, paths []string) error {
			indexes, err := readIndexes(world, paths)
			if err != nil {
				return err
			}
			if folder == "" {
				if len(indexes) > 1 {
					return fmt.Errorf("there are %d indexes (%s): name a folder for them with --out",
						len(indexes), titles(indexes))
				}
				_, err := world.Stdout.Write(indexes[0].Encode())
				return err
			}
			for _, each := range indexes {
				name := path.Join(folder, index.Slug(each.Kind())+".json")
				if err := world.WriteFile(name, each.Encode()); err != nil {
					return fmt.Errorf("write the index of %s: %w", index.Title(each.Kind()), err)
				}
				fmt.Fprintln(world.Stdout, name)
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&folder, "out", "", "write one file for each index to this folder, named by kind")
	return cmd
}

// readIndexes makes the indexes of CRD files, and takes index files as they are.
// Two of the same kind have to say the same.
func readIndexes(world World, paths []string) ([]*index.Index, error) {
	names, err := source.List(world.Files, paths)
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("there is no YAML or JSON file in %s", strings.Join(paths, ", "))
	}
	var indexes []*index.Index
	var unread []error
	from := map[string]string{}
	for _, name := range names {
		content, err := source.Read(world.Files, name, world.Stdin)
		if err != nil {
			unread = append(unread, err)
			continue
		}
		made, err := openapi.Read(name, content)
		if err != nil {
			unread = append(unread, err)
		}
		for _, each := range made {
			slug := index.Slug(each.Kind())
			if first, taken := from[slug]; taken {
				unread = append(unread, fmt.Errorf("%s: %s is in %s already", name, index.Title(each.Kind()), first))
				continue
			}
			from[slug] = name
			indexes = append(indexes, each)
		}
	}
	return indexes, errors.Join(unread...)
}

func titles(indexes []*index.Index) string {
	words := make([]string, len(indexes))
	for i, each := range indexes {
		words[i] = index.Title(each.Kind())
	}
	return strings.Join(words, ", ")
}

func newSchemaShow(world World) *cobra.Command {
	var output string
	var crds []string
	cmd := &cobra.Command{
		Use:   "show [KIND [PATH]]",
		Short: "Show the fields of a kind, or list the kinds with a built-in index",
		Long: "Show the fields of a kind. KIND is Kind, group/version/Kind, a slug as in `wm catalog list`,\n" +
			"or the name of a core type such as PodSpec. Core types inside are named, not opened: PATH\n" +
			"leads into them. Without KIND the kinds are listed.",
		Example: "  wm schema show RayCluster .spec.workerGroupSpecs[]\n  wm schema show --crd crd.yaml MyJob",
		Args:    cobra.MaximumNArgs(2),
		RunE: func(_ *cobra.Command, arguments []string) error {
			format, err := printer.ParseFormat(output, printer.Text, printer.JSON, printer.YAML)
			if err != nil {
				return err
			}
			var own []*index.Index
			if len(crds) > 0 {
				if own, err = readIndexes(world, crds); err != nil {
					return err
				}
			}
			if len(arguments) == 0 {
				return printer.Kinds(world.Stdout, format, kindsOf(own))
			}
			shown, title, err := findType(own, arguments[0])
			if err != nil {
				return err
			}
			way := ""
			if len(arguments) == 2 {
				way = arguments[1]
			}
			if shown, err = shown.At(way); err != nil {
				return fmt.Errorf("%s %w", title, err)
			}
			return printer.Schema(world.Stdout, format, title, way, index.Describe(shown))
		},
	}
	cmd.Flags().StringVarP(&output, "output", "o", string(printer.Text), "output format: text, json or yaml")
	cmd.Flags().StringArrayVar(&crds, "crd", nil, "look in these CRD or index files (or folders) before the built-in indexes")
	return cmd
}

func kindsOf(own []*index.Index) []printer.Kind {
	if len(own) == 0 {
		return printer.KindsOf(index.Kinds())
	}
	var kinds []printer.Kind
	for _, each := range own {
		kinds = append(kinds, printer.KindOf(each.Kind()))
	}
	return kinds
}

// findType looks a name up in own indexes, then the built-in ones, then the core
// types.
func findType(own []*index.Index, name string) (index.Type, string, error) {
	var found []*index.Index
	for _, each := range own {
		if index.Matches(each.Kind(), name) {
			found = append(found, each)
		}
	}
	if len(found) == 0 {
		kinds, err := index.Named(name)
		if err != nil {
			if core, ok := index.Core().Type(name); ok {
				return core, name, nil
			}
			return index.Type{}, "", &exitError{code: exitNoDefinition, cause: err}
		}
		for _, kind := range kinds {
			loaded, err := index.Find(kind)
			if err != nil {
				return index.Type{}, "", err
			}
			found = append(found, loaded)
		}
	}
	if len(found) > 1 {
		return index.Type{}, "", fmt.Errorf("%q may be %s: name one of them", name, titles(found))
	}
	return found[0].Root(), index.Title(found[0].Kind()), nil
}

func newSchemaDiff(world World) *cobra.Command {
	var output string
	cmd := &cobra.Command{
		Use:   "diff OLD NEW",
		Short: "Say which changes between two CRDs can break a definition",
		Long: "Compare two CRD or index files. Kinds are compared with the same kind and version of NEW; where\n" +
			"each file has a single kind they are compared whatever their versions. Exit code 1 means that\n" +
			"something can break a definition.",
		Args: cobra.ExactArgs(2),
		RunE: func(_ *cobra.Command, arguments []string) error {
			format, err := printer.ParseFormat(output, printer.Text, printer.JSON, printer.YAML)
			if err != nil {
				return err
			}
			before, err := readIndexes(world, arguments[:1])
			if err != nil {
				return err
			}
			after, err := readIndexes(world, arguments[1:])
			if err != nil {
				return err
			}
			comparisons := compareKinds(before, after)
			if err := printer.Comparisons(world.Stdout, format, comparisons); err != nil {
				return err
			}
			if slices.ContainsFunc(comparisons, printer.Comparison.Breaking) {
				return &exitError{code: exitFindings}
			}
			return nil
		},
	}
	cmd.Flags().StringVarP(&output, "output", "o", string(printer.Text), "output format: text, json or yaml")
	return cmd
}

func compareKinds(before, after []*index.Index) []printer.Comparison {
	if len(before) == 1 && len(after) == 1 {
		return []printer.Comparison{printer.Compared(before[0], after[0])}
	}
	var comparisons []printer.Comparison
	for _, old := range before {
		i := slices.IndexFunc(after, func(other *index.Index) bool { return other.Kind() == old.Kind() })
		if i < 0 {
			comparisons = append(comparisons, printer.KindGone(old))
			continue
		}
		comparisons = append(comparisons, printer.Compared(old, after[i]))
	}
	return comparisons
}
