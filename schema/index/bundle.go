package index

import (
	"archive/zip"
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/workloadmap/wm/api/v1alpha1"
	"github.com/workloadmap/wm/internal/suggest"
)

//go:embed indexes.zip
var bundleContent []byte

// LibraryFile is the name of the core types among the files of data/.
const LibraryFile = "core-types.json"

// ErrUnknown is wrapped by the errors for kinds that have no built-in index.
var ErrUnknown = errors.New("no built-in index")

// bundle is what indexes.zip holds. Nothing of it is inflated until it is asked
// for.
type bundle struct {
	files map[string]*zip.File
	kinds []v1alpha1.GroupVersionKind
}

// openBundle reads the directory of the zip file. Kinds are in its comments, so
// that listing them inflates nothing.
var openBundle = sync.OnceValue(func() *bundle {
	archive, err := zip.NewReader(bytes.NewReader(bundleContent), int64(len(bundleContent)))
	if err != nil {
		// The archive is part of the program, and a test reads all of it.
		panic(fmt.Errorf("read the built-in indexes: %w", err))
	}
	b := &bundle{files: map[string]*zip.File{}}
	for _, file := range archive.File {
		b.files[file.Name] = file
		if parts := strings.Split(file.Comment, "/"); len(parts) == 3 {
			b.kinds = append(b.kinds, v1alpha1.GroupVersionKind{Group: parts[0], Version: parts[1], Kind: parts[2]})
		}
	}
	return b
})

func (b *bundle) read(name string) ([]byte, error) {
	file, ok := b.files[name]
	if !ok {
		return nil, ErrUnknown
	}
	reader, err := file.Open()
	if err != nil {
		return nil, err
	}
	defer reader.Close()
	content := make([]byte, file.UncompressedSize64)
	_, err = io.ReadFull(reader, content)
	return content, err
}

// Core is the library that the built-in indexes refer to.
var Core = sync.OnceValue(func() *Library {
	content, err := openBundle().read(LibraryFile)
	if err == nil {
		var library *Library
		if library, err = LoadLibrary(content); err == nil {
			return library
		}
	}
	// The library is part of the program, and a test reads it.
	panic(fmt.Errorf("read the built-in core types: %w", err))
})

// New makes the index of a kind with the built-in core types: see Library.New.
func New(kind v1alpha1.GroupVersionKind, schema *Schema) (*Index, error) {
	return Core().New(kind, schema)
}

// Load reads an index that was made with the built-in core types.
func Load(content []byte) (*Index, error) { return Core().Load(content) }

// Kinds lists the kinds that have a built-in index, sorted by slug.
func Kinds() []v1alpha1.GroupVersionKind { return slices.Clone(openBundle().kinds) }

// Find loads the built-in index of a kind. Each call loads it anew; keep it. The
// error wraps ErrUnknown when there is none.
func Find(kind v1alpha1.GroupVersionKind) (*Index, error) {
	content, err := openBundle().read(Slug(kind) + ".json")
	if err != nil {
		return nil, fmt.Errorf("index of %s: %w", Title(kind), err)
	}
	found, err := Load(content)
	if err != nil {
		return nil, err
	}
	if found.Kind() != kind {
		return nil, fmt.Errorf("index of %s: %w", Title(kind), ErrUnknown)
	}
	return found, nil
}

// Named finds the kinds with a built-in index that a person may mean by a slug
// (ray-io-raycluster-v1), by group/version/Kind or by Kind alone; a Kind that
// several groups or versions have gives all of them. The error names the nearest
// word and wraps ErrUnknown.
func Named(word string) ([]v1alpha1.GroupVersionKind, error) {
	var found []v1alpha1.GroupVersionKind
	words := map[string]bool{}
	for _, kind := range openBundle().kinds {
		if Matches(kind, word) {
			found = append(found, kind)
		}
		words[Slug(kind)], words[Title(kind)], words[kind.Kind] = true, true, true
	}
	if len(found) > 0 {
		return found, nil
	}
	if near, ok := suggest.Nearest(word, slices.Sorted(maps.Keys(words))); ok {
		return nil, fmt.Errorf("%w for %q; did you mean %s?", ErrUnknown, word, near)
	}
	return nil, fmt.Errorf("%w for %q: `wm schema show` lists those there are, "+
		"`wm schema index` makes one from a CRD", ErrUnknown, word)
}

// Matches reports whether a person may mean a kind by a word: see Named.
func Matches(kind v1alpha1.GroupVersionKind, word string) bool {
	return word == Slug(kind) || word == Title(kind) || strings.EqualFold(word, kind.Kind)
}

// Slug names the file of a kind: "ray-io-raycluster-v1", "pod-v1".
func Slug(kind v1alpha1.GroupVersionKind) string {
	slug := strings.ToLower(kind.Kind) + "-" + kind.Version
	if kind.Group != "" {
		slug = strings.ReplaceAll(kind.Group, ".", "-") + "-" + slug
	}
	return slug
}

// Title is group/version/Kind, without the group for the core group.
func Title(kind v1alpha1.GroupVersionKind) string {
	title := kind.Version + "/" + kind.Kind
	if kind.Group != "" {
		title = kind.Group + "/" + title
	}
	return title
}

// Bundle makes indexes.zip of the files of data/ by name. The same files give the
// same bytes with the same release of Go.
func Bundle(library *Library, indexes []*Index) ([]byte, error) {
	var out bytes.Buffer
	archive := zip.NewWriter(&out)
	write := func(header *zip.FileHeader, content []byte) error {
		header.Method = zip.Deflate
		file, err := archive.CreateHeader(header)
		if err != nil {
			return err
		}
		_, err = file.Write(content)
		return err
	}
	if err := write(&zip.FileHeader{Name: LibraryFile}, library.content); err != nil {
		return nil, fmt.Errorf("bundle the core types: %w", err)
	}
	sorted := slices.SortedFunc(slices.Values(indexes), func(a, b *Index) int {
		return strings.Compare(Slug(a.kind), Slug(b.kind))
	})
	for i, each := range sorted {
		if i > 0 && Slug(each.kind) == Slug(sorted[i-1].kind) {
			return nil, fmt.Errorf("%s and %s have the same file name %s", Title(each.kind), Title(sorted[i-1].kind), Slug(each.kind))
		}
		comment := each.kind.Group + "/" + each.kind.Version + "/" + each.kind.Kind
		if err := write(&zip.FileHeader{Name: Slug(each.kind) + ".json", Comment: comment}, each.content); err != nil {
			return nil, fmt.Errorf("bundle the index of %s: %w", Title(each.kind), err)
		}
	}
	if err := archive.Close(); err != nil {
		return nil, fmt.Errorf("bundle the indexes: %w", err)
	}
	return out.Bytes(), nil
}
