package live

import (
	"bytes"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/workloadmap/wm/testcluster"
	"github.com/workloadmap/wm/testcluster/proxy"
)

// session is a wm command that runs until it is interrupted.
type session struct {
	command *exec.Cmd
	mu      sync.Mutex
	out     bytes.Buffer
	stderr  bytes.Buffer
}

func (s *session) Write(content []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.out.Write(content)
}

func (s *session) shown() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.out.String()
}

func startSession(t *testing.T, kubeconfig string, arguments ...string) *session {
	t.Helper()
	s := &session{command: exec.CommandContext(t.Context(), os.Getenv("TESTCLUSTER_WM"), arguments...)}
	s.command.Env = append(os.Environ(), "KUBECONFIG="+kubeconfig, "NO_COLOR=1")
	s.command.Stdout, s.command.Stderr = s, &s.stderr
	if err := s.command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.command.Process.Kill() })
	return s
}

// waitFor waits until the command has printed all words in one line.
func (s *session) waitFor(t *testing.T, words ...string) {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); time.Sleep(100 * time.Millisecond) {
		for line := range strings.Lines(s.shown()) {
			found := true
			for _, word := range words {
				found = found && strings.Contains(line, word)
			}
			if found {
				return
			}
		}
	}
	t.Fatalf("no line has all of %q in:\n%s", words, s.shown())
}

// interrupt is Ctrl-C. The command ends at once, and quietly.
func (s *session) interrupt(t *testing.T) {
	t.Helper()
	if err := s.command.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		_ = s.command.Wait()
		close(ended)
	}()
	select {
	case <-ended:
	case <-time.After(5 * time.Second):
		t.Fatal("the command goes on 5 s after it was interrupted")
	}
	if code := s.command.ProcessState.ExitCode(); code != 0 && code != 130 || s.stderr.Len() > 0 {
		t.Errorf("interrupted with exit code %d and standard error %q", code, s.stderr.String())
	}
}

// watchJob follows a job through its life.
func watchJob(t *testing.T, kubeconfig string, arguments ...string) {
	t.Helper()
	ns := namespace(t)
	newJob(t, ns, "train", 1)
	pending := expect(t, ns, "job/train", want{phase: "Initializing", desired: 1, pods: 1})
	s := startSession(t, kubeconfig, append(arguments, "-n", ns, "--watch")...)
	s.waitFor(t, "train", "Initializing")
	playAll(t, ns, pending.Pods, "")
	s.waitFor(t, "train", "Running")
	playAll(t, ns, pending.Pods, testcluster.Succeed)
	s.waitFor(t, "train", "Completed")
	s.interrupt(t)
}

func TestGetWatch(t *testing.T) { watchJob(t, cluster.Kubeconfig, "get", "job") }

func TestDescribeWatch(t *testing.T) { watchJob(t, cluster.Kubeconfig, "describe", "job/train") }

// TestWatchClosed cuts the first watches of each kind; the server closes
// watches too, after some minutes.
func TestWatchClosed(t *testing.T) {
	faulty, kubeconfig, err := cluster.Proxied("watcher", "system:masters")
	if err != nil {
		t.Fatal(err)
	}
	defer faulty.Close()
	faulty.Reset(proxy.Rule{Path: "watch=", Times: 4, Fault: proxy.Fault{CutAfter: 1}})
	watchJob(t, kubeconfig, "get", "job")
	cut := 0
	for _, request := range faulty.Requests() {
		if request.Query.Get("watch") != "" && request.Status == 0 {
			cut++
		}
	}
	if cut == 0 {
		t.Error("no watch was cut: this test shows nothing")
	}
}

// TestWatchExpired answers that the resource version to go on from is gone.
func TestWatchExpired(t *testing.T) {
	faulty, kubeconfig, err := cluster.Proxied("watcher", "system:masters")
	if err != nil {
		t.Fatal(err)
	}
	defer faulty.Close()
	faulty.Reset(proxy.Rule{Path: "watch=", Times: 2, Fault: proxy.Fault{Status: 410, Reason: "Expired", Message: "too old resource version"}})
	watchJob(t, kubeconfig, "get", "job")
}
