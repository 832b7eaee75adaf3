package source

import (
	"io/fs"
	"os"
	"path/filepath"
)

// OS is the file system of the machine. Unlike os.DirFS it takes the paths that
// people type: absolute, and with "..".
func OS() fs.FS { return osFS{} }

type osFS struct{}

func (osFS) Open(name string) (fs.File, error)          { return os.Open(name) }
func (osFS) Stat(name string) (fs.FileInfo, error)      { return os.Stat(name) }
func (osFS) ReadDir(name string) ([]fs.DirEntry, error) { return os.ReadDir(name) }

// Lstat and ReadLink make it an fs.ReadLinkFS.
func (osFS) Lstat(name string) (fs.FileInfo, error) { return os.Lstat(name) }
func (osFS) ReadLink(name string) (string, error)   { return os.Readlink(name) }

// Resolve is the absolute path of a file with all symbolic links followed.
func (osFS) Resolve(name string) (string, error) {
	real, err := filepath.EvalSymlinks(name)
	if err != nil {
		return "", err
	}
	return filepath.Abs(real)
}
