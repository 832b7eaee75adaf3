package catalog

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/workloadmap/wm/api/v1alpha1"
	"github.com/workloadmap/wm/resolver"
	"github.com/workloadmap/wm/source"
)

// Read offers the definitions of files and directories to a resolver.Set; "-"
// is stdin. In directories, documents that are not definitions are passed
// over; in a file that was named they are faults. It fails when there is no
// definition at all, or one without a usable root kind.
func Read(files fs.FS, paths []string, stdin io.Reader) ([]resolver.Candidate, error) {
	names, err := source.List(files, paths)
	if err != nil {
		return nil, err
	}
	named := map[string]bool{}
	for _, path := range paths {
		named[path] = true
	}
	var candidates []resolver.Candidate
	var faults []error
	for _, name := range names {
		content, err := source.Read(files, name, stdin)
		if err != nil {
			faults = append(faults, err)
			continue
		}
		found, err := definitions(name, content, named[name])
		candidates = append(candidates, found...)
		faults = append(faults, err)
	}
	if err := errors.Join(faults...); err != nil {
		return nil, err
	}
	if len(candidates) == 0 {
		return nil, fmt.Errorf("no definition in %s", strings.Join(paths, ", "))
	}
	return candidates, nil
}

func definitions(name string, content []byte, onlyDefinitions bool) ([]resolver.Candidate, error) {
	documents, broken := source.Parse(name, content)
	var faults []error
	for _, fault := range broken {
		faults = append(faults, fault)
	}
	var candidates []resolver.Candidate
	for _, document := range documents {
		fault := func(message string) {
			faults = append(faults, &source.Error{File: document.File(), Range: document.Root().Range(), Message: message})
		}
		if !IsDefinition(document.Value()) {
			if onlyDefinitions {
				fault("this is not a definition: apiVersion and kind of a WorkloadMap are needed")
			}
			continue
		}
		definition, err := v1alpha1.Decode(document.Value())
		if err != nil {
			fault(err.Error())
			continue
		}
		kind := definition.Spec.StructureDefinition.RootComponent.Kind
		if kind == nil || kind.Kind == "" || kind.Version == "" {
			fault("this definition cannot be used: its root component has no kind")
			continue
		}
		candidates = append(candidates, resolver.Candidate{
			Kind:   *kind,
			Name:   definition.Name,
			Origin: name,
			Load:   func() (*v1alpha1.WorkloadMap, error) { return definition, nil },
		})
	}
	return candidates, errors.Join(faults...)
}

// IsDefinition reports whether a document's value has the header of a
// definition in any dialect.
func IsDefinition(value any) bool {
	object, _ := value.(map[string]any)
	apiVersion, _ := object["apiVersion"].(string)
	kind, _ := object["kind"].(string)
	_, ok := v1alpha1.DialectOf(apiVersion, kind)
	return ok
}
