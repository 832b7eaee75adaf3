package testkit_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/workloadmap/wm/catalog"
	"github.com/workloadmap/wm/resolver"
	"github.com/workloadmap/wm/testkit"
)

// caseDir is where the files of testdata/failures stand unless they say
// otherwise with a leading slash.
const caseDir = "fixtures/batch-job-v1/running/"

// TestFailures starts from an approved case that passes, testdata/passing.txtar,
// puts the files of one archive of testdata/failures over it, and compares what
// the replay finds: a line for each failure, orphan and error. "-- delete NAME --"
// takes a file away.
func TestFailures(t *testing.T) {
	archives, err := filepath.Glob("testdata/failures/*.txtar")
	if err != nil || len(archives) < 20 {
		t.Fatalf("found %d archives, error %v", len(archives), err)
	}
	passing := approved(t)
	for _, name := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			files := maps.Clone(passing)
			want := overlay(t, files, name)
			if difference := cmp.Diff(want, found(t, files)); difference != "" {
				t.Errorf("want (-), got (+):\n%s", difference)
			}
		})
	}
}

// approved is the passing case with the golden file that --update writes.
func approved(t *testing.T) fstest.MapFS {
	t.Helper()
	files := fstest.MapFS{}
	overlay(t, files, "testdata/passing.txtar")
	report, err := testkit.Replay(context.Background(), testkit.Options{
		Files: files, Paths: []string{"fixtures"}, Definitions: catalogSet(t),
		Update: func(name string, content []byte) error {
			files[name] = &fstest.MapFile{Data: content}
			return nil
		},
	})
	if err != nil || report.Updated != 1 || report.Err() != nil {
		t.Fatalf("the case was not approved: %+v, error %v", report, err)
	}
	// A List of pods, as kubectl writes it, is its pods.
	if golden := string(files[caseDir+"golden.yaml"].Data); !strings.Contains(golden, "name: j-b\n") {
		t.Fatalf("the view does not show the second pod: %s", golden)
	}
	if text := found(t, files); text != "" {
		t.Fatalf("the approved case fails: %s", text)
	}
	return files
}

// overlay changes files as an archive says and returns its file "want".
func overlay(t *testing.T, files fstest.MapFS, archiveName string) (want string) {
	t.Helper()
	archive, err := txtar.ParseFile(archiveName)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range archive.Files {
		if name, gone := strings.CutPrefix(file.Name, "delete "); gone {
			if files[caseDir+name] == nil {
				t.Fatalf("%s deletes %s, which is not there", archiveName, name)
			}
			delete(files, caseDir+name)
			continue
		}
		if file.Name == "want" {
			want = string(file.Data)
			continue
		}
		name, elsewhere := strings.CutPrefix(file.Name, "/")
		if !elsewhere {
			name = caseDir + name
		}
		files[name] = &fstest.MapFile{Data: file.Data}
	}
	return want
}

func found(t *testing.T, files fs.FS) string {
	t.Helper()
	report, err := testkit.Replay(context.Background(), testkit.Options{Files: files, Paths: []string{"fixtures"}, Definitions: catalogSet(t)})
	if err != nil {
		return fmt.Sprintf("error: %v\n", err)
	}
	var text strings.Builder
	failed := 0
	for _, outcome := range report.Cases {
		if len(outcome.Failures) > 0 {
			failed++
		}
		for _, failure := range outcome.Failures {
			place := ""
			if failure.Where != "" {
				place = strings.TrimPrefix(failure.Where, caseDir) + ": "
			}
			fmt.Fprintf(&text, "%s: %s%s\n", outcome.Name, place, failure)
			// The heads of a diff name files; what differs is what counts.
			for line := range strings.Lines(failure.Diff) {
				if line[0] == '-' && !strings.HasPrefix(line, "---") || line[0] == '+' && !strings.HasPrefix(line, "+++") {
					text.WriteString("  " + line)
				}
			}
		}
	}
	for _, orphan := range report.Orphans {
		fmt.Fprintf(&text, "orphan %s\n", orphan)
	}
	if report.Failed != failed || report.Passed+report.Failed != len(report.Cases) {
		t.Errorf("counted %d passed and %d failed of %d cases, %d of them with failures", report.Passed, report.Failed, len(report.Cases), failed)
	}
	if (report.Err() == nil) != (text.Len() == 0) {
		t.Errorf("Err is %v, failures are %q", report.Err(), text.String())
	}
	return text.String()
}

func catalogSet(t testing.TB) *resolver.Set {
	t.Helper()
	set, err := resolver.NewSet(catalog.Candidates())
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// An expectation that fails keeps the golden from being approved.
func TestUpdateApprovesOnlyWhatIsExpected(t *testing.T) {
	files := approved(t)
	overlay(t, files, "testdata/failures/phase.txtar")
	overlay(t, files, "testdata/failures/golden-differs.txtar")
	files[caseDir+"case.yaml"] = &fstest.MapFile{Data: []byte("description: d\nprovenance: written\nexpect: {phase: Failed}\n")}
	report, err := testkit.Replay(context.Background(), testkit.Options{
		Files: files, Paths: []string{"fixtures"}, Definitions: catalogSet(t),
		Update: func(name string, _ []byte) error {
			t.Errorf("%s was written", name)
			return nil
		},
	})
	if err != nil || report.Failed != 1 || report.Updated != 0 {
		t.Errorf("got %+v, error %v", report, err)
	}
}

// A golden that cannot be written is a failure, not silence.
func TestUpdateReportsWhatItCannotWrite(t *testing.T) {
	files := approved(t)
	delete(files, caseDir+"golden.yaml")
	report, err := testkit.Replay(context.Background(), testkit.Options{
		Files: files, Paths: []string{"fixtures"}, Definitions: catalogSet(t),
		Update: func(string, []byte) error { return errors.New("disk is full") },
	})
	want := "golden: write " + caseDir + "golden.yaml: disk is full"
	if err != nil || report.Failed != 1 || report.Updated != 0 || report.Cases[0].Failures[0].String() != want {
		t.Errorf("got %+v, error %v; want %s", report, err, want)
	}
}
