package lint

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
)

// resolver is a file system that knows where symbolic links lead.
type resolver interface {
	// Resolve is the absolute path of a file with all links followed.
	Resolve(name string) (string, error)
}

// confined is an error when a file that was found in a folder is none of the
// folder's own: a link that leads out of it, with which a pull request would
// have other files read and shown, or something that is no file at all, such as
// a pipe, which would never end.
func confined(files fs.FS, folder, name string) error {
	info, err := fs.Lstat(files, name)
	if err != nil {
		// Reading the file says what is wrong.
		return nil
	}
	if info.Mode()&fs.ModeSymlink == 0 {
		if !info.Mode().IsRegular() {
			return fmt.Errorf("cannot read %s: it is not a regular file", name)
		}
		return nil
	}
	known, ok := files.(resolver)
	if !ok {
		return fmt.Errorf("cannot read %s: it is a symbolic link; name it to have it read", name)
	}
	real, err := known.Resolve(name)
	if err != nil {
		return nil
	}
	root, err := known.Resolve(folder)
	if err != nil {
		return fmt.Errorf("cannot read %s: %w", folder, err)
	}
	below, err := filepath.Rel(root, real)
	if err != nil || below == ".." || strings.HasPrefix(below, ".."+string(filepath.Separator)) {
		return fmt.Errorf("cannot read %s: it is a symbolic link that leads out of %s; name it to have it read", name, folder)
	}
	if info, err := fs.Stat(files, name); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("cannot read %s: it is not a regular file", name)
	}
	return nil
}
