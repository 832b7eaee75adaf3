package cli_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/workloadmap/wm/cluster"
	"github.com/workloadmap/wm/cluster/clustertest"
	"github.com/workloadmap/wm/internal/cli"
)

// liveWorld starts a server with the objects of testdata/live/world.yaml.
func liveWorld(t *testing.T) *clustertest.Server {
	t.Helper()
	content, err := os.ReadFile("testdata/live/world.yaml")
	if err != nil {
		t.Fatal(err)
	}
	server := clustertest.Start(t)
	server.AddYAML(t, string(content))
	return server
}

// liveSession runs one command against a server, in namespace a, at midnight of 2 January 2026.
func liveSession(t *testing.T, server *clustertest.Server, arguments ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errors bytes.Buffer
	world := cli.World{
		Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errors, Files: folder(t.TempDir()),
		Connect: cluster.Connect, Version: cli.Version{Version: "v0.0.0-test"},
		Now: func() time.Time { return time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC) },
	}
	code = cli.Run(context.Background(), append(arguments, "--kubeconfig", server.Kubeconfig(t, "a")), world)
	return code, out.String(), errors.String()
}

// TestLive compares what commands show of one cluster with the files in
// testdata/live, each named after its command line.
func TestLive(t *testing.T) {
	server := liveWorld(t)
	for _, words := range []string{
		"get raycluster",
		"get RayClusters.ray.io -A -o wide",
		"get --all",
		"get --all -A --sort-by gpus",
		"get --all -A --by namespace",
		"get --all -A --by label=team",
		"get --all -A --by type",
		"get raycluster -o json",
		"get raycluster -o custom-columns=NAME:.name,GPUS:.resources.gpus,TEAM:.metadata.labels.team",
		"get --all -o name",
		"get --all -l team=blue",
		"get pods",
		"get jobset --phase initializing,failed --no-headers",
		"get --all -A --by namespace -o json",
		"describe raycluster/train --why",
		"describe raycluster/train -o json",
		"describe jobset/sweep deploy/web",
		"describe raycluster train --pods 1",
	} {
		t.Run(words, func(t *testing.T) {
			code, stdout, stderr := liveSession(t, server, strings.Fields(words)...)
			if code != 0 || stderr != "" {
				t.Errorf("exit code %d, stderr %q", code, stderr)
			}
			file := filepath.Join("testdata/live", strings.NewReplacer(" ", "_", "/", "_", ":", "-", ",", "_", "=", "-").Replace(words)+".txt")
			if *update {
				write(t, ".", file, stdout)
			}
			if approved, err := os.ReadFile(file); err != nil || string(approved) != stdout {
				t.Errorf("%s holds something else (%v): %s", file, err, stdout)
			}
		})
	}
}
