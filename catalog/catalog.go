// Package catalog holds the definitions that ship with wm, one YAML file for
// each framework version, embedded in the binary:
//
//	set, err := resolver.NewSet(catalog.Candidates())
//	if err != nil {
//		return err
//	}
//	match, err := set.FindObject(object)
package catalog

import (
	"embed"
	"fmt"
	"io/fs"

	"github.com/workloadmap/wm/api/v1alpha1"
	"github.com/workloadmap/wm/internal/suggest"
	"github.com/workloadmap/wm/resolver"
	"github.com/workloadmap/wm/source"
)

// Origin is the origin that a workload's definition shows when it is a built-in one.
const Origin = "catalog"

//go:embed *.yaml
var files embed.FS

// Files are the definition files as they were written, named <slug>.yaml.
func Files() fs.FS { return files }

// Entry is one built-in definition.
type Entry struct {
	// Name is the GVK slug, which is also the file's name without .yaml.
	Name string                    `json:"name"`
	Kind v1alpha1.GroupVersionKind `json:"kind"`
}

// Entries lists the built-in definitions by name, without reading them.
func Entries() []Entry {
	return append([]Entry(nil), index...)
}

// Content is the definition's file, comments included.
func (e Entry) Content() ([]byte, error) {
	content, err := files.ReadFile(e.Name + ".yaml")
	if err != nil {
		return nil, fmt.Errorf("read built-in definition: %w", err)
	}
	return content, nil
}

// Load decodes the definition.
func (e Entry) Load() (*v1alpha1.WorkloadMap, error) {
	content, err := e.Content()
	if err != nil {
		return nil, err
	}
	value, err := source.Trusted(e.Name+".yaml", content)
	if err != nil {
		return nil, err
	}
	return v1alpha1.Decode(value)
}

// Candidates offers every built-in definition to a resolver.Set; a definition
// is read when the first object of its kind arrives.
func Candidates() []resolver.Candidate {
	candidates := make([]resolver.Candidate, len(index))
	for i, entry := range index {
		candidates[i] = resolver.Candidate{Kind: entry.Kind, Name: entry.Name, Origin: Origin, Load: entry.Load}
	}
	return candidates
}

// Find returns the built-in definition of a name.
func Find(name string) (Entry, error) {
	names := make([]string, len(index))
	for i, entry := range index {
		if entry.Name == name {
			return entry, nil
		}
		names[i] = entry.Name
	}
	if nearest, ok := suggest.Nearest(name, names); ok {
		return Entry{}, fmt.Errorf("no built-in definition is named %q; did you mean %s?", name, nearest)
	}
	return Entry{}, fmt.Errorf("no built-in definition is named %q; wm catalog list shows all", name)
}
