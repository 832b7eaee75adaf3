package source

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"
)

// Stdin is the name that stands for standard input.
const Stdin = "-"

// Read returns the content of a file, or of standard input for the name "-".
// More than MaxFileSize bytes are refused without being read. The error is one
// line in plain words that names the file.
func Read(fsys fs.FS, name string, stdin io.Reader) ([]byte, error) {
	if name == Stdin {
		if stdin == nil {
			return nil, errors.New("cannot read standard input: there is none")
		}
		return readAll("standard input", stdin)
	}
	info, err := fs.Stat(fsys, name)
	if err != nil {
		return nil, cannotRead(name, err)
	}
	if info.IsDir() {
		return nil, fmt.Errorf("cannot read %s: it is a directory", name)
	}
	if info.Size() > MaxFileSize {
		return nil, tooLarge(name)
	}
	file, err := fsys.Open(name)
	if err != nil {
		return nil, cannotRead(name, err)
	}
	defer file.Close() //nolint:errcheck // nothing was written
	return readAll(name, file)
}

func readAll(name string, r io.Reader) ([]byte, error) {
	content, err := io.ReadAll(io.LimitReader(r, MaxFileSize+1))
	if err != nil {
		return nil, cannotRead(name, err)
	}
	if len(content) > MaxFileSize {
		return nil, tooLarge(name)
	}
	return content, nil
}

func tooLarge(name string) error {
	return fmt.Errorf("cannot read %s: it is larger than %d MiB", name, MaxFileSize>>20)
}

// fileError keeps the cause of a read error for errors.Is and shows it in
// plain words.
type fileError struct {
	text  string
	cause error
}

func (e *fileError) Error() string { return e.text }
func (e *fileError) Unwrap() error { return e.cause }

func cannotRead(name string, err error) error {
	reason := err.Error()
	var pathError *fs.PathError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		reason = "no such file"
	case errors.Is(err, fs.ErrPermission):
		reason = "permission denied"
	case errors.As(err, &pathError):
		reason = pathError.Err.Error()
	}
	return &fileError{text: fmt.Sprintf("cannot read %s: %s", name, reason), cause: err}
}

// List expands paths to the files to read. A directory stands for all *.yaml,
// *.yml and *.json files below it, sorted by name; files and directories whose
// name starts with a dot are passed over in it, and symbolic links to
// directories are not followed, so that a link cannot lead in a circle. A path
// that is a file is kept whatever its name, and so is "-". Each file is listed
// once, where it comes up first. exclude, when given, drops files and whole
// directories found in a directory. The error joins the paths and directories
// that cannot be read; the list holds all the others. An empty list is no error.
func List(fsys fs.FS, paths []string, exclude ...func(name string) bool) ([]string, error) {
	l := lister{fsys: fsys, exclude: exclude, seen: map[string]bool{}}
	for _, name := range paths {
		if name == Stdin {
			l.add(name)
			continue
		}
		info, err := fs.Stat(fsys, name)
		switch {
		case err != nil:
			l.faults = append(l.faults, cannotRead(name, err))
		case info.IsDir():
			l.directory(name)
		default:
			l.add(name)
		}
	}
	return l.names, errors.Join(l.faults...)
}

type lister struct {
	fsys    fs.FS
	exclude []func(string) bool
	seen    map[string]bool
	names   []string
	faults  []error
}

func (l *lister) add(name string) {
	if clean := path.Clean(name); !l.seen[clean] {
		l.seen[clean] = true
		l.names = append(l.names, name)
	}
}

func (l *lister) directory(directory string) {
	// What could be read of a directory comes with the error.
	entries, err := fs.ReadDir(l.fsys, directory)
	if err != nil {
		l.faults = append(l.faults, cannotRead(directory, err))
	}
	for _, entry := range entries {
		name := path.Join(directory, entry.Name())
		if strings.HasPrefix(entry.Name(), ".") || l.excluded(name) {
			continue
		}
		if entry.IsDir() {
			l.directory(name)
			continue
		}
		switch path.Ext(entry.Name()) {
		case ".yaml", ".yml", ".json":
			if !l.linksToDirectory(entry, name) {
				l.add(name)
			}
		}
	}
}

func (l *lister) excluded(name string) bool {
	for _, exclude := range l.exclude {
		if exclude != nil && exclude(name) {
			return true
		}
	}
	return false
}

// linksToDirectory is asked about entries with the name of a file. A link that
// leads nowhere is none: reading it says what is wrong.
func (l *lister) linksToDirectory(entry fs.DirEntry, name string) bool {
	if entry.Type()&fs.ModeSymlink == 0 {
		return false
	}
	info, err := fs.Stat(l.fsys, name)
	return err == nil && info.IsDir()
}
