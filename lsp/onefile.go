package lsp

import (
	"io"
	"io/fs"
	"strings"
	"time"
)

// oneFile is a file system that holds one file, so that a document is checked
// without a look at the disk.
type oneFile struct{ name, content string }

// Open opens the file or the folder that it is in.
func (f oneFile) Open(name string) (fs.File, error) {
	switch name {
	case f.name:
		return &openFile{Reader: strings.NewReader(f.content), info: entry{f.name, int64(len(f.content)), 0}}, nil
	case ".":
		return &openFile{Reader: strings.NewReader(""), info: entry{".", 0, fs.ModeDir}, list: []fs.DirEntry{
			entry{f.name, int64(len(f.content)), 0},
		}}, nil
	default:
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
}

type openFile struct {
	*strings.Reader
	info entry
	list []fs.DirEntry
}

func (o *openFile) Stat() (fs.FileInfo, error) { return o.info, nil }
func (o *openFile) Close() error               { return nil }

// ReadDir lists what is left, as fs.ReadDirFile has it.
func (o *openFile) ReadDir(n int) ([]fs.DirEntry, error) {
	rest := o.list
	if n > 0 && len(rest) == 0 {
		return nil, io.EOF
	}
	if n > 0 && n < len(rest) {
		rest = rest[:n]
	}
	o.list = o.list[len(rest):]
	return rest, nil
}

// entry describes the file or its folder.
type entry struct {
	name string
	size int64
	mode fs.FileMode
}

func (e entry) Name() string               { return e.name }
func (e entry) Size() int64                { return e.size }
func (e entry) Mode() fs.FileMode          { return e.mode | 0o444 }
func (e entry) Type() fs.FileMode          { return e.mode }
func (e entry) ModTime() time.Time         { return time.Time{} }
func (e entry) IsDir() bool                { return e.mode.IsDir() }
func (e entry) Sys() any                   { return nil }
func (e entry) Info() (fs.FileInfo, error) { return e, nil }
