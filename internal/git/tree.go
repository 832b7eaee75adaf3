package git

import (
	"bytes"
	"io"
	"io/fs"
	"path"
	"slices"
	"time"
)

// tree is a read-only file system in memory: the files of a commit.
type tree struct {
	files map[string][]byte
	// folders holds the names of what is in each folder.
	folders map[string][]string
}

func newTree() *tree {
	return &tree{files: map[string][]byte{}, folders: map[string][]string{".": nil}}
}

func (t *tree) add(name string, content []byte) {
	t.files[name] = content
	for name != "." {
		folder := path.Dir(name)
		_, known := t.folders[folder]
		if !slices.Contains(t.folders[folder], path.Base(name)) {
			t.folders[folder] = append(t.folders[folder], path.Base(name))
		}
		if known {
			return
		}
		name = folder
	}
}

func (t *tree) Open(name string) (fs.File, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	if content, ok := t.files[name]; ok {
		return &file{entry: entry{name: path.Base(name), size: int64(len(content))}, Reader: bytes.NewReader(content)}, nil
	}
	if _, ok := t.folders[name]; ok {
		return &folder{entry: entry{name: path.Base(name), dir: true}, entries: t.list(name)}, nil
	}
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

func (t *tree) list(name string) []fs.DirEntry {
	names := slices.Sorted(slices.Values(t.folders[name]))
	entries := make([]fs.DirEntry, len(names))
	for i, base := range names {
		content, isFile := t.files[path.Join(name, base)]
		entries[i] = fs.FileInfoToDirEntry(entry{name: base, size: int64(len(content)), dir: !isFile})
	}
	return entries
}

// entry is what is known of a file or a folder.
type entry struct {
	name string
	size int64
	dir  bool
}

func (e entry) Name() string       { return e.name }
func (e entry) Size() int64        { return e.size }
func (e entry) ModTime() time.Time { return time.Time{} }
func (e entry) IsDir() bool        { return e.dir }
func (e entry) Sys() any           { return nil }

func (e entry) Mode() fs.FileMode {
	if e.dir {
		return fs.ModeDir | 0o555
	}
	return 0o444
}

type file struct {
	entry
	*bytes.Reader
}

func (f *file) Stat() (fs.FileInfo, error) { return f.entry, nil }
func (f *file) Size() int64                { return f.entry.size }
func (f *file) Close() error               { return nil }

type folder struct {
	entry
	entries []fs.DirEntry
	read    int
}

func (f *folder) Stat() (fs.FileInfo, error) { return f.entry, nil }
func (f *folder) Close() error               { return nil }

func (f *folder) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: f.name, Err: fs.ErrInvalid}
}

func (f *folder) ReadDir(n int) ([]fs.DirEntry, error) {
	left := f.entries[f.read:]
	if n > 0 && len(left) == 0 {
		return nil, io.EOF
	}
	if n > 0 && len(left) > n {
		left = left[:n]
	}
	f.read += len(left)
	return left, nil
}

// IsData reports whether a name is that of a YAML or JSON file.
func IsData(name string) bool {
	switch path.Ext(name) {
	case ".yaml", ".yml", ".json":
		return true
	}
	return false
}
