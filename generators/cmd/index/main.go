// Command index writes the core types and the indexes of Kubernetes' own kinds
// from their Go types, writes the indexes of other kinds again when the core types
// have changed, and bundles all of them. "make generate" runs it.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"

	"github.com/workloadmap/wm/generators"
)

func main() {
	from := flag.String("from", "", "folder of the present indexes")
	to := flag.String("to", "", "folder to write to: indexes go to data/ below it, the bundle beside that")
	flag.Parse()
	if err := run(*from, *to); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func run(from, to string) error {
	if from == "" || to == "" {
		return errors.New("name the folders with -from and -to")
	}
	release, err := apiRelease()
	if err != nil {
		return err
	}
	files, err := generators.Indexes(os.DirFS(from), release)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(to, "data"), 0o755); err != nil {
		return fmt.Errorf("make the folder of the indexes: %w", err)
	}
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(to, filepath.FromSlash(name)), content, 0o644); err != nil {
			return fmt.Errorf("write an index: %w", err)
		}
	}
	return nil
}

// apiRelease is the version of k8s.io/api that this program is built with.
func apiRelease() (string, error) {
	const path = "k8s.io/api"
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "", errors.New("the program does not know its modules: build it with the go command")
	}
	for _, module := range info.Deps {
		if module.Path == path {
			return path + " " + module.Version, nil
		}
	}
	return "", fmt.Errorf("module %s is not part of this program", path)
}
