// Package manifest finds workloads in files, without a cluster: it reads
// streams, unpacks lists, and resolves every workload root with its definition.
package manifest

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/workloadmap/wm/api/v1alpha1"
	"github.com/workloadmap/wm/source"
)

// Object is one Kubernetes object of a stream.
type Object struct {
	Value map[string]any
	// Where is file:line:column of the object's first character.
	Where string
}

// Read returns the objects of files and directories, "-" being stdin. Objects
// that could be read are returned even if others could not; the error then
// joins one line for each fault.
func Read(files fs.FS, paths []string, stdin io.Reader) ([]Object, error) {
	names, err := source.List(files, paths)
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("no .yaml, .yml or .json file in %s", strings.Join(paths, ", "))
	}
	reader := reader{}
	for _, name := range names {
		content, err := source.Read(files, name, stdin)
		if err != nil {
			reader.faults = append(reader.faults, err)
			continue
		}
		reader.file(name, content)
	}
	return reader.objects, errors.Join(reader.faults...)
}

type reader struct {
	objects []Object
	faults  []error
}

func (r *reader) fault(node source.Node, file *source.File, format string, arguments ...any) {
	r.faults = append(r.faults, &source.Error{File: file, Range: node.Range(), Message: fmt.Sprintf(format, arguments...)})
}

func (r *reader) file(name string, content []byte) {
	documents, faults := source.Parse(name, content)
	for _, fault := range faults {
		r.faults = append(r.faults, fault)
	}
	if len(documents) == 0 && len(faults) == 0 {
		if name == source.Stdin {
			name = "standard input"
		}
		r.faults = append(r.faults, fmt.Errorf("%s is empty: a Kubernetes object is needed", name))
	}
	for _, document := range documents {
		if fault := document.Unambiguous(); fault != nil {
			r.faults = append(r.faults, fault)
			continue
		}
		r.object(document, document.Root(), document.Value())
	}
}

// object takes one value of a document, unpacking lists of any depth.
func (r *reader) object(document *source.Document, node source.Node, value any) {
	object, ok := value.(map[string]any)
	if !ok {
		r.fault(node, document.File(), "this is not a Kubernetes object: an object with apiVersion and kind is needed")
		return
	}
	apiVersion, _ := object["apiVersion"].(string)
	kind, _ := object["kind"].(string)
	items, isList := object["items"].([]any)
	switch {
	case isList && strings.HasSuffix(kind, "List"):
		r.list(document, node, items)
		return
	case kind == "List" && object["items"] != nil:
		child, _ := node.Find("items")
		r.fault(child, document.File(), "a List holds its objects in items, a list")
		return
	case kind == "List":
		return
	}
	if apiVersion == "" || kind == "" {
		r.fault(node, document.File(), "this is not a Kubernetes object: apiVersion and kind are needed")
		return
	}
	if _, isDefinition := v1alpha1.DialectOf(apiVersion, kind); isDefinition {
		r.fault(node, document.File(), "this is a definition (%s), a workload is needed here; to check a definition use wm lint", kind)
		return
	}
	if !r.metadata(document, node, object) {
		return
	}
	start := node.Range().Start
	r.objects = append(r.objects, Object{
		Value: object,
		Where: fmt.Sprintf("%s:%d:%d", document.File().Name(), start.Line, start.Column),
	})
}

func (r *reader) list(document *source.Document, node source.Node, items []any) {
	list, _ := node.Find("items")
	i := 0
	for item := range list.Items() {
		r.object(document, item, items[i])
		i++
	}
}

// metadata checks what identifies an object. A name like 5, which YAML reads as
// a number, would otherwise be no name.
func (r *reader) metadata(document *source.Document, node source.Node, object map[string]any) bool {
	if object["metadata"] == nil {
		return true
	}
	child, _ := node.Find("metadata")
	metadata, ok := object["metadata"].(map[string]any)
	if !ok {
		r.fault(child, document.File(), "metadata of a Kubernetes object must be an object")
		return false
	}
	for _, field := range []string{"name", "namespace", "uid"} {
		if _, isText := metadata[field].(string); !isText && metadata[field] != nil {
			value, _ := child.Find(field)
			r.fault(value, document.File(), "metadata.%s must be a string: put it in quotes", field)
			return false
		}
	}
	return true
}
