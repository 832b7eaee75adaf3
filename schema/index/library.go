package index

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/workloadmap/wm/api/v1alpha1"
)

// The names of the file formats, each with its version at the end.
const (
	indexFormat   = "workloadmap.dev/index/"
	libraryFormat = "workloadmap.dev/core-types/"
	formatVersion = 1
)

// Library holds the core types that indexes refer to. It is immutable and safe
// for concurrent use.
type Library struct {
	id      string
	release string
	content []byte
	types   map[string]*node
}

// NewLibrary makes a library of objects by name. release says where they come
// from, such as "k8s.io/api v0.37.2".
func NewLibrary(release string, types map[string]*Schema) (*Library, error) {
	in := newInterner()
	m := newMatcher(in)
	e := newEncoder(in, m)
	e.apart = true
	numbers := map[string]int{}
	for _, name := range slices.Sorted(maps.Keys(types)) {
		number, err := in.schema(types[name])
		if err != nil {
			return nil, fmt.Errorf("core type %s: %w", name, err)
		}
		if s := in.shapes[number]; s.kind != Object || !s.bare() {
			return nil, fmt.Errorf("core type %s is not a plain object", name)
		}
		numbers[name] = number
	}
	m.offer(numbers)
	nodes := map[string][]byte{}
	for name, number := range numbers {
		if chosen, referenced := m.names[number]; referenced && chosen != name {
			nodes[name] = text(chosen)
			continue
		}
		nodes[name] = e.definition(number)
	}
	var out bytes.Buffer
	fmt.Fprintf(&out, "{\"format\":\"%s%d\",\n\"release\":%s,\n\"types\":%s}\n",
		libraryFormat, formatVersion, text(release), lines(nodes))
	return LoadLibrary(out.Bytes())
}

// LoadLibrary reads what Encode wrote.
func LoadLibrary(content []byte) (*Library, error) {
	var file struct {
		Format  string                     `json:"format"`
		Release string                     `json:"release"`
		Types   map[string]json.RawMessage `json:"types"`
	}
	if err := json.Unmarshal(content, &file); err != nil {
		return nil, fmt.Errorf("core types: %w", plain(err))
	}
	if err := checkFormat(file.Format, libraryFormat); err != nil {
		return nil, fmt.Errorf("core types: %w", err)
	}
	id := hashOf(file.Types)
	d := &decoder{types: map[string]*node{}}
	aliases := map[string]string{}
	for name, content := range file.Types {
		var other string
		if json.Unmarshal(content, &other) == nil && file.Types[other] != nil {
			aliases[name] = other
			continue
		}
		d.types[name] = &node{core: name}
	}
	for name, other := range aliases {
		if d.types[other] == nil || aliases[other] != "" {
			return nil, fmt.Errorf("core types: %s stands for %s, which is no type", name, other)
		}
		d.types[name] = d.types[other]
		delete(file.Types, name)
	}
	if err := d.define(file.Types, d.types); err != nil {
		return nil, fmt.Errorf("core types: %w", err)
	}
	for name, found := range d.types {
		if _, err := found.bound(0); err != nil {
			return nil, fmt.Errorf("core type %s: %w", name, err)
		}
	}
	return &Library{
		id: id, release: file.Release,
		content: bytes.Clone(content), types: d.types,
	}, nil
}

// hashOf tells libraries apart by their types alone: a release of Kubernetes that
// changes none of them makes no index invalid.
func hashOf(types map[string]json.RawMessage) string {
	hash := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(types)) {
		fmt.Fprintf(hash, "%q %s\n", name, types[name])
	}
	return hex.EncodeToString(hash.Sum(nil)[:6])
}

// ID changes whenever a type of the library does.
func (l *Library) ID() string { return l.id }

// Release says where the types come from: "k8s.io/api v0.37.2".
func (l *Library) Release() string { return l.release }

// Encode is the library as a file.
func (l *Library) Encode() []byte { return bytes.Clone(l.content) }

// Names lists the types of the library, sorted.
func (l *Library) Names() []string { return slices.Sorted(maps.Keys(l.types)) }

