package openapi

import (
	"errors"
	"fmt"
	"strings"

	"github.com/workloadmap/wm/api/v1alpha1"
	"github.com/workloadmap/wm/schema/index"
	"github.com/workloadmap/wm/source"
)

const (
	crdKind    = "CustomResourceDefinition"
	crdGroup   = "apiextensions.k8s.io"
	crdVersion = crdGroup + "/v1"
)

// ErrNoCRD is wrapped by the error for a stream that holds objects of other kinds only.
var ErrNoCRD = errors.New("there is no " + crdKind)

// Read makes an index for each served version of each CustomResourceDefinition of
// a YAML or JSON stream, in file order. Lists are unpacked; other objects, which
// install manifests are full of, are passed over. A file that is itself an index,
// as `wm schema index` writes it, gives that index.
//
// The error joins one for each thing that is wrong, each in one line with its
// place; the indexes are those that could be made nevertheless. A stream without
// any CustomResourceDefinition is an error that wraps ErrNoCRD.
func Read(name string, content []byte) ([]*index.Index, error) {
	documents, broken := source.Parse(name, content)
	r := &reader{}
	for _, each := range broken {
		r.faults = append(r.faults, each)
	}
	for _, document := range documents {
		root := place{document: document, value: document.Value()}
		if len(documents) == 1 && index.IsFormat(root.field("format").text()) {
			loaded, err := index.Load(content)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			return []*index.Index{loaded}, nil
		}
		r.object(root)
	}
	if !r.found && len(r.faults) == 0 {
		return nil, fmt.Errorf("%s: %w in it%s", name, ErrNoCRD, r.otherwise())
	}
	return r.indexes, errors.Join(r.faults...)
}

// reader collects what is in one stream.
type reader struct {
	indexes []*index.Index
	faults  []error
	// found is set by the first CustomResourceDefinition, whether in order or not.
	found bool
	// other is the kind of the first object that is something else.
	other string
}

func (r *reader) otherwise() string {
	if r.other == "" {
		return ""
	}
	return ", but " + r.other
}

func (r *reader) object(root place) {
	kind := root.field("kind").text()
	items := root.field("items")
	switch {
	case kind == crdKind:
		r.found = true
		if err := r.crd(root); err != nil {
			r.faults = append(r.faults, err)
		}
	case strings.HasSuffix(kind, "List") && items.isList():
		for _, item := range items.items() {
			r.object(item)
		}
	case r.other == "" && kind != "":
		r.other = kind
	}
}

// crd reads one CustomResourceDefinition. Its first fault ends it, but for faults
// in a version, which end only that one.
func (r *reader) crd(root place) error {
	name := root.field("metadata").field("name").text()
	if name == "" {
		name = "the " + crdKind
	}
	apiVersion := root.field("apiVersion")
	switch apiVersion.text() {
	case crdVersion:
	case crdGroup + "/v1beta1":
		return apiVersion.fault("%s has apiVersion %s, which Kubernetes has not served since 1.22: convert it to %s, where each version has its own schema",
			name, apiVersion.text(), crdVersion)
	default:
		return apiVersion.fault("%s has apiVersion %q, it has to be %s", name, apiVersion.text(), crdVersion)
	}
	spec := root.field("spec")
	group, kind, versions := spec.field("group").text(), spec.field("names").field("kind").text(), spec.field("versions")
	if group == "" || kind == "" || !versions.isList() {
		return spec.fault("%s is incomplete: spec.group, spec.names.kind or spec.versions is missing", name)
	}
	served := false
	for _, version := range versions.items() {
		if !version.field("served").isTrue() {
			continue
		}
		served = true
		gvk := v1alpha1.GroupVersionKind{Group: group, Version: version.field("name").text(), Kind: kind}
		if err := r.version(gvk, version); err != nil {
			r.faults = append(r.faults, err)
		}
	}
	if !served {
		return versions.fault("no version of %s is served", name)
	}
	return nil
}

func (r *reader) version(gvk v1alpha1.GroupVersionKind, version place) error {
	if gvk.Version == "" {
		return version.fault("a version of %s has no name", gvk.Kind)
	}
	schema := version.field("schema").field("openAPIV3Schema")
	if !schema.isObject() {
		return schema.fault("version %s of %s has no schema: nothing can be known of its fields", gvk.Version, gvk.Kind)
	}
	types := &typeReader{core: index.Core()}
	root, err := types.root(schema)
	if err != nil {
		return err
	}
	made, err := index.New(gvk, root)
	if err != nil {
		return schema.fault("%v", err)
	}
	r.indexes = append(r.indexes, made)
	return nil
}
