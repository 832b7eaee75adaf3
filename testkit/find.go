package testkit

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"sort"
	"strings"
)

// EquivalentsFile is the name of the file beside a definition's cases that lists
// the changes of the definition that no case can tell from it; testkit/mutation
// reads it.
const EquivalentsFile = "mutants.yaml"

// found is what a search of folders gives: cases to replay, and files that
// belong to none.
type found struct {
	dirs    []string
	orphans []string
}

// find searches folders for cases, sorted. Every YAML or JSON file below a
// searched folder has to belong to a case, since a forgotten case.yaml would
// otherwise be a case that silently stopped running.
func find(files fs.FS, paths []string) (found, error) {
	var f found
	seen := map[string]bool{}
	for _, root := range paths {
		root = path.Clean(root)
		if path.Base(root) == caseFile {
			root = path.Dir(root)
		}
		if err := f.search(files, root, seen); err != nil {
			return f, err
		}
	}
	sort.Strings(f.dirs)
	sort.Strings(f.orphans)
	if len(f.dirs) == 0 {
		return f, fmt.Errorf("no case found in %s: a case is a folder with a %s", strings.Join(paths, ", "), caseFile)
	}
	return f, nil
}

func (f *found) search(files fs.FS, dir string, seen map[string]bool) error {
	if seen[dir] {
		return nil
	}
	seen[dir] = true
	entries, err := fs.ReadDir(files, dir)
	if err != nil {
		var pathError *fs.PathError
		if errors.As(err, &pathError) {
			err = pathError.Err
		}
		return fmt.Errorf("search %s for cases: %w", dir, err)
	}
	isCase := false
	for _, entry := range entries {
		isCase = isCase || entry.Name() == caseFile
	}
	if isCase {
		f.dirs = append(f.dirs, dir)
		return nil
	}
	equivalents := ""
	for _, entry := range entries {
		name := path.Join(dir, entry.Name())
		switch {
		case strings.HasPrefix(entry.Name(), "."):
		case entry.IsDir():
			if err := f.search(files, name, seen); err != nil {
				return err
			}
		case entry.Name() == EquivalentsFile:
			equivalents = name
		case isData(entry.Name()):
			f.orphans = append(f.orphans, name)
		}
	}
	beside := func(found string) bool { return path.Dir(found) == dir }
	if equivalents != "" && !slices.ContainsFunc(f.dirs, beside) {
		f.orphans = append(f.orphans, equivalents)
	}
	return nil
}

func isData(name string) bool {
	switch path.Ext(name) {
	case ".yaml", ".yml", ".json":
		return true
	}
	return false
}

// unreferenced lists the files of a case's folder that the case does not use,
// hidden ones (of editors and of macOS) left out.
func unreferenced(files fs.FS, c *Case) ([]string, error) {
	entries, err := fs.ReadDir(files, c.Dir)
	if err != nil {
		return nil, fmt.Errorf("list %s: %w", c.Dir, err)
	}
	used := append([]string{caseFile, goldenFile}, c.files()...)
	var names []string
	for _, entry := range entries {
		if !strings.HasPrefix(entry.Name(), ".") && !slices.Contains(used, entry.Name()) {
			names = append(names, entry.Name())
		}
	}
	return names, nil
}
