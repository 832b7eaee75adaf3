package printer

import (
	"io"

	"github.com/workloadmap/wm/catalog"
)

// Catalog writes one row for each definition.
func Catalog(out io.Writer, entries []catalog.Entry) error {
	t := &table{words: true}
	t.add("NAME", "KIND", "API VERSION")
	for _, entry := range entries {
		apiVersion := entry.Kind.Version
		if entry.Kind.Group != "" {
			apiVersion = entry.Kind.Group + "/" + apiVersion
		}
		t.add(entry.Name, entry.Kind.Kind, apiVersion)
	}
	return t.write(out)
}
