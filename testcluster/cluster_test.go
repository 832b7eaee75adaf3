package testcluster

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// With this variable the test binary is a test run of its own, which starts a
// cluster, prints its folder and comes to the end that the variable names.
const endVariable = "TESTCLUSTER_END"

func TestMain(m *testing.M) {
	if end := os.Getenv(endVariable); end != "" {
		os.Exit(Main(Options{ServersOnly: true}, func(cluster *Cluster) int { return comeToEnd(cluster, end) }))
	}
	os.Exit(m.Run())
}

func comeToEnd(cluster *Cluster, end string) int {
	for _, program := range cluster.programs.Programs() {
		fmt.Println(program.Pid())
	}
	fmt.Println(cluster.folder.path)
	switch end {
	case "failure":
		return 1
	case "panic":
		go panic("a test that panics")
	}
	select {}
}

func TestClusterEndsWithItsTests(t *testing.T) {
	for _, test := range []struct {
		end  string
		sent syscall.Signal
		// left is whether the folder stays for the next run to remove.
		left bool
	}{
		{end: "failure"},
		{end: "panic", left: true},
		{end: "signal", sent: syscall.SIGINT},
		{end: "signal", sent: syscall.SIGTERM},
		{end: "signal", sent: syscall.SIGKILL, left: true},
	} {
		t.Run(test.end+" "+test.sent.String(), func(t *testing.T) {
			temporary := t.TempDir()
			command := exec.CommandContext(t.Context(), os.Args[0])
			command.Env = append(os.Environ(), endVariable+"="+test.end, "TMPDIR="+temporary)
			out, err := command.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			var stderr strings.Builder
			command.Stderr = &stderr
			if err := command.Start(); err != nil {
				t.Fatal(err)
			}
			var etcd, apiserver int
			var folder string
			if _, err := fmt.Fscan(bufio.NewReader(out), &etcd, &apiserver, &folder); err != nil {
				t.Fatalf("the run did not start: %v\n%s", err, stderr.String())
			}
			if test.sent != 0 {
				if err := command.Process.Signal(test.sent); err != nil {
					t.Fatal(err)
				}
			}
			if err := command.Wait(); err == nil {
				t.Error("the run ended with exit code 0")
			}
			for _, pid := range []int{etcd, apiserver} {
				waitGone(t, pid)
			}
			if left, _ := filepath.Glob(filepath.Join(temporary, folderPrefix+"*")); len(left) > 0 != test.left {
				t.Errorf("the folders left are %v", left)
			}
			sweep(temporary)
			if left, _ := filepath.Glob(filepath.Join(temporary, folderPrefix+"*")); len(left) > 0 {
				t.Errorf("%v are left after sweeping", left)
			}
		})
	}
}

func waitGone(t *testing.T, pid int) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		// A program that ended may wait for the machine's first process to notice.
		status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
		if err != nil || strings.Contains(string(status), "State:\tZ") {
			return
		}
	}
	t.Errorf("process %d still runs", pid)
}

func TestSweepLeavesLivingClusters(t *testing.T) {
	temporary := t.TempDir()
	living, err := newFolder(temporary)
	if err != nil {
		t.Fatal(err)
	}
	dead, err := newFolder(temporary)
	if err != nil {
		t.Fatal(err)
	}
	dead.lock.Close() // as the kernel does when a process ends
	sweep(temporary)
	if _, err := os.Stat(living.path); err != nil {
		t.Errorf("the folder of a living cluster: %v", err)
	}
	if _, err := os.Stat(dead.path); !os.IsNotExist(err) {
		t.Errorf("the folder of a dead cluster is still there: %v", err)
	}
	if err := living.remove(); err != nil {
		t.Error(err)
	}
}

func TestStopIsForAll(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	cluster, err := Start(ctx, Options{Kubeall: os.Getenv(kubeallVariable), ServersOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	programs := cluster.programs.Programs()
	cancel() // which stops it as well
	if err := cluster.Stop(); err != nil {
		t.Error(err)
	}
	for _, program := range programs {
		waitGone(t, program.Pid())
	}
	if _, err := os.Stat(cluster.folder.path); !os.IsNotExist(err) {
		t.Errorf("the folder is still there: %v", err)
	}
}

func TestStartSaysWhatIsMissing(t *testing.T) {
	_, err := Start(t.Context(), Options{Kubeall: "/nowhere/kubeall"})
	if err == nil || !strings.Contains(err.Error(), "/nowhere/kubeall") {
		t.Errorf("error is %v", err)
	}
}

// TestServerThatDoesNotStart has the API server end over a wrong flag.
func TestServerThatDoesNotStart(t *testing.T) {
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	_, err := Start(t.Context(), Options{
		Kubeall: os.Getenv(kubeallVariable), ServersOnly: true, APIServerArguments: []string{"--no-such-flag"},
	})
	if err == nil || !strings.Contains(err.Error(), "no-such-flag") {
		t.Errorf("error is %v", err)
	}
	if left, _ := filepath.Glob(filepath.Join(temporary, folderPrefix+"*")); len(left) > 0 {
		t.Errorf("%v are left", left)
	}
}
