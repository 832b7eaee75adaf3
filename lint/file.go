package lint

import (
	"strings"

	"github.com/workloadmap/wm/api/v1alpha1"
	"github.com/workloadmap/wm/source"
)

// File is one parsed file as rules see it.
type File struct {
	// Faults are what keeps documents of the file from being read, in file order.
	Faults []*source.Error
	// Definitions are the definitions of the file in file order, also those that
	// are items of a list.
	Definitions []*Definition
	// Others are the documents and list items that are no definitions.
	Others []Object
	// Named says that the user named this file itself, not a folder above it, and
	// so believes that it holds definitions.
	Named bool

	documents []*source.Document
}

// Object is a document, or an item of a list, that is no definition.
type Object struct {
	Node source.Node
	// APIVersion and Kind are empty when it has none.
	APIVersion, Kind string
}

func newFile(name string, content []byte, named bool, run *run) *File {
	documents, faults := source.Parse(name, content)
	file := &File{Faults: faults, Named: named, documents: documents}
	for _, document := range documents {
		file.add(document, document.Root(), document.Value(), run)
	}
	return file
}

// add sorts one value into definitions and others, unpacking lists.
func (f *File) add(document *source.Document, node source.Node, value any, run *run) {
	apiVersion, kind := header(value)
	if _, ok := v1alpha1.DialectOf(apiVersion, kind); ok {
		f.Definitions = append(f.Definitions, newDefinition(document, node, value, run))
		return
	}
	object, _ := value.(map[string]any)
	items, _ := object["items"].([]any)
	if strings.HasSuffix(kind, "List") && len(items) > 0 {
		list, _ := node.Find("items")
		for i, item := range items {
			at, _ := list.Find(i)
			f.add(document, at, item, run)
		}
		return
	}
	f.Others = append(f.Others, Object{Node: node, APIVersion: apiVersion, Kind: kind})
}
