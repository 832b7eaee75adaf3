package cli

import (
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/workloadmap/wm/api/v1alpha1"
	"github.com/workloadmap/wm/catalog"
	"github.com/workloadmap/wm/generators/convert"
)

func newCatalogExport(world World) *cobra.Command {
	var dialect, folder string
	cmd := &cobra.Command{
		Use:   "export [NAME...]",
		Short: "Write built-in definitions as files that can be applied",
		Long: "All definitions are written to standard output, or each to a file of its own in a folder.\n" +
			"As karta they carry the labels by which the KAI scheduler looks them up.",
		Example: "  wm catalog export --as karta | kubectl apply -f -\n  wm catalog export ray-io-raycluster-v1 --out definitions",
		RunE: func(_ *cobra.Command, names []string) error {
			entries, err := entriesNamed(names)
			if err != nil {
				return err
			}
			for i, entry := range entries {
				content, err := entry.Content()
				if err != nil {
					return err
				}
				if content, err = convert.File(entry.Name+".yaml", content, dialect); err != nil {
					return err
				}
				if folder != "" {
					err = world.WriteFile(filepath.Join(folder, entry.Name+".yaml"), content)
				} else {
					err = writeDocument(world, i, content)
				}
				if err != nil {
					return err
				}
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&dialect, "as", v1alpha1.DialectWorkloadMap, "dialect: workloadmap or karta")
	cmd.Flags().StringVar(&folder, "out", "", "write one file for each definition to this folder, named by kind")
	return cmd
}

func entriesNamed(names []string) ([]catalog.Entry, error) {
	if len(names) == 0 {
		return catalog.Entries(), nil
	}
	entries := make([]catalog.Entry, len(names))
	for i, name := range names {
		entry, err := catalog.Find(name)
		if err != nil {
			return nil, &exitError{code: exitNoDefinition, cause: err}
		}
		entries[i] = entry
	}
	return entries, nil
}

// writeDocument writes one document of a stream.
func writeDocument(world World, index int, content []byte) error {
	separator := ""
	if index > 0 {
		separator = "---\n"
	}
	_, err := fmt.Fprintf(world.Stdout, "%s%s", separator, content)
	return err
}
