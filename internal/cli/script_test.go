package cli_test

import (
	"bytes"
	"context"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/workloadmap/wm/internal/cli"
	"github.com/workloadmap/wm/internal/git"
)

var update = flag.Bool("update", false, "rewrite the expected outputs in testdata/script")

// TestScripts runs whole sessions of the command line, one for each file in
// testdata/script. "exits N wm ..." runs a command that has to end with exit
// code N; afterwards stdout, stderr and cmp look at what it wrote.
func TestScripts(t *testing.T) {
	repository, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       *update,
		RequireUniqueNames:  true,
		RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("REPOSITORY", repository)
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": exits,
		},
	})
}

func exits(ts *testscript.TestScript, negated bool, arguments []string) {
	if negated || len(arguments) < 2 || arguments[1] != "wm" {
		ts.Fatalf("usage: exits CODE wm ARGUMENTS")
	}
	want, err := strconv.Atoi(arguments[0])
	ts.Check(err)
	got, stdout, stderr := session(ts.MkAbs("."), ts.ReadFile("stdin"), arguments[2:]...)
	_, err = ts.Stdout().Write([]byte(stdout))
	ts.Check(err)
	_, err = ts.Stderr().Write([]byte(stderr))
	ts.Check(err)
	if got != want {
		ts.Fatalf("exit code %d, want %d\nstdout: %s\nstderr: %s", got, want, stdout, stderr)
	}
}

// session runs one command in a folder.
func session(directory, stdin string, arguments ...string) (code int, stdout, stderr string) {
	var out, errors bytes.Buffer
	world := cli.World{
		Stdin:  strings.NewReader(stdin),
		Stdout: &out,
		Stderr: &errors,
		Files:  folder(directory),
		Folder: directory,
		WriteFile: func(name string, content []byte) error {
			name = filepath.Join(directory, name)
			if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
				return err
			}
			return os.WriteFile(name, content, 0o644)
		},
		Git:     git.In(directory),
		Version: cli.Version{Version: "v0.0.0-test", Revision: "abc"},
	}
	code = cli.Run(context.Background(), arguments, world)
	return code, out.String(), errors.String()
}

// folder reads names relative to a working directory, as a process in it would.
type folder string

func (f folder) Open(name string) (fs.File, error) {
	if !filepath.IsAbs(name) {
		name = filepath.Join(string(f), name)
	}
	return os.Open(name)
}
