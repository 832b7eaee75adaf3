package printer

import (
	"fmt"
	"io"

	"github.com/rogpeppe/go-internal/diff"
	"sigs.k8s.io/yaml"

	"github.com/workloadmap/wm/resolver"
)

// Edit writes what an edit changes for people, as a unified diff of the object
// in YAML. before is the object as it was.
func Edit(out io.Writer, name string, before map[string]any, edit *resolver.Edit) error {
	out = visible(out)
	if len(edit.Changes) == 0 {
		_, err := fmt.Fprintf(out, "%s: nothing to change\n", name)
		return err
	}
	old, err := yaml.Marshal(before)
	if err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	changed, err := yaml.Marshal(edit.Object)
	if err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	_, err = out.Write(diff.Diff(name, old, name+" (changed)", changed))
	return err
}

// Objects writes Kubernetes objects so that kubectl apply -f - takes them: one
// bare, several as a YAML stream or as a List in JSON.
func Objects(out io.Writer, format Format, objects []map[string]any) error {
	if len(objects) == 1 {
		return Document(out, format, objects[0])
	}
	if format != YAML {
		return Document(out, format, map[string]any{"apiVersion": "v1", "kind": "List", "items": objects})
	}
	for _, object := range objects {
		if _, err := io.WriteString(out, "---\n"); err != nil {
			return err
		}
		if err := Document(out, YAML, object); err != nil {
			return err
		}
	}
	return nil
}
