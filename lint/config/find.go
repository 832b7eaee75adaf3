package config

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"

	"github.com/workloadmap/wm/source"
)

// Find looks for the file in the folder that the first path is, or lies in, and
// in the folders above, up to one that holds .git or to the root. working is the
// absolute folder that relative paths start from; when it is empty, the search
// ends where a relative path does. The result is empty when there is none.
func Find(files fs.FS, working, first string) (string, error) {
	folder := first
	if first == source.Stdin {
		folder = "."
	} else if info, err := fs.Stat(files, first); err != nil || !info.IsDir() {
		folder = path.Dir(first)
	}
	for folder = absolute(working, folder); ; folder = path.Dir(folder) {
		name := path.Join(folder, Name)
		found, err := exists(files, name)
		if err != nil {
			return "", err
		}
		if found {
			return shown(working, name), refuseLink(files, folder, shown(working, name))
		}
		// What is above the checkout is another project's.
		if _, err := fs.Stat(files, path.Join(folder, ".git")); err == nil {
			return "", nil
		}
		if parent := path.Dir(folder); parent == folder || folder == ".." || path.Base(folder) == ".." {
			return "", nil
		}
	}
}

func exists(files fs.FS, name string) (bool, error) {
	_, err := fs.Stat(files, name)
	switch {
	case err == nil:
		return true, nil
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrInvalid):
		return false, nil
	}
	var pathError *fs.PathError
	if errors.As(err, &pathError) {
		err = pathError.Err
	}
	return false, fmt.Errorf("cannot read %s: %w", name, err)
}

// refuseLink keeps a file that was found, not named, from being another one
// somewhere else: messages about it would show what is in that.
func refuseLink(files fs.FS, folder, name string) error {
	entries, err := fs.ReadDir(files, folder)
	if err != nil {
		return fmt.Errorf("cannot read %s: %w", folder, err)
	}
	if slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == Name && e.Type()&fs.ModeSymlink != 0 }) {
		return fmt.Errorf("%s is a symbolic link, which is not followed; name the file with --config", name)
	}
	return nil
}
