//go:build unix

package testcluster

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// folderPrefix starts the name of every cluster's folder.
const folderPrefix = "wm-testcluster-"

// folder is a cluster's temporary folder. The open, locked file in it tells
// other test runs that its owner is alive: the kernel gives the lock up with
// the process, however that ends.
type folder struct {
	path string
	lock *os.File
}

// newFolder makes a folder and removes those whose owner is gone.
func newFolder(parent string) (*folder, error) {
	sweep(parent)
	path, err := os.MkdirTemp(parent, folderPrefix)
	if err != nil {
		return nil, fmt.Errorf("make the cluster's folder: %w", err)
	}
	lock, err := os.OpenFile(filepath.Join(path, "lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("lock the cluster's folder: %w", err)
	}
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil {
		return nil, fmt.Errorf("lock the cluster's folder: %w", err)
	}
	return &folder{path: path, lock: lock}, nil
}

// in is the path of a file in the folder.
func (f *folder) in(elements ...string) string {
	return filepath.Join(append([]string{f.path}, elements...)...)
}

// remove deletes the folder and everything in it.
func (f *folder) remove() error {
	defer f.lock.Close()
	return os.RemoveAll(f.path)
}

// sweep removes the folders that killed test runs left behind. Failing at that
// is no reason not to test. A folder without a lock file is one that another
// run is making at this moment.
func sweep(parent string) {
	left, _ := filepath.Glob(filepath.Join(parent, folderPrefix+"*"))
	for _, path := range left {
		lock, err := os.Open(filepath.Join(path, "lock"))
		if err != nil {
			continue
		}
		if syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil {
			_ = os.RemoveAll(path)
		}
		lock.Close()
	}
}
