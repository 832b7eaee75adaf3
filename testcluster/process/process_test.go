package process

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// The test binary plays the parent too: TestMain then starts two programs,
// prints their process ids and comes to the end that the variable names.
const endVariable = "PROCESS_TEST_END"

func TestMain(m *testing.M) {
	if end := os.Getenv(endVariable); end != "" {
		parent(end)
		return
	}
	os.Exit(m.Run())
}

// parent never returns normally but for the end "stop" and "signal".
func parent(end string) {
	logs, err := os.MkdirTemp("", "process-test-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(logs)
	ctx, cancel := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer cancel()
	group, err := NewGroup(logs)
	if err != nil {
		panic(err)
	}
	for _, name := range []string{"first", "second"} {
		program, err := group.Start(name, nil, "sleep", "120")
		if err != nil {
			panic(err)
		}
		fmt.Println(program.Pid())
	}
	switch end {
	case "stop":
		if err := group.Stop(); err != nil {
			panic(err)
		}
	case "panic":
		go panic("a test that panics")
		select {}
	case "exit":
		os.Exit(3)
	case "hang":
		<-ctx.Done()
		select {}
	case "signal":
		<-ctx.Done()
		if err := group.Stop(); err != nil {
			panic(err)
		}
	}
}

func TestNoProgramOutlivesItsParent(t *testing.T) {
	for _, test := range []struct {
		end  string
		sent syscall.Signal
	}{
		{end: "stop"},
		{end: "panic"},
		{end: "exit"},
		{end: "hang", sent: syscall.SIGKILL},
		{end: "signal", sent: syscall.SIGINT},
		{end: "signal", sent: syscall.SIGTERM},
	} {
		t.Run(test.end+" "+test.sent.String(), func(t *testing.T) {
			command := exec.Command(os.Args[0])
			command.Env = append(os.Environ(), endVariable+"="+test.end)
			out, err := command.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := command.Start(); err != nil {
				t.Fatal(err)
			}
			var pids []int
			for scanner := bufio.NewScanner(out); len(pids) < 2 && scanner.Scan(); {
				pid, err := strconv.Atoi(strings.TrimSpace(scanner.Text()))
				if err != nil {
					t.Fatalf("the parent printed %q", scanner.Text())
				}
				pids = append(pids, pid)
			}
			if len(pids) < 2 {
				t.Fatalf("the parent started %d programs, not 2", len(pids))
			}
			if test.sent != 0 {
				if err := command.Process.Signal(test.sent); err != nil {
					t.Fatal(err)
				}
			}
			_ = command.Wait() // its exit code is the end's own business
			for _, pid := range pids {
				waitGone(t, pid)
			}
		})
	}
}

func waitGone(t *testing.T, pid int) {
	t.Helper()
	for deadline := time.Now().Add(5 * time.Second); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if err := syscall.Kill(pid, 0); errors.Is(err, syscall.ESRCH) || zombie(pid) {
			return
		}
	}
	t.Errorf("process %d still runs", pid)
}

// zombie tells a process that has ended and whose new parent, the machine's
// first process, has not asked for its exit code yet.
func zombie(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return false
	}
	_, after, _ := strings.Cut(string(stat), ") ")
	return strings.HasPrefix(after, "Z")
}

func TestStopKillsWhatIgnoresSIGTERM(t *testing.T) {
	group, err := NewGroup(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	program, err := group.Start("stubborn", nil, "sh", "-c", `trap "" TERM; while :; do sleep 1; done`)
	if err != nil {
		t.Fatal(err)
	}
	time.Sleep(200 * time.Millisecond) // until the shell has set its trap
	if err := program.stop(300 * time.Millisecond); err != nil {
		t.Fatal(err)
	}
	waitGone(t, program.Pid())
	if err := group.Stop(); err != nil {
		t.Fatal(err)
	}
}

func TestWaitReportsAProgramThatEnded(t *testing.T) {
	group, err := NewGroup(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer group.Stop()
	if _, err := group.Start("server", []string{"REASON=port taken"}, "sh", "-c", `echo "$REASON"; exit 7`); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	err = group.Wait(ctx, "the server", func(context.Context) error { return errors.New("refused") })
	for _, wanted := range []string{"the server", "exit status 7", "port taken"} {
		if err == nil || !strings.Contains(err.Error(), wanted) {
			t.Errorf("error is %v; %q is missing", err, wanted)
		}
	}
}

func TestStartAfterStopIsRefused(t *testing.T) {
	group, err := NewGroup(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := group.Stop(); err != nil {
		t.Fatal(err)
	}
	if _, err := group.Start("late", nil, "sleep", "120"); err == nil {
		t.Error("a stopped group started a program")
	}
}