// Type returns a type of the library by its Go name, such as "PodTemplateSpec".
func (l *Library) Type(name string) (Type, bool) {
	found, ok := l.types[name]
	return Type{found}, ok
}

// New makes the index of a kind. What it returns has been compared with schema: an
// index that would say something else is an error.
func (l *Library) New(kind v1alpha1.GroupVersionKind, schema *Schema) (*Index, error) {
	in := newInterner()
	m := newMatcher(in)
	expander := newExpander()
	numbers := map[string]int{}
	for _, name := range l.Names() {
		number, err := in.schema(expander.schema(l.types[name]))
		if err != nil {
			return nil, fmt.Errorf("core type %s: %w", name, err)
		}
		numbers[name] = number
	}
	m.offer(numbers)
	root, err := in.schema(schema)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", kind.Kind, err)
	}
	e := newEncoder(in, m)
	e.count(root, "root")
	e.share()
	defs := map[string][]byte{}
	for number, name := range e.local {
		defs[name] = e.definition(number)
	}
	var out bytes.Buffer
	fmt.Fprintf(&out, "{\"format\":\"%s%d\",\n\"kind\":%s,\n\"core\":%s,\n\"root\":%s",
		indexFormat, formatVersion, value(kind), text(l.id), e.node(root))
	if len(defs) > 0 {
		fmt.Fprintf(&out, ",\n\"defs\":%s", lines(defs))
	}
	out.WriteString("}\n")
	made, err := l.Load(out.Bytes())
	if err != nil {
		return nil, fmt.Errorf("read back the index of %s: %w", kind.Kind, err)
	}
	again, err := in.schema(newExpander().schema(made.root))
	if err != nil {
		return nil, fmt.Errorf("read back the index of %s: %w", kind.Kind, err)
	}
	if again != root {
		return nil, fmt.Errorf("the index of %s does not say what its schema says", kind.Kind)
	}
	return made, nil
}

// Load reads an index that refers to this library. The error is one line in
// plain words.
func (l *Library) Load(content []byte) (*Index, error) {
	var file struct {
		Format string                     `json:"format"`
		Kind   v1alpha1.GroupVersionKind  `json:"kind"`
		Core   string                     `json:"core"`
		Root   json.RawMessage            `json:"root"`
		Defs   map[string]json.RawMessage `json:"defs"`
	}
	if err := json.Unmarshal(content, &file); err != nil {
		return nil, fmt.Errorf("not an index: %w", plain(err))
	}
	if err := checkFormat(file.Format, indexFormat); err != nil {
		return nil, err
	}
	if file.Core != l.id {
		return nil, fmt.Errorf("the index refers to core types %q, this wm has %q: "+
			"make it again from its CRD with `wm schema index`", file.Core, l.id)
	}
	if file.Kind.Kind == "" || file.Kind.Version == "" || len(file.Root) == 0 {
		return nil, errors.New("the index is incomplete: kind, version or root is missing")
	}
	d := &decoder{types: l.types, defs: map[string]*node{}}
	for name := range file.Defs {
		d.defs[name] = &node{}
	}
	if err := d.define(file.Defs, d.defs); err != nil {
		return nil, fmt.Errorf("index of %s: %w", file.Kind.Kind, err)
	}
	root, err := d.node(file.Root)
	if err != nil {
		return nil, fmt.Errorf("index of %s: root: %w", file.Kind.Kind, err)
	}
	if _, err := root.bound(0); err != nil {
		return nil, fmt.Errorf("index of %s: %w", file.Kind.Kind, err)
	}
	return &Index{kind: file.Kind, content: bytes.Clone(content), root: root}, nil
}

// Index is what one kind looks like in one version. It is immutable and safe for
// concurrent use.
type Index struct {
	kind    v1alpha1.GroupVersionKind
	content []byte
	root    *node
}

// Kind is what the index describes.
func (x *Index) Kind() v1alpha1.GroupVersionKind { return x.kind }

// Root is the type of a whole object.
func (x *Index) Root() Type { return Type{x.root} }

// Encode is the index as a file; the same kind always gives the same bytes.
func (x *Index) Encode() []byte { return bytes.Clone(x.content) }
