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
		if !IsDefinition(document.Value()) {
			if onlyDefinitions {
				faults = append(faults, faultIn(document, "this is not a definition: apiVersion and kind of a WorkloadMap are needed"))
			}
			continue
		}
		candidate, err := candidateOf(document)
		if err != nil {
			faults = append(faults, err)
			continue
		}
		candidates = append(candidates, candidate)
	}
	return candidates, errors.Join(faults...)
}

// candidateOf checks a definition as far as it is needed to be used.
func candidateOf(document *source.Document) (resolver.Candidate, error) {
	none := resolver.Candidate{}
	if err := document.Unambiguous(); err != nil {
		return none, err
	}
	definition, err := v1alpha1.Decode(document.Value())
	if err != nil {
		return none, misfits(document, err)
	}
	kind := definition.Spec.StructureDefinition.RootComponent.Kind
	if kind == nil || kind.Kind == "" || kind.Version == "" {
		return none, faultIn(document, "this definition cannot be used: its root component has no kind")
	}
	// Compiled here as well as on use: a broken definition that no object of
	// the stream happens to need would otherwise pass in silence.
	if _, err := resolver.Compile(definition); err != nil {
		return none, fmt.Errorf("%s:%s: %w", document.File().Name(), document.Range(), err)
	}
	return resolver.Candidate{
		Kind:   *kind,
		Name:   definition.Name,
		Origin: document.File().Name(),
		Load:   func() (*v1alpha1.WorkloadMap, error) { return definition, nil },
	}, nil
}

func faultIn(document *source.Document, message string) error {
	return &source.Error{File: document.File(), Range: document.Range(), Message: message}
}

// misfits gives each fault of a value that does not fit the format its place.
func misfits(document *source.Document, err error) error {
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return faultIn(document, err.Error())
	}
	var faults []error
	for _, err := range joined.Unwrap() {
		fault := &source.Error{File: document.File(), Range: document.Range(), Message: err.Error()}
		var field *v1alpha1.FieldError
		if errors.As(err, &field) {
			node, _ := document.Find(field.Path...)
			fault.Range = node.Range()
		}
		faults = append(faults, fault)
	}
	return errors.Join(faults...)
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
