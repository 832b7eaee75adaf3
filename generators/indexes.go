package generators

import (
	"errors"
	"fmt"
	"io/fs"
	"path"

	"github.com/workloadmap/wm/schema/index"
)

// Indexes makes the files of schema/index by name: the core types, an index for
// each of Kubernetes' own kinds, the other indexes found in data, and the bundle of
// them all. Indexes found in data are written again against the new core types;
// they refer to the core types found there, of which there may be none yet.
func Indexes(data fs.FS, release string) (map[string][]byte, error) {
	markers := newMarkerReader()
	library, err := coreTypes(release, markers)
	if err != nil {
		return nil, err
	}
	indexes, err := kindsOf(library, markers)
	if err != nil {
		return nil, err
	}
	made := map[string]bool{}
	for _, each := range indexes {
		made[index.Slug(each.Kind())] = true
	}
	others, err := rewritten(data, library, made)
	if err != nil {
		return nil, err
	}
	indexes = append(indexes, others...)
	files := map[string][]byte{"data/" + index.LibraryFile: library.Encode()}
	for _, each := range indexes {
		files["data/"+index.Slug(each.Kind())+".json"] = each.Encode()
	}
	if files["indexes.zip"], err = index.Bundle(library, indexes); err != nil {
		return nil, err
	}
	return files, nil
}

// rewritten reads the indexes of data, but for those in made, and makes them again
// with a library.
func rewritten(data fs.FS, library *index.Library, made map[string]bool) ([]*index.Index, error) {
	content, err := fs.ReadFile(data, index.LibraryFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the present core types: %w", err)
	}
	present, err := index.LoadLibrary(content)
	if err != nil {
		return nil, err
	}
	names, err := fs.Glob(data, "*.json")
	if err != nil {
		return nil, fmt.Errorf("list the present indexes: %w", err)
	}
	var indexes []*index.Index
	for _, name := range names {
		slug := name[:len(name)-len(path.Ext(name))]
		if name == index.LibraryFile || made[slug] {
			continue
		}
		content, err := fs.ReadFile(data, name)
		if err != nil {
			return nil, fmt.Errorf("read a present index: %w", err)
		}
		loaded, err := present.Load(content)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if index.Slug(loaded.Kind()) != slug {
			return nil, fmt.Errorf("%s holds the index of %s", name, index.Title(loaded.Kind()))
		}
		again, err := library.New(loaded.Kind(), loaded.Root().Schema())
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		indexes = append(indexes, again)
	}
	return indexes, nil
}
