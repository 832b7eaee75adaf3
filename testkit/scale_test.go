package testkit_test

import (
	"context"
	"fmt"
	"io/fs"
	"path"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/workloadmap/wm/resolver"
	"github.com/workloadmap/wm/source"
	"github.com/workloadmap/wm/testkit"
)

// copies is a file system with n cases: the catalog's own, again and again under
// other names. What is read is read from the real files.
type copies struct {
	n int
	// folders maps a definition to its cases' names, originals those names to
	// the folders that they stand for.
	folders   map[string][]string
	originals map[string]string
}

// catalogCases are the case.yaml of 100 of the catalog's cases, of all definitions.
func catalogCases(t testing.TB) []string {
	t.Helper()
	cases, err := fs.Glob(source.OS(), "../fixtures/*/*/case.yaml")
	if err != nil || len(cases) < 100 {
		t.Fatalf("found %d cases, error %v", len(cases), err)
	}
	some := make([]string, 100)
	for i := range some {
		some[i] = cases[i*len(cases)/len(some)]
	}
	return some
}

func newCopies(cases []string, n int) copies {
	c := copies{n: n, folders: map[string][]string{}, originals: map[string]string{}}
	for i := range n {
		original := path.Dir(cases[i%len(cases)])
		definition := path.Base(path.Dir(original))
		name := fmt.Sprintf("%s-%06d", path.Base(original), i)
		c.folders[definition] = append(c.folders[definition], name)
		c.originals[path.Join("fixtures", definition, name)] = original
	}
	return c
}

func (c copies) Open(name string) (fs.File, error) {
	original, found := c.originals[path.Dir(name)]
	if !found {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return source.OS().Open(path.Join(original, path.Base(name)))
}

func (c copies) ReadDir(name string) ([]fs.DirEntry, error) {
	if original, found := c.originals[name]; found {
		return fs.ReadDir(source.OS(), original)
	}
	var entries []fs.DirEntry
	if name == "fixtures" {
		for definition := range c.folders {
			entries = append(entries, directory(definition))
		}
	}
	for _, folder := range c.folders[strings.TrimPrefix(name, "fixtures/")] {
		entries = append(entries, directory(folder))
	}
	return entries, nil
}

// directory is the entry of a folder.
type directory string

func (d directory) Name() string               { return string(d) }
func (d directory) IsDir() bool                { return true }
func (d directory) Type() fs.FileMode          { return fs.ModeDir }
func (d directory) Info() (fs.FileInfo, error) { return nil, fs.ErrInvalid }

func replayCopies(t testing.TB, set *resolver.Set, files copies) {
	t.Helper()
	report, err := testkit.Replay(context.Background(), testkit.Options{Files: files, Paths: []string{"fixtures"}, Definitions: set})
	if err != nil || len(report.Cases) != files.n {
		t.Fatalf("replayed %v, not %d cases, error %v", report, files.n, err)
	}
}

// Five times as many cases allocate five times as much, and take far less than
// the 300 MB that 400 may. (go test -bench Replay shows the time.)
func TestReplayScales(t *testing.T) {
	set, cases := catalogSet(t), catalogCases(t)
	replayCopies(t, set, newCopies(cases, len(cases))) // compiles the definitions
	allocated := func(n int) (perCase, peak uint64) {
		files := newCopies(cases, n)
		runtime.GC()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		stop, peaks := make(chan struct{}), make(chan uint64)
		go watchHeap(stop, peaks)
		replayCopies(t, set, files)
		close(stop)
		peak = <-peaks
		runtime.ReadMemStats(&after)
		return (after.TotalAlloc - before.TotalAlloc) / uint64(n), peak
	}
	once, _ := allocated(len(cases))
	often, peak := allocated(5 * len(cases))
	if often > once*5/4 {
		t.Errorf("a case allocates %d bytes among %d, and %d among %d", once, len(cases), often, 5*len(cases))
	}
	if peak > 300<<20 {
		t.Errorf("%d cases take %d MiB of heap", 5*len(cases), peak>>20)
	}
	t.Logf("a case allocates %d KiB among %d, %d KiB among %d, which take at most %d MiB of heap", once>>10, len(cases), often>>10, 5*len(cases), peak>>20)
}

// watchHeap gives the largest heap that it saw until it is stopped.
func watchHeap(stop <-chan struct{}, peaks chan<- uint64) {
	var largest uint64
	for {
		var stats runtime.MemStats
		runtime.ReadMemStats(&stats)
		largest = max(largest, stats.HeapAlloc)
		select {
		case <-stop:
			peaks <- largest
			return
		case <-time.After(5 * time.Millisecond):
		}
	}
}

func BenchmarkReplay(b *testing.B) {
	for _, n := range []int{400, 10_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			set, files := catalogSet(b), newCopies(catalogCases(b), n)
			stop, peaks := make(chan struct{}), make(chan uint64)
			go watchHeap(stop, peaks)
			b.ReportAllocs()
			for b.Loop() {
				replayCopies(b, set, files)
			}
			close(stop)
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*n), "µs/case")
			b.ReportMetric(float64(<-peaks>>20), "MiB-peak")
		})
	}
}
