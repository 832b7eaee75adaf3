package cli_test

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/workloadmap/wm/internal/cli"
)

// Progress goes to the terminal alone, counts every case once and leaves nothing
// behind; without a terminal there is none.
func TestProgress(t *testing.T) {
	directory := t.TempDir()
	names := []string{"one", "three", "two"}
	for _, name := range names {
		write(t, directory, "cases/batch-job-v1/"+name+"/case.yaml", "description: A Job just made.\nexpect: {phase: Initializing}\n")
		write(t, directory, "cases/batch-job-v1/"+name+"/object.yaml", "apiVersion: batch/v1\nkind: Job\nmetadata: {name: j}\nspec: {template: {spec: {containers: [{name: a}]}}}\n")
	}
	for _, arguments := range [][]string{{"test", "cases"}, {"test", "cases", "--coverage"}} {
		var stdout, stderr, terminal bytes.Buffer
		world := cli.World{Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr, Files: folder(directory), Terminal: &terminal}
		cli.Run(context.Background(), arguments, world)
		if got, want := terminal.String(), "\r1 of 3 cases\r2 of 3 cases\r3 of 3 cases\r\x1b[K"; got != want {
			t.Errorf("wm %s: the terminal shows %q, want %q", strings.Join(arguments, " "), got, want)
		}
		quiet := stdout.String()
		stdout.Reset()
		world.Terminal = nil
		cli.Run(context.Background(), arguments, world)
		if stdout.String() != quiet || stderr.Len() > 0 {
			t.Errorf("wm %s: the result depends on the terminal: %q and %q, stderr %q", strings.Join(arguments, " "), quiet, stdout.String(), stderr.String())
		}
	}
}
