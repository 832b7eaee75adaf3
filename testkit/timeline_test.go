package testkit_test

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/workloadmap/wm/testkit"
)

// approvedTimeline is the timeline of testdata/timeline.txtar with its golden.
func approvedTimeline(t *testing.T) fstest.MapFS {
	t.Helper()
	files := fstest.MapFS{}
	overlay(t, files, "testdata/timeline.txtar")
	report, err := testkit.Replay(context.Background(), testkit.Options{
		Files: files, Paths: []string{"fixtures"}, Definitions: catalogSet(t),
		Update: func(name string, content []byte) error {
			files[name] = &fstest.MapFile{Data: content}
			return nil
		},
	})
	if err != nil || report.Err() != nil || report.Updated != 1 {
		t.Fatalf("the timeline was not approved: %v, error %v", report.Err(), err)
	}
	return files
}

// A timeline has one golden, with the view of every frame in order.
func TestTimelineGoldenHoldsEveryFrame(t *testing.T) {
	files := approvedTimeline(t)
	if text := found(t, files); text != "" {
		t.Fatalf("the approved timeline fails: %s", text)
	}
	golden := string(files[caseDir+"golden.yaml"].Data)
	frames := regexp.MustCompile(`(?m)^- frame: (.*)$`).FindAllStringSubmatch(golden, -1)
	var names []string
	for _, frame := range frames {
		names = append(names, frame[1])
	}
	if want := []string{"running", "suspended", "again"}; !slices.Equal(names, want) {
		t.Errorf("the golden holds frames %v, want %v", names, want)
	}
}

// Each change of one file breaks the timeline in one way.
func TestTimelineFailures(t *testing.T) {
	const timeline = caseDir + "timeline.yaml"
	tests := map[string]struct{ file, old, new, want string }{
		"expectation of a later frame": {timeline, "gpus: 8", "gpus: 4",
			"timeline.yaml:14:34: frame again: expect.gpus: expected 4, got 8"},
		"action that did not reach the object": {caseDir + "again.yaml", "suspend: false", "suspend: true",
			"timeline.yaml:12:11: frame again: action: expected resume writes /spec/suspend: false, got /spec/suspend: true"},
		"action whose field is missing": {caseDir + "suspended.yaml", "  suspend: true\n", "",
			"timeline.yaml:8:11: frame suspended: action: expected suspend writes /spec/suspend: true, got /spec/suspend: removed"},
		"frame of another kind": {caseDir + "again.yaml", "apiVersion: batch/v1\nkind: Job", "apiVersion: apps/v1\nkind: Deployment",
			"frame again: definition: the object is read by apps-deployment-v1, but the case stands under batch-job-v1"},
		"object that is not there": {timeline, "object: again.yaml", "object: agian.yaml",
			"frame again: object: cannot read fixtures/batch-job-v1/running/agian.yaml: no such file"},
		"no name":             {timeline, "- name: again\n  action", "- action", "case: " + timeline + ":11:3: name is missing: failures and goldens tell frames apart by it"},
		"two of one name":     {timeline, "name: again", "name: running", "case: " + timeline + ":11:3: an earlier frame is named running too"},
		"unknown action":      {timeline, "action: resume", "action: restart", "case: " + timeline + ":12:11: \"restart\" is not one of suspend, resume"},
		"misspelt field":      {timeline, "after:", "aftr:", "case: " + timeline + ":7:3: unknown field aftr; did you mean after?"},
		"frame without phase": {timeline, "{phase: Running, gpus: 8}", "{gpus: 8}", "case: " + timeline + ":11:3: expect.phase is missing: a frame states at least the phase"},
		"frame not judged yet": {timeline, "{phase: Running, gpus: 8}", "{}", "case: " + timeline + ":11:3: frame again: no expectation yet: " +
			"state at least expect.phase, judged from the framework's own rules"},
		"object of another folder": {timeline, "object: again.yaml", "object: ../x/again.yaml",
			"case: " + timeline + ":13:11: \"../x/again.yaml\" is not a file in the case's own folder"},
		"YAML error": {timeline, "{phase: Running, gpus: 8}", "{phase: Running, gpus: 8",
			"case: " + timeline + ":14:11: this `{` is never closed"},
		"frame that no definition reads": {caseDir + "again.yaml", "apiVersion: batch/v1\nkind: Job", "apiVersion: widgets.dev/v1\nkind: Widget",
			"frame again: definition: no definition for widgets.dev/v1 Widget"},
		"action before a first": {timeline, "- name: running\n", "- name: running\n  action: suspend\n", "case: " + timeline + ":2:3: the first frame has no action: nothing came before it"},
		"no frames":             {timeline, "frames:", "# frames:\nframes: []\nx:", "case: " + timeline + ":3:1: unknown field x; known are frames"},
		"expectation beside the frames": {caseDir + "case.yaml", "timeline:", "expect: {phase: Running}\ntimeline:",
			"case: " + caseDir + "case.yaml:3:9: a case with a timeline has expect in its frames, not here"},
		"timeline that is not there": {caseDir + "case.yaml", "timeline.yaml", "frames.yaml",
			"case: cannot read " + caseDir + "frames.yaml: no such file"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			files := approvedTimeline(t)
			content := string(files[test.file].Data)
			changed := strings.Replace(content, test.old, test.new, 1)
			if changed == content {
				t.Fatalf("%s does not hold %q", test.file, test.old)
			}
			files[test.file] = &fstest.MapFile{Data: []byte(changed)}
			report, err := testkit.Replay(context.Background(), testkit.Options{
				Files: files, Paths: []string{"fixtures"}, Definitions: catalogSet(t)})
			if err != nil || len(report.Cases) != 1 {
				t.Fatalf("got %+v, error %v", report, err)
			}
			failures := slices.DeleteFunc(report.Cases[0].Failures, func(f testkit.Failure) bool { return f.Check == "golden" })
			var lines []string
			for _, failure := range failures {
				line := failure.String()
				if failure.Where != "" {
					line = strings.TrimPrefix(failure.Where, caseDir) + ": " + line
				}
				lines = append(lines, line)
			}
			if len(lines) == 0 || lines[0] != test.want {
				t.Errorf("want %s\ngot  %s", test.want, strings.Join(lines, "\n     "))
			}
		})
	}
}

