package cli_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/workloadmap/wm/internal/cli"
)

const watchedDefinition = `apiVersion: workloadmap.dev/v1alpha1
kind: WorkloadMap
metadata:
  name: batch-job-v1
spec:
  structureDefinition:
    rootComponent:
      name: job
      kind: {group: batch, version: v1, kind: Job}
      scaleDefinition: {replicasPath: .spec.parallelism}
      statusDefinition:
        conditionsDefinition: {path: .status.conditions}
        statusMappings:
          running:
            - byConditions: [{type: Complete, status: "True"}]
`

var (
	wrongField   = strings.Replace(watchedDefinition, "parallelism", "paralelism", 1)
	wrongNumbers = strings.Replace(watchedDefinition, ".spec.parallelism", "'.spec.paralelism + .spec.completion'", 1)
)

// lintWatchSession is a `wm lint --watch` under way in a folder.
type lintWatchSession struct {
	t              *testing.T
	folder         string
	stdout, stderr watchedOutput
	interrupt      context.CancelFunc
	ended          chan int
}

// watchedOutput is a buffer that the command writes and the test reads.
type watchedOutput struct {
	mutex sync.Mutex
	held  bytes.Buffer
	// taken is how much the test has read.
	taken int
}

func (l *watchedOutput) Write(content []byte) (int, error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.held.Write(content)
}

// next is what has been written and not taken.
func (l *watchedOutput) next() string {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.held.String()[l.taken:]
}

func (l *watchedOutput) take() {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.taken = l.held.Len()
}

func startLintWatch(t *testing.T, files map[string]string, arguments ...string) *lintWatchSession {
	t.Helper()
	s := &lintWatchSession{t: t, folder: t.TempDir(), ended: make(chan int, 1)}
	for name, content := range files {
		s.write(name, content)
	}
	ctx, interrupt := context.WithCancel(context.Background())
	s.interrupt = interrupt
	t.Cleanup(interrupt)
	go func() {
		s.ended <- cli.Run(ctx, append([]string{"lint", "--watch"}, arguments...), cli.World{
			Stdin: strings.NewReader(""), Stdout: &s.stdout, Stderr: &s.stderr,
			Files: folder(s.folder), Folder: filepath.ToSlash(s.folder),
		})
	}()
	return s
}

func (s *lintWatchSession) write(name, content string) {
	s.t.Helper()
	name = filepath.Join(s.folder, name)
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
		s.t.Fatal(err)
	}
}

func (s *lintWatchSession) rename(from, to string) {
	s.t.Helper()
	if err := os.Rename(filepath.Join(s.folder, from), filepath.Join(s.folder, to)); err != nil {
		s.t.Fatal(err)
	}
}

// sees waits until the command waits for changes again after it has said
// everything that is wanted, and forgets what it has said.
func (s *lintWatchSession) sees(wanted ...string) {
	s.t.Helper()
	const waiting = "---- watching for changes; interrupt to end\n"
	deadline := time.Now().Add(20 * time.Second)
	for {
		said := s.stdout.next() + s.stderr.next()
		complete := strings.HasSuffix(said, waiting)
		for _, text := range wanted {
			complete = complete && strings.Contains(said, text)
		}
		if complete {
			break
		}
		if time.Now().After(deadline) {
			s.t.Fatalf("wanted %q, there is:\n%s", wanted, said)
		}
		time.Sleep(5 * time.Millisecond)
	}
	s.stdout.take()
	s.stderr.take()
}

// ends interrupts the command and compares its exit code.
func (s *lintWatchSession) ends(code int) {
	s.t.Helper()
	s.interrupt()
	select {
	case got := <-s.ended:
		if got != code {
			s.t.Errorf("exit code %d, want %d", got, code)
		}
	case <-time.After(20 * time.Second):
		s.t.Fatal("the command did not end after the interrupt")
	}
	if rest := s.stdout.next() + s.stderr.next(); rest != "" {
		s.t.Errorf("written after the interrupt: %q", rest)
	}
}

func TestLintWatchChecksOnlyWhatChanges(t *testing.T) {
	t.Parallel()
	s := startLintWatch(t, map[string]string{"a.yaml": watchedDefinition, "b.yaml": wrongField, "web.yaml": "kind: Deployment\n"})
	s.sees("b.yaml:10:44: error: `.spec` has no field `paralelism` [WM203", "3 files, 2 definitions, 1 problem\n")
	s.write("a.yaml", wrongNumbers)
	s.sees("---- a.yaml changed\n", "a.yaml:10:", "1 file, 1 definition, 2 problems\n", "note: there are still problems in b.yaml\n")
	s.write("a.yaml", watchedDefinition)
	s.sees("1 file, 1 definition, 0 problems\n", "note: there are still problems in b.yaml\n")
	s.write("web.yaml", "kind: Deployment # changed\n")
	s.sees("---- web.yaml changed\n", "1 file, 0 definitions, 0 problems\n")
	s.write("b.yaml", watchedDefinition)
	s.sees("---- b.yaml changed\n", "1 file, 1 definition, 0 problems\n")
	s.ends(0)
}

