// Package watch tells which files below some paths have changed, however an
// editor saves them: in place, or by renaming another file over the old one.
//
//	w, err := watch.Start(folder, []string{"definitions"}, nil)
//	...
//	for {
//		batch, err := w.Next(ctx)
//		...
//	}
//
// It asks the operating system through fsnotify, whose only importer it is.
// Folders that come into being are watched as well. Files are named as
// source.List names them, so that both agree about what a path stands for.
package watch

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/fsnotify/fsnotify"

	"github.com/workloadmap/wm/lint/config"
)

// Quiet is how long nothing has to happen before changes are handed over: an
// editor that saves a file, and git that switches a branch, make many. Longest
// bounds the wait while something keeps happening.
const (
	Quiet   = 80 * time.Millisecond
	Longest = time.Second
)

// Batch is what has changed since the one before. The names are clean and sorted.
type Batch struct {
	// Changed are files that are there, Gone those that are not any more.
	Changed, Gone []string
	// All says that there were more changes than the system could count: any file
	// may have changed.
	All bool
}

// Watcher watches folders. One goroutine may use it.
type Watcher struct {
	system *fsnotify.Watcher
	// skip drops files and whole folders in folders.
	skip func(name string) bool
	// folders maps the system's names of the folders to those of the paths;
	// files those of files that are watched whatever their folder.
	folders, files map[string]string
}

// Start watches paths, files and folders, of which relative ones start in an
// absolute folder; when that is empty, in that of the process. skip may be nil.
// Changes from now on are kept until Next.
func Start(folder string, paths []string, skip func(name string) bool) (*Watcher, error) {
	system, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, fmt.Errorf("watch files: %w", plain(err))
	}
	w := &Watcher{system: system, skip: skip, folders: map[string]string{}, files: map[string]string{}}
	for _, name := range paths {
		if err := w.path(folder, name); err != nil {
			return nil, errors.Join(err, system.Close())
		}
	}
	return w, nil
}

// Close ends the watching.
func (w *Watcher) Close() error { return w.system.Close() }

func (w *Watcher) path(folder, name string) error {
	real := filepath.Clean(filepath.FromSlash(name))
	if !filepath.IsAbs(real) && folder != "" {
		real = filepath.Join(filepath.FromSlash(folder), real)
	}
	info, err := os.Stat(real)
	if err != nil {
		return fmt.Errorf("watch %s: %w", name, plain(err))
	}
	if info.IsDir() {
		_, err := w.tree(real, path.Clean(filepath.ToSlash(name)))
		return err
	}
	// Watching the file itself would end when another is renamed over it.
	w.files[real] = path.Clean(filepath.ToSlash(name))
	if err := w.system.Add(filepath.Dir(real)); err != nil {
		return fmt.Errorf("watch the folder of %s: %w", name, plain(err))
	}
	return nil
}

// tree watches a folder and all in it. It returns the files that it holds by
// then: in a folder that is new they may be older than the watch.
func (w *Watcher) tree(real, name string) ([]string, error) {
	if err := w.system.Add(real); err != nil {
		return nil, fmt.Errorf("watch %s: %w", name, plain(err))
	}
	w.folders[real] = name
	entries, err := os.ReadDir(real)
	if err != nil {
		return nil, fmt.Errorf("watch %s: %w", name, plain(err))
	}
	var files []string
	for _, entry := range entries {
		below := path.Join(name, entry.Name())
		switch {
		case w.skips(below):
		case entry.IsDir():
			more, err := w.tree(filepath.Join(real, entry.Name()), below)
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return nil, err
			}
			files = append(files, more...)
		case isDefinitionFile(below):
			files = append(files, below)
		}
	}
	return files, nil
}

func (w *Watcher) skips(name string) bool {
	return strings.HasPrefix(path.Base(name), ".") || w.skip != nil && w.skip(name)
}

func isDefinitionFile(name string) bool {
	switch path.Ext(name) {
	case ".yaml", ".yml", ".json":
		return true
	default:
		return false
	}
}

