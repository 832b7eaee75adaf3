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
		r.faults = append(r.faults, fmt.Errorf("%s is empty: a Kubernetes object is needed", name))
	}
	for _, document := range documents {
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
	if items, isList := object["items"].([]any); isList && strings.HasSuffix(kind, "List") {
		r.list(document, node, items)
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
