package lint_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/workloadmap/wm/lint"
	"github.com/workloadmap/wm/lint/rules"
	"github.com/workloadmap/wm/source"
)

// generated is a folder of definitions that exist only while they are read, so
// that what is measured is the memory of lint and not of its input.
type generated struct {
	files int
	// wrong is how many of the files have a finding.
	wrong int
}

// definitionAt is the text of one file, about 90 lines; no two are equal, and
// neither are their names. The paths are those of a kind with a built-in index,
// so that the type checker has work.
func (g generated) definitionAt(i int) string {
	template := "template"
	if i < g.wrong {
		template = "temlate"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# Definition %d.\napiVersion: workloadmap.dev/v1alpha1\nkind: WorkloadMap\nmetadata:\n  name: ray-io-raycluster-v1\n  labels:\n    number: \"%d\"\n", i, i)
	b.WriteString("spec:\n  structureDefinition:\n    rootComponent:\n      name: cluster\n      kind: {group: ray.io, version: v1, kind: RayCluster}\n")
	b.WriteString("      statusDefinition:\n        phaseDefinition:\n          path: .status.state\n        conditionsDefinition:\n          path: .status.conditions\n        statusMappings:\n")
	for _, phase := range []string{"running", "failed", "suspended"} {
		fmt.Fprintf(&b, "          %s:\n            - byConditions:\n                - type: %s-%d\n                  status: \"True\"\n", phase, phase, i)
		fmt.Fprintf(&b, "            - byExpression:\n                expression: (.status.readyWorkerReplicas // 0) > %d\n                expectedResult: \"true\"\n", i)
	}
	b.WriteString("    childComponents:\n")
	for role := range 4 {
		fmt.Fprintf(&b, "      - name: role-%d\n        ownerRef: cluster\n        specDefinition:\n", role)
		fmt.Fprintf(&b, "          podTemplateSpecPath: .spec.workerGroupSpecs[%d].%s\n", role+i%7, template)
		fmt.Fprintf(&b, "        scaleDefinition:\n          replicasPath: .spec.workerGroupSpecs[%d].replicas // %d\n          minReplicasPath: .spec.workerGroupSpecs[%d].minReplicas // 0\n", role+i%7, i, role+i%7)
		fmt.Fprintf(&b, "        podSelector:\n          componentTypeSelector:\n            keyPath: .metadata.labels[\"ray.io/group\"]\n            value: role-%d\n", role)
	}
	return b.String()
}

func (g generated) name(i int) string { return fmt.Sprintf("d%07d.yaml", i) }

// Open makes the folder ".", or one of its files.
func (g generated) Open(name string) (fs.File, error) {
	if name == "." {
		return &generatedFolder{generated: g}, nil
	}
	var i int
	if _, err := fmt.Sscanf(name, "d%07d.yaml", &i); err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	text := g.definitionAt(i)
	return &generatedFile{Reader: strings.NewReader(text), entry: generatedEntry{name: name, size: int64(len(text))}}, nil
}

type generatedFolder struct {
	generated
	at int
}

func (d *generatedFolder) Stat() (fs.FileInfo, error) {
	return generatedEntry{name: ".", folder: true}, nil
}
func (d *generatedFolder) Read([]byte) (int, error) { return 0, fs.ErrInvalid }
func (d *generatedFolder) Close() error             { return nil }

func (d *generatedFolder) ReadDir(int) ([]fs.DirEntry, error) {
	var entries []fs.DirEntry
	for ; d.at < d.files; d.at++ {
		entries = append(entries, generatedEntry{name: d.name(d.at)})
	}
	return entries, nil
}

type generatedFile struct {
	*strings.Reader
	entry generatedEntry
}

func (f *generatedFile) Stat() (fs.FileInfo, error) { return f.entry, nil }
func (f *generatedFile) Close() error               { return nil }

type generatedEntry struct {
	name   string
	size   int64
	folder bool
}

func (e generatedEntry) Name() string               { return e.name }
func (e generatedEntry) Size() int64                { return e.size }
func (e generatedEntry) IsDir() bool                { return e.folder }
func (e generatedEntry) ModTime() time.Time         { return time.Time{} }
func (e generatedEntry) Sys() any                   { return nil }
func (e generatedEntry) Info() (fs.FileInfo, error) { return e, nil }
func (e generatedEntry) Type() fs.FileMode          { return e.Mode().Type() }
func (e generatedEntry) Mode() fs.FileMode {
	if e.folder {
		return fs.ModeDir | 0o555
	}
	return 0o444
}

func lintGenerated(tb testing.TB, g generated, workers int) *lint.Result {
	tb.Helper()
	result, err := lint.Run(context.Background(), lint.Options{
		Files: g, Paths: []string{"."}, Rules: rules.All(), Schemas: lint.BuiltIn(), Workers: workers,
	})
	if err != nil {
		tb.Fatal(err)
	}
	if result.Files != g.files || result.Definitions != g.files {
		tb.Fatalf("%d files with %d definitions were checked, want %d", result.Files, result.Definitions, g.files)
	}
	return result
}

// parseAll is the yardstick: the same definitions as JSON, read by encoding/json.
func parseAll(tb testing.TB, g generated) time.Duration {
	tb.Helper()
	var texts [][]byte
	for i := range min(g.files, 1000) {
		documents, faults := source.Parse(g.name(i), []byte(g.definitionAt(i)))
		if len(faults) > 0 {
			tb.Fatal(faults[0])
		}
		text, err := json.Marshal(documents[0].Value())
		if err != nil {
			tb.Fatal(err)
		}
		texts = append(texts, text)
	}
	started := cpuTime(tb)
	rounds := max(1, 1000/g.files)
	for i := range g.files * rounds {
		var value any
		if err := json.Unmarshal(texts[i%len(texts)], &value); err != nil {
			tb.Fatal(err)
		}
	}
	return (cpuTime(tb) - started) / time.Duration(rounds)
}

// BenchmarkLint checks a folder, the built-in indexes of the first file included,
// and compares its CPU time with reading the same files by encoding/json. ms/file is the figure
// that has to stay below 1, peak-MB the one that has to stay below 150.
func BenchmarkLint(b *testing.B) {
	for _, files := range []int{1, 1_000, 10_000} {
		b.Run(fmt.Sprintf("%d-files", files), func(b *testing.B) {
			g := generated{files: files}
			var spent time.Duration
			var peak uint64
			for b.Loop() {
				stop := watchHeap()
				started := cpuTime(b)
				lintGenerated(b, g, 1)
				spent += cpuTime(b) - started
				peak = max(peak, stop())
			}
			perRun := spent / time.Duration(b.N)
			b.ReportMetric(float64(perRun.Microseconds())/1000/float64(files), "ms/file")
			b.ReportMetric(float64(perRun)/float64(parseAll(b, g)), "x-encoding/json")
			b.ReportMetric(float64(peak)/(1<<20), "peak-MB")
		})
	}
}

// watchHeap samples the heap until it is told to stop, and gives the most that
// there was in bytes.
func watchHeap() (stop func() uint64) {
	done, result := make(chan struct{}), make(chan uint64)
	go func() {
		var most uint64
		ticker := time.NewTicker(20 * time.Millisecond)
		defer ticker.Stop()
		for {
			var stats runtime.MemStats
			runtime.ReadMemStats(&stats)
			most = max(most, stats.HeapInuse+stats.StackInuse)
			select {
			case <-done:
				result <- most
				return
			case <-ticker.C:
			}
		}
	}()
	return func() uint64 {
		close(done)
		return <-result
	}
}

// TestNumbers holds what does not depend on the machine: work, counted in
// allocated bytes, grows with the number of files and not faster, and what a run
// keeps of a file is a fraction of it. BenchmarkLint has the rest.
func TestNumbers(t *testing.T) {
	allocated := func(g generated) uint64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		lintGenerated(t, g, 2)
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	allocated(generated{files: 1}) // loads the index
	small, large := allocated(generated{files: 50}), allocated(generated{files: 500})
	if large > small*11 {
		t.Errorf("50 files allocate %d bytes and 500 files %d: that is more than linear", small, large)
	}
	// What a result holds: with a finding in every file, 10 kB for each leave a
	// third of the bound for everything else.
	const files, most = 500, 10_000
	held := func() uint64 {
		runtime.GC()
		var stats runtime.MemStats
		runtime.ReadMemStats(&stats)
		return stats.HeapAlloc
	}
	before := held()
	result := lintGenerated(t, generated{files: files, wrong: files}, 2)
	after := held()
	if after > before+files*most {
		t.Errorf("the result of a wrong file takes %d bytes, at most %d are allowed", (after-before)/files, most)
	}
	if len(result.Findings) < files {
		t.Errorf("%d findings in %d wrong files", len(result.Findings), files)
	}
	t.Logf("%d bytes for a wrong file", (max(after, before)-before)/files)
}

var _ io.Reader = (*generatedFile)(nil)