func TestLintWatchEndsWithFindings(t *testing.T) {
	t.Parallel()
	s := startLintWatch(t, map[string]string{"a.yaml": watchedDefinition, "b.yaml": wrongField})
	s.sees("1 problem\n")
	s.write("a.yaml", watchedDefinition+"# changed\n")
	s.sees("1 file, 1 definition, 0 problems\n")
	// What is wrong with b counts, though it was not checked again.
	s.ends(1)
}

// Editors write a file beside the old one and rename it; the folder's own files
// and a file that was named itself are followed through that.
func TestLintWatchFollowsRenaming(t *testing.T) {
	t.Parallel()
	for _, path := range []string{".", "a.yaml"} {
		s := startLintWatch(t, map[string]string{"a.yaml": watchedDefinition}, path)
		s.sees("0 problems\n")
		for range 2 {
			s.write(".a.yaml.swp", wrongField)
			s.rename(".a.yaml.swp", "a.yaml")
			s.sees("---- a.yaml changed\n", "1 file, 1 definition, 1 problem\n")
			s.rename("a.yaml", "a.yaml~")
			s.write("a.yaml", watchedDefinition)
			s.sees("---- a.yaml changed\n", "1 file, 1 definition, 0 problems\n")
		}
		s.ends(0)
	}
}

func TestLintWatchNoticesNewFilesAndFolders(t *testing.T) {
	t.Parallel()
	s := startLintWatch(t, nil)
	s.sees("0 files, 0 definitions, 0 problems\n")
	s.write("new.yaml", wrongField)
	s.sees("new.yaml:10:44: error:", "1 problem\n")
	s.write("deep/er/one.yaml", wrongField)
	s.sees("deep/er/one.yaml:10:44: error:", "note: there are still problems in new.yaml\n")
	s.write("deep/er/two.yaml", wrongField)
	s.sees("---- deep/er/two.yaml changed\n", "deep/er/two.yaml:10:44: error:", "1 file,")
	s.rename("deep", "other")
	s.sees("other/er/one.yaml:10:44: error:", "other/er/two.yaml:10:44: error:", "2 files,")
	s.write("other/er/one.yaml", watchedDefinition)
	s.sees("---- other/er/one.yaml changed\n", "note: there are still problems in new.yaml, other/er/two.yaml\n")
	if err := os.RemoveAll(filepath.Join(s.folder, "other")); err != nil {
		t.Fatal(err)
	}
	s.sees("removed\n", "note: there are still problems in new.yaml\n")
	if err := os.Remove(filepath.Join(s.folder, "new.yaml")); err != nil {
		t.Fatal(err)
	}
	s.sees("---- new.yaml removed\n")
	s.ends(0)
}

func TestLintWatchReportsUnreadableFiles(t *testing.T) {
	t.Parallel()
	s := startLintWatch(t, map[string]string{"a.yaml": watchedDefinition, "b.yaml": "\x00", "c.yaml": watchedDefinition})
	s.sees("error: cannot read b.yaml", "2 files, 2 definitions, 0 problems\n")
	s.write("c.yaml", wrongField)
	s.sees("1 problem\n", "note: there are still problems in b.yaml\n")
	s.ends(2)
}

func TestLintWatchFollowsTheConfiguration(t *testing.T) {
	t.Parallel()
	s := startLintWatch(t, map[string]string{"a.yaml": wrongField})
	s.sees("1 problem\n")
	s.write(".wm.yaml", "severities: {WM203: info}\n")
	s.sees("---- checking everything again\n", "a.yaml:10:44: info:", "0 problems")
	s.write(".wm.yaml", "severities: {WM203: nonsense}\n")
	s.sees("---- the configuration has changed and cannot be used; the one before stays\n", "error: ")
	s.ends(0)
}

func TestLintWatchRefuses(t *testing.T) {
	t.Parallel()
	for _, arguments := range [][]string{{"-"}, {"-o", "sarif=findings.sarif"}, {"nowhere"}, {"--fix"}} {
		s := startLintWatch(t, map[string]string{"a.yaml": watchedDefinition}, arguments...)
		if code := <-s.ended; code != 2 || !strings.HasPrefix(s.stderr.next(), "error: ") || s.stdout.next() != "" {
			t.Errorf("%q: exit code %d, standard error %q, standard output %q", arguments, code, s.stderr.next(), s.stdout.next())
		}
	}
}
