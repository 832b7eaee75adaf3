package cli_test

import (
	"bytes"
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/workloadmap/wm/cluster"
	"github.com/workloadmap/wm/cluster/clustertest"
	"github.com/workloadmap/wm/internal/cli"
)

// watched is output that is read while it is written.
type watched struct {
	mutex sync.Mutex
	text  bytes.Buffer
}

func (w *watched) Write(content []byte) (int, error) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	return w.text.Write(content)
}

func (w *watched) String() string {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	return w.text.String()
}

// await waits until the output holds a text.
func (w *watched) await(t *testing.T, text string) {
	t.Helper()
	for range 200 {
		if strings.Contains(w.String(), text) {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatalf("waited for %q, got %q", text, w)
}

// startWatch runs a command that watches, until its result is called, which gives the exit code.
func startWatch(t *testing.T, server *clustertest.Server, arguments ...string) (out *watched, stop func() int) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	out = &watched{}
	world := cli.World{
		Stdin: strings.NewReader(""), Stdout: out, Stderr: out, Files: folder(t.TempDir()), Connect: cluster.Connect,
		Now: func() time.Time { return time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC) },
	}
	code := make(chan int, 1)
	arguments = append(arguments, "--kubeconfig", server.Kubeconfig(t, "a"))
	go func() { code <- cli.Run(ctx, arguments, world) }()
	return out, func() int { cancel(); return <-code }
}

// suspend changes the RayCluster train as a user and its operator would.
func suspend(t *testing.T, server *clustertest.Server) {
	t.Helper()
	server.AddYAML(t, `
apiVersion: ray.io/v1
kind: RayCluster
metadata: {name: train, namespace: a, uid: u-train, creationTimestamp: "2026-01-01T00:00:00Z"}
spec: {suspend: true, headGroupSpec: {template: {spec: {containers: [{name: head}]}}}}
status: {state: suspended, conditions: [{type: RayClusterSuspended, status: "True"}]}
`)
}

func TestGetWatch(t *testing.T) {
	t.Parallel()
	server := liveWorld(t)
	out, stop := startWatch(t, server, "get", "raycluster", "--watch")
	out.await(t, "train      Degraded   2/3     8  24h\n")
	awaitWatches(t, server, 2)
	suspend(t, server)
	out.await(t, "train  Suspended")
	if strings.Count(out.String(), "nightly-x") != 1 || strings.Count(out.String(), "NAME") != 1 {
		t.Errorf("shows again what did not change: %s", out.String())
	}
	if code := stop(); code != 0 {
		t.Errorf("exit code %d", code)
	}
}

func TestDescribeWatch(t *testing.T) {
	t.Parallel()
	server := liveWorld(t)
	out, stop := startWatch(t, server, "describe", "raycluster/train", "-w")
	out.await(t, "RayCluster a/train  Degraded (ready)\n")
	awaitWatches(t, server, 2)
	suspend(t, server)
	out.await(t, "\n--- 00:00:00\nRayCluster a/train  Suspended (suspended)\n")
	if code := stop(); code != 0 {
		t.Errorf("exit code %d: %s", code, out.String())
	}
}

// TestWatchClosed has the server close each watch at once: it is opened again.
func TestWatchClosed(t *testing.T) {
	t.Parallel()
	server := liveWorld(t)
	server.Fail(func(r clustertest.Request) *clustertest.Failure {
		if r.Verb == "watch" {
			return &clustertest.Failure{Reset: true}
		}
		return nil
	})
	out, stop := startWatch(t, server, "get", "raycluster", "--watch")
	out.await(t, "train      Degraded   2/3     8  24h\n")
	suspend(t, server)
	server.Fail(nil)
	out.await(t, "train  Suspended")
	if code := stop(); code != 0 {
		t.Errorf("exit code %d", code)
	}
}

// awaitWatches waits until so many watches were opened.
func awaitWatches(t *testing.T, server *clustertest.Server, n int) {
	t.Helper()
	seen := 0
	for range 200 {
		for _, r := range server.Requests() {
			if r.Verb == "watch" {
				seen++
			}
		}
		if seen >= n {
			time.Sleep(50 * time.Millisecond)
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Fatalf("%d watches were opened, want %d", seen, n)
}
