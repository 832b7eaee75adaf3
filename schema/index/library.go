package index

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"sync"

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
	// numbered offers the types to a matcher; it is done once, for all indexes.
	numbered func() (*matcher, error)
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
	file, err := readTree(content)
	if err != nil {
		return nil, fmt.Errorf("core types: %w", err)
	}
	if err := checkFormat(file.field("format").text, libraryFormat); err != nil {
		return nil, fmt.Errorf("core types: %w", err)
	}
	types, err := members(file.field("types"))
	if err != nil {
		return nil, fmt.Errorf("core types: %w", err)
	}
	id := hashOf(types)
	d := &decoder{types: map[string]*node{}, words: map[string]*node{}}
	aliases := map[string]string{}
	for name, content := range types {
		if _, known := types[content.text]; known && content.kind == '"' {
			aliases[name] = content.text
			continue
		}
		d.types[name] = &node{core: name}
	}
	for name, other := range aliases {
		if d.types[other] == nil || aliases[other] != "" {
			return nil, fmt.Errorf("core types: %s stands for %s, which is no type", name, other)
		}
		d.types[name] = d.types[other]
		delete(types, name)
	}
	if err := d.define(types, d.types); err != nil {
		return nil, fmt.Errorf("core types: %w", err)
	}
	for name, found := range d.types {
		if _, err := found.bound(0); err != nil {
			return nil, fmt.Errorf("core type %s: %w", name, err)
		}
	}
	l := &Library{
		id: id, release: file.field("release").text,
		content: bytes.Clone(content), types: d.types,
	}
	l.numbered = sync.OnceValues(l.number)
	return l, nil
}

func (l *Library) number() (*matcher, error) {
	in := newInterner()
	expander := newExpander()
	numbers := map[string]int{}
	for _, name := range l.Names() {
		number, err := in.schema(expander.schema(l.types[name]))
		if err != nil {
			return nil, fmt.Errorf("core type %s: %w", name, err)
		}
		numbers[name] = number
	}
	m := newMatcher(in)
	m.offer(numbers)
	return m, nil
}

// hashOf tells libraries apart by their types alone: a release of Kubernetes that
// changes none of them makes no index invalid.
func hashOf(types map[string]tree) string {
	hash := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(types)) {
		io.WriteString(hash, name+" "+types[name].raw+"\n")
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
	numbered, err := l.numbered()
	if err != nil {
		return nil, err
	}
	m := numbered.clone()
	in := m.in
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
	file, err := readTree(content)
	if err != nil {
		return nil, fmt.Errorf("not an index: %w", err)
	}
	if err := checkFormat(file.field("format").text, indexFormat); err != nil {
		return nil, err
	}
	if core := file.field("core").text; core != l.id {
		return nil, fmt.Errorf("the index refers to core types %q, this wm has %q: "+
			"make it again from its CRD with `wm schema index`", core, l.id)
	}
	kind := v1alpha1.GroupVersionKind{
		Group:   file.field("kind").field("group").text,
		Version: file.field("kind").field("version").text,
		Kind:    file.field("kind").field("kind").text,
	}
	if kind.Kind == "" || kind.Version == "" || file.field("root").kind == 0 {
		return nil, errors.New("the index is incomplete: kind, version or root is missing")
	}
	root, err := l.decode(file)
	if err != nil {
		return nil, fmt.Errorf("index of %s: %w", kind.Kind, err)
	}
	return &Index{kind: kind, content: bytes.Clone(content), root: root}, nil
}

// decode reads the types of an index.
func (l *Library) decode(file tree) (*node, error) {
	defs, err := members(file.field("defs"))
	if err != nil {
		return nil, fmt.Errorf("defs: %w", err)
	}
	d := &decoder{types: l.types, defs: make(map[string]*node, len(defs)), words: map[string]*node{}}
	for name := range defs {
		d.defs[name] = &node{}
	}
	if err := d.define(defs, d.defs); err != nil {
		return nil, err
	}
	root, err := d.node(file.field("root"))
	if err != nil {
		return nil, fmt.Errorf("root: %w", err)
	}
	_, err = root.bound(0)
	return root, err
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