// A file that no frame names is not used, whatever its frames' names are.
func TestTimelineFilesAreUsed(t *testing.T) {
	files := approvedTimeline(t)
	files[caseDir+"object.yaml"] = files[caseDir+"again.yaml"]
	want := "batch-job-v1/running: files: object.yaml is not used by the case: name it in case.yaml or delete it\n"
	if difference := cmp.Diff(want, found(t, files)); difference != "" {
		t.Errorf("want (-), got (+):\n%s", difference)
	}
}

// Run chooses by <definition>/<case>; a choice of nothing is an error, since a
// misspelt name would otherwise pass.
func TestRunChoosesCases(t *testing.T) {
	files := approvedTimeline(t)
	for pattern, want := range map[string]string{
		"^batch-job-v1/run": "1 case",
		"running$":          "1 case",
		"suspended":         "no case in fixtures has a name that matches suspended",
	} {
		report, err := testkit.Replay(context.Background(), testkit.Options{
			Files: files, Paths: []string{"fixtures"}, Definitions: catalogSet(t), Run: regexp.MustCompile(pattern)})
		got := "1 case"
		if err != nil {
			got = err.Error()
		} else if len(report.Cases) != 1 {
			got = "other cases"
		}
		if got != want {
			t.Errorf("%s: got %s, want %s", pattern, got, want)
		}
	}
}

// Two goldens that were swapped are named, instead of shown as two diffs of
// unrelated objects.
func TestGoldenOfAnotherCase(t *testing.T) {
	files := approved(t)
	const other = "fixtures/batch-job-v1/other/"
	for _, name := range []string{"case.yaml", "pods.yaml"} {
		files[other+name] = files[caseDir+name]
	}
	object := strings.Replace(string(files[caseDir+"object.yaml"].Data), "completions: 6", "completions: 7", 1)
	files[other+"object.yaml"] = &fstest.MapFile{Data: []byte(strings.Replace(object, "{name: j,", "{name: k,", 1))}
	golden := strings.Replace(string(files[caseDir+"golden.yaml"].Data), "\nname: j\n", "\nname: k\n", 1)
	files[other+"golden.yaml"] = files[caseDir+"golden.yaml"]
	files[caseDir+"golden.yaml"] = &fstest.MapFile{Data: []byte(golden)}
	want := "batch-job-v1/other: golden: fixtures/batch-job-v1/other/golden.yaml is the view of another case, batch-job-v1/running\n" +
		"batch-job-v1/running: golden: fixtures/batch-job-v1/running/golden.yaml is the view of another case, batch-job-v1/other\n"
	if difference := cmp.Diff(want, found(t, files)); difference != "" {
		t.Errorf("want (-), got (+):\n%s", difference)
	}
	// The same when only one of them is wrong: a folder that was copied.
	files[caseDir+"golden.yaml"] = files[other+"golden.yaml"]
	want, _, _ = strings.Cut(want, "batch-job-v1/running: ")
	if difference := cmp.Diff(want, found(t, files)); difference != "" {
		t.Errorf("want (-), got (+):\n%s", difference)
	}
}
