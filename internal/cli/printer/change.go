package printer

import (
	"fmt"
	"io"

	"github.com/rogpeppe/go-internal/diff"
	"sigs.k8s.io/yaml"

	"github.com/workloadmap/wm/resolver"
)

// Edit writes what an edit changes: for people as a unified diff of the object
// in YAML, else the edited object itself. before is the object as it was.
func Edit(out io.Writer, format Format, name string, before map[string]any, edit *resolver.Edit) error {
	if format != Text {
		return Document(out, format, edit.Object)
	}
	old, err := yaml.Marshal(before)
	if err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	changed, err := yaml.Marshal(edit.Object)
	if err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	if len(edit.Changes) == 0 {
		_, err = fmt.Fprintf(out, "%s: nothing to change\n", name)
		return err
	}
	_, err = out.Write(diff.Diff(name, old, name+" (changed)", changed))
	return err
}
