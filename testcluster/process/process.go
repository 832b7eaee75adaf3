// Package process runs the servers of a test cluster and makes sure that none
// of them outlives the tests: not after a signal, a panic, a failure, a timeout
// of "go test" or a kill -9.
//
// A [Group] starts programs and stops them in reverse order. Each program is
// the leader of a process group of its own, so that a Ctrl-C at the terminal
// reaches the tests alone, which then stop the servers in order; and on Linux
// the kernel kills the program when the process that started it dies.
package process

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"
)

// grace is how long a program may take to end after it was asked to.
const grace = 10 * time.Second

// Group is the running programs of one cluster. Its methods may be called from
// several goroutines.
type Group struct {
	// logs is the folder that holds NAME.log with the output of each program.
	logs string

	mu       sync.Mutex
	programs []*Program
	closed   bool
	// spawn hands work to the thread that starts all programs.
	spawn chan func()
}

// Program is one running program.
type Program struct {
	// Name is what messages and the log file call it.
	Name string

	command *exec.Cmd
	log     string
	// ended is closed once the program is gone; err is set before.
	ended chan struct{}
	err   error
}

// NewGroup makes an empty group whose programs write NAME.log into a folder.
func NewGroup(logs string) (*Group, error) {
	if err := os.MkdirAll(logs, 0o700); err != nil {
		return nil, fmt.Errorf("make the folder for logs: %w", err)
	}
	g := &Group{logs: logs, spawn: make(chan func())}
	go g.parent()
	return g, nil
}

// parent is the thread that starts the programs and lives as long as any of
// them: the kernel's parent-death signal is sent when the starting thread ends,
// not when its process does.
func (g *Group) parent() {
	runtime.LockOSThread()
	for work := range g.spawn {
		work()
	}
	runtime.UnlockOSThread()
}

// Start runs a program with additional environment variables ("KEY=value").
func (g *Group) Start(name string, environment []string, path string, arguments ...string) (*Program, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return nil, fmt.Errorf("start %s: the cluster is being stopped", name)
	}
	logFile := filepath.Join(g.logs, name+".log")
	log, err := os.OpenFile(logFile, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", name, err)
	}
	defer log.Close()
	command := exec.Command(path, arguments...)
	command.Env = append(os.Environ(), environment...)
	command.Stdout, command.Stderr = log, log
	command.SysProcAttr = ownGroup()
	program := &Program{Name: name, command: command, log: logFile, ended: make(chan struct{})}
	started := make(chan error)
	g.spawn <- func() { started <- command.Start() }
	if err := <-started; err != nil {
		return nil, fmt.Errorf("start %s: %w", name, err)
	}
	go func() {
		program.err = command.Wait()
		close(program.ended)
	}()
	g.programs = append(g.programs, program)
	return program, nil
}

// Stop ends all programs, the last one started first, and waits until they are
// gone. Calling it again is harmless.
func (g *Group) Stop() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return nil
	}
	g.closed = true
	var failed []error
	for i := len(g.programs) - 1; i >= 0; i-- {
		failed = append(failed, g.programs[i].stop(grace))
	}
	close(g.spawn)
	return errors.Join(failed...)
}

// Programs are the programs started so far, in that order.
func (g *Group) Programs() []*Program {
	g.mu.Lock()
	defer g.mu.Unlock()
	return append([]*Program(nil), g.programs...)
}

// Ended reports the first program that is no longer running, nil for none.
func (g *Group) Ended() error {
	for _, program := range g.Programs() {
		select {
		case <-program.ended:
			return program.failure()
		default:
		}
	}
	return nil
}

// Wait polls until ready returns nil. It gives up with an error that says what
// was waited for when the context ends or a program of the group does.
func (g *Group) Wait(ctx context.Context, what string, ready func(context.Context) error) error {
	for {
		err := ready(ctx)
		if err == nil {
			return nil
		}
		if ended := g.Ended(); ended != nil {
			return fmt.Errorf("wait for %s: %w", what, ended)
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("wait for %s: %w; last answer: %w", what, context.Cause(ctx), err)
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// Pid is the process id.
func (p *Program) Pid() int { return p.command.Process.Pid }

// stop asks the program to end and kills it when it does not.
func (p *Program) stop(grace time.Duration) error {
	select {
	case <-p.ended:
		return nil
	default:
	}
	if err := terminate(p.Pid()); err != nil {
		return fmt.Errorf("stop %s: %w", p.Name, err)
	}
	select {
	case <-p.ended:
		return nil
	case <-time.After(grace):
	}
	if err := kill(p.Pid()); err != nil {
		return fmt.Errorf("stop %s: %w", p.Name, err)
	}
	<-p.ended
	return nil
}

// failure words the end of a program that should have gone on, with the end of
// its log: the log's folder is gone by the time somebody reads the message.
func (p *Program) failure() error {
	state := "ended"
	if p.err != nil {
		state = p.err.Error()
	}
	return fmt.Errorf("%s ended early (%s); its last words:\n%s", p.Name, state, tail(p.log, 15))
}

// tail is the last lines of a file, "" when it cannot be read.
func tail(file string, lines int) string {
	content, err := os.ReadFile(file)
	if err != nil {
		return ""
	}
	all := strings.Split(strings.TrimRight(string(content), "\n"), "\n")
	if len(all) > lines {
		all = all[len(all)-lines:]
	}
	return strings.Join(all, "\n")
}

// Memory is the resident memory of each program in bytes, by name. It is empty
// where the system has no /proc.
func (g *Group) Memory() map[string]int64 {
	memory := map[string]int64{}
	for _, program := range g.Programs() {
		// The second number of statm is resident pages.
		content, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", program.Pid()))
		if err != nil {
			continue
		}
		var size, resident int64
		if _, err := fmt.Sscan(string(content), &size, &resident); err == nil {
			memory[program.Name] = resident * int64(os.Getpagesize())
		}
	}
	return memory
}
