package review

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/workloadmap/wm/api/v1alpha1"
	"github.com/workloadmap/wm/resolver"
	"github.com/workloadmap/wm/source"
	"github.com/workloadmap/wm/testkit"
)

// version is a definition as one of the trees has it.
type version struct {
	name, file string
	document   *source.Document
	// definition and resolver are nil when fault says why it cannot be used.
	definition *v1alpha1.WorkloadMap
	resolver   *resolver.Resolver
	fault      error
}

// tree is one of the two states.
type tree struct {
	files    fs.FS
	casesIn  []string
	versions []*version
	faults   []fileFault
	set      *resolver.Set
	// cases are the folders of the cases, by definition and case.
	cases map[string]map[string]string
}

// fileFault is why a file, or a document of it, is no YAML.
type fileFault struct {
	file string
	err  error
}

// readTree reads the definitions of a tree. Paths that it does not have hold
// nothing; what cannot be read is kept as a fault.
func readTree(files fs.FS, definitions, cases []string) (*tree, error) {
	t := &tree{files: files, cases: map[string]map[string]string{}}
	for _, name := range existing(files, definitions) {
		names, err := source.List(files, []string{name})
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			t.readFile(name)
		}
	}
	slices.SortStableFunc(t.versions, func(a, b *version) int { return strings.Compare(a.name, b.name) })
	var candidates []resolver.Candidate
	for _, v := range t.versions {
		if v.fault == nil {
			candidates = append(candidates, resolver.Candidate{
				Kind: v.resolver.Root(), Name: v.name, Origin: v.file,
				Load: func() (*v1alpha1.WorkloadMap, error) { return v.definition, nil },
			})
		}
	}
	var err error
	if t.set, err = resolver.NewSet(candidates); err != nil {
		return nil, err
	}
	t.casesIn = existing(files, cases)
	for _, folder := range t.casesIn {
		if err := t.findCases(folder); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// existing are the paths that a tree has, without "./" in front.
func existing(files fs.FS, paths []string) []string {
	var found []string
	for _, name := range paths {
		name = path.Clean(name)
		if _, err := fs.Stat(files, name); err == nil && !slices.Contains(found, name) {
			found = append(found, name)
		}
	}
	return found
}

func (t *tree) readFile(name string) {
	content, err := source.Read(t.files, name, nil)
	if err != nil {
		t.faults = append(t.faults, fileFault{name, err})
		return
	}
	documents, faults := source.Parse(name, content)
	for _, fault := range faults {
		t.faults = append(t.faults, fileFault{name, fault})
	}
	for _, document := range documents {
		if v := readVersion(document); v != nil {
			t.versions = append(t.versions, v)
		}
	}
}

// readVersion is nil for documents that are no definitions.
func readVersion(document *source.Document) *version {
	object, _ := document.Value().(map[string]any)
	apiVersion, _ := object["apiVersion"].(string)
	kind, _ := object["kind"].(string)
	if _, ok := v1alpha1.DialectOf(apiVersion, kind); !ok {
		return nil
	}
	v := &version{file: document.File().Name(), document: document}
	metadata, _ := object["metadata"].(map[string]any)
	v.name, _ = metadata["name"].(string)
	if v.name == "" {
		v.name = v.file
	}
	if v.fault = document.Unambiguous(); v.fault != nil {
		return v
	}
	definition, err := v1alpha1.Decode(document.Value())
	if err != nil {
		v.fault = err
		return v
	}
	if root := definition.Spec.StructureDefinition.RootComponent.Kind; root == nil || root.Kind == "" || root.Version == "" {
		v.fault = errors.New("its root component has no kind")
		return v
	}
	if v.resolver, v.fault = resolver.Compile(definition, resolver.WithOrigin(v.file)); v.fault == nil {
		v.definition = definition
	}
	return v
}

// annotation is the first of some annotations that is there and not blank. It is
// also found in a definition that cannot be used.
func (v *version) annotation(keys ...string) string {
	if v == nil {
		return ""
	}
	for _, key := range keys {
		if node, depth := v.document.Find("metadata", "annotations", key); depth == 3 && node.Kind() == source.Scalar {
			if text := strings.TrimSpace(node.Text()); text != "" {
				return text
			}
		}
	}
	return ""
}

// caseFile is the name of the file that makes a folder a case.
const caseFile = "case.yaml"

func (t *tree) findCases(folder string) error {
	if path.Base(folder) == caseFile {
		folder = path.Dir(folder)
	}
	err := fs.WalkDir(t.files, folder, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || entry.Name() != caseFile {
			return err
		}
		dir := path.Dir(name)
		definition := path.Base(path.Dir(dir))
		if t.cases[definition] == nil {
			t.cases[definition] = map[string]string{}
		}
		t.cases[definition][path.Base(dir)] = dir
		return nil
	})
	if err != nil {
		return fmt.Errorf("search %s for cases: %w", folder, err)
	}
	return nil
}

// options are those of a run over the cases of some definitions.
func (t *tree) options(names []string) testkit.Options {
	return testkit.Options{
		Files: t.files, Paths: t.casesIn, Definitions: t.set, Run: caseNames(names),
		Written: func(used resolver.DefinitionReference) (*source.Document, error) {
			for _, v := range t.versions {
				if v.name == used.Name && v.file == used.Origin {
					return v.document, nil
				}
			}
			return nil, fmt.Errorf("%s does not hold definition %s", used.Origin, used.Name)
		},
	}
}

// find is the first version that matches, nil when there is none.
func (t *tree) find(matches func(*version) bool) *version {
	for _, v := range t.versions {
		if matches(v) {
			return v
		}
	}
	return nil
}
