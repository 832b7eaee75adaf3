package cli

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"time"

	"github.com/workloadmap/wm/cluster"
	"github.com/workloadmap/wm/internal/cli/printer"
	"github.com/workloadmap/wm/internal/git"
	"github.com/workloadmap/wm/source"
)

// World is everything outside the process that a command may touch.
type World struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	// Files reads any path that the user may name, relative or absolute.
	Files fs.FS
	// Folder is the absolute path, with slashes, of the folder that relative paths start from; empty when it is not known.
	Folder string
	// Colour says that what is written to Stdout may have colours.
	Colour bool
	// WriteFile replaces a file and makes the folders that it lies in; only commands that were asked to write call it.
	WriteFile func(name string, content []byte) error
	// Git runs git in the current folder; only wm review calls it.
	Git git.Runner
	// Connect prepares a client for a cluster; nil when there is none to be reached.
	Connect func(cluster.Access) (*cluster.Client, error)
	// Now is the time that ages are counted from.
	Now func() time.Time
	// Terminal shows what is going on while a command works; nil when nobody watches.
	Terminal io.Writer
	// Program is the name that the program was started by, with or without its folder.
	Program string
	// Version is what `wm version` prints.
	Version Version
}

// note tells what a command did that the user may not expect.
func (w World) note(notes []string) {
	for _, note := range notes {
		fmt.Fprintln(w.Stderr, "note:", printer.Visible(note, ""))
	}
}

// System is the real world of this process.
func System() World {
	return World{
		Stdin:  os.Stdin,
		Stdout: os.Stdout,
		Stderr: os.Stderr,
		Files:  source.OS(),
		Folder: workingFolder(),
		Colour: coloursOf(os.Stdout, os.Getenv),
		WriteFile: func(name string, content []byte) error {
			if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
				return err
			}
			return os.WriteFile(name, content, 0o644)
		},
		Git:      git.System(),
		Connect:  cluster.Connect,
		Now:      time.Now,
		Terminal: terminalOf(os.Stderr),
		Program:  os.Args[0],
		Version:  builtVersion(),
	}
}

// workingFolder is empty when the current folder has gone.
func workingFolder() string {
	folder, err := os.Getwd()
	if err != nil {
		return ""
	}
	return filepath.ToSlash(folder)
}

// Version identifies a build. Revision is empty when the build knows none.
type Version struct {
	Version  string `json:"version"`
	Revision string `json:"revision"`
	Go       string `json:"go"`
}

// builtVersion reads what the Go toolchain recorded in the binary, so that
// `go install` and `make build` need no linker flags to tell the truth.
func builtVersion() Version {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return Version{Version: "unknown"}
	}
	version := Version{Version: info.Main.Version, Go: info.GoVersion}
	for _, setting := range info.Settings {
		if setting.Key == "vcs.revision" {
			version.Revision = setting.Value
		}
	}
	return version
}
