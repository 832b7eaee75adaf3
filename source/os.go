package source

import (
	"io/fs"
	"os"
)

// OS is the file system of the machine. Unlike os.DirFS it takes the paths that
// people type: absolute, and with "..".
func OS() fs.FS { return osFS{} }

type osFS struct{}

func (osFS) Open(name string) (fs.File, error)          { return os.Open(name) }
func (osFS) Stat(name string) (fs.FileInfo, error)      { return os.Stat(name) }
func (osFS) ReadDir(name string) ([]fs.DirEntry, error) { return os.ReadDir(name) }