// Next waits for changes. The error is that of the context, or says why watching
// is not possible any more.
func (w *Watcher) Next(ctx context.Context) (Batch, error) {
	changed := map[string]bool{}
	var batch Batch
	var quiet, longest <-chan time.Time
	for {
		select {
		case <-ctx.Done():
			return Batch{}, ctx.Err()
		case err := <-w.system.Errors:
			if !errors.Is(err, fsnotify.ErrEventOverflow) {
				return Batch{}, fmt.Errorf("watch files: %w", plain(err))
			}
			if err := w.again(); err != nil {
				return Batch{}, err
			}
			batch.All = true
		case event := <-w.system.Events:
			if event.Op == fsnotify.Chmod {
				continue
			}
			names, err := w.named(event)
			if err != nil {
				return Batch{}, err
			}
			for _, name := range names {
				changed[name] = true
			}
		case <-quiet:
			return w.finish(batch, changed), nil
		case <-longest:
			return w.finish(batch, changed), nil
		}
		if len(changed) > 0 || batch.All {
			quiet = time.After(Quiet)
			if longest == nil {
				longest = time.After(Longest)
			}
		}
	}
}

// named are the files that an event is about, as the paths name them.
func (w *Watcher) named(event fsnotify.Event) ([]string, error) {
	real := filepath.Clean(event.Name)
	if name, ok := w.files[real]; ok {
		return []string{name}, nil
	}
	if name, ok := w.folders[real]; ok && event.Has(fsnotify.Remove|fsnotify.Rename) {
		return w.forget(real, name), nil
	}
	folder, ok := w.folders[filepath.Dir(real)]
	if !ok {
		return nil, nil
	}
	name := path.Join(folder, filepath.Base(real))
	// Its name starts with a dot, and it decides about all the others.
	if path.Base(name) == config.Name {
		return []string{name}, nil
	}
	if w.skips(name) {
		return nil, nil
	}
	if event.Has(fsnotify.Create) {
		// A link to a folder is not followed.
		if info, err := os.Lstat(real); err == nil && info.IsDir() {
			files, err := w.tree(real, name)
			if errors.Is(err, fs.ErrNotExist) {
				return files, nil
			}
			return files, err
		}
	}
	if isDefinitionFile(name) {
		return []string{name}, nil
	}
	return nil, nil
}

// forget ends the watching of a folder that has gone. A folder that was only
// renamed would go on telling of its files under the old name.
func (w *Watcher) forget(real, name string) []string {
	for folder := range w.folders {
		if folder == real || strings.HasPrefix(folder, real+string(filepath.Separator)) {
			delete(w.folders, folder)
			// It is an error when the system has ended it already.
			_ = w.system.Remove(folder)
		}
	}
	return []string{name + "/"}
}

// again looks for folders whose creation was lost.
func (w *Watcher) again() error {
	for _, real := range slices.Sorted(maps.Keys(w.folders)) {
		if _, err := w.tree(real, w.folders[real]); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// finish tells files that are there from those that have gone. A folder that
// has gone is named with a slash at its end.
func (w *Watcher) finish(batch Batch, changed map[string]bool) Batch {
	for _, name := range slices.Sorted(maps.Keys(changed)) {
		if _, err := os.Stat(w.real(name)); err != nil || strings.HasSuffix(name, "/") {
			batch.Gone = append(batch.Gone, name)
		} else {
			batch.Changed = append(batch.Changed, name)
		}
	}
	return batch
}

// real is the system's name of a file.
func (w *Watcher) real(name string) string {
	for real, file := range w.files {
		if file == name {
			return real
		}
	}
	for real, folder := range w.folders {
		if folder == path.Dir(name) {
			return filepath.Join(real, path.Base(name))
		}
	}
	return filepath.FromSlash(name)
}

// plain says in a user's words why the system refuses to watch.
func plain(err error) error {
	var pathError *fs.PathError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("no such file or folder%w", hidden{err})
	case errors.Is(err, syscall.ENOSPC):
		return fmt.Errorf("the system watches too many folders already; raise fs.inotify.max_user_watches%w", hidden{err})
	case errors.Is(err, syscall.EMFILE):
		return fmt.Errorf("too many files are open or watched; raise fs.inotify.max_user_instances%w", hidden{err})
	case errors.As(err, &pathError):
		return pathError.Err
	default:
		return err
	}
}

// hidden keeps an error for errors.Is without showing its text.
type hidden struct{ error }

func (h hidden) Error() string { return "" }
func (h hidden) Unwrap() error { return h.error }
