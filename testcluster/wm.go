package testcluster

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"
)

// Result is what one run of the wm binary did.
type Result struct {
	Stdout, Stderr string
	Code           int
	// Took is the time on the clock, CPU that of the processors.
	Took, CPU time.Duration
	// Memory is the highest resident memory in bytes, 0 where the system has no
	// /proc. It is looked at every few milliseconds.
	Memory int64
}

// WM runs the wm binary under test with a kubeconfig and waits for its end. An
// error means that it could not be run or was stopped by the context.
func WM(ctx context.Context, kubeconfig string, arguments ...string) (Result, error) {
	return Run(ctx, kubeconfig, os.Getenv(wmVariable), arguments...)
}

// Run runs any program as WM does.
func Run(ctx context.Context, kubeconfig, path string, arguments ...string) (Result, error) {
	command := exec.CommandContext(ctx, path, arguments...)
	command.Env = append(os.Environ(), "KUBECONFIG="+kubeconfig, "NO_COLOR=1")
	var stdout, stderr bytes.Buffer
	command.Stdout, command.Stderr = &stdout, &stderr
	begin := time.Now()
	if err := command.Start(); err != nil {
		return Result{}, err
	}
	peak, ended := make(chan int64), make(chan struct{})
	go watchMemory(command.Process.Pid, ended, peak)
	err := command.Wait()
	took := time.Since(begin)
	close(ended)
	result := Result{
		Stdout: stdout.String(), Stderr: stderr.String(), Took: took, Memory: <-peak,
		Code: command.ProcessState.ExitCode(),
		CPU:  command.ProcessState.UserTime() + command.ProcessState.SystemTime(),
	}
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || ctx.Err() != nil) {
		return result, fmt.Errorf("run %s: %w", strings.Join(append([]string{path}, arguments...), " "), err)
	}
	return result, nil
}

// watchMemory follows the highest resident memory of a process until it ends.
// What wait(2) tells of a child counts the memory of its parent too, in which
// the child lived until it became another program.
func watchMemory(pid int, ended <-chan struct{}, peak chan<- int64) {
	file := fmt.Sprintf("/proc/%d/status", pid)
	ticker := time.NewTicker(5 * time.Millisecond)
	defer ticker.Stop()
	var highest int64
	for {
		select {
		case <-ended:
			peak <- highest
			return
		case <-ticker.C:
		}
		content, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		_, after, found := strings.Cut(string(content), "VmHWM:")
		var kilobytes int64
		if _, err := fmt.Sscan(after, &kilobytes); found && err == nil {
			highest = max(highest, kilobytes<<10)
		}
	}
}
