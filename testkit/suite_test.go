package testkit_test

import (
	"context"
	"encoding/json"
	"maps"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"sigs.k8s.io/yaml"

	"github.com/workloadmap/wm/testkit"
)

func load(t *testing.T, files fstest.MapFS, change func(*testkit.Options)) (*testkit.Suite, error) {
	t.Helper()
	options := testkit.Options{Files: files, Paths: []string{"fixtures"}, Definitions: catalogSet(t)}
	if change != nil {
		change(&options)
	}
	return testkit.Load(context.Background(), options)
}

// A suite replays a case as Replay does: the view is that of the golden, and a
// wrong expectation fails.
func TestSuiteReplaysAsReplay(t *testing.T) {
	files := approved(t)
	suite, err := load(t, files, nil)
	if err != nil || len(suite.Faults) > 0 || len(suite.Definitions) != 1 || len(suite.Definitions[0].Cases) != 1 {
		t.Fatalf("loaded %+v, error %v", suite, err)
	}
	read := suite.Definitions[0]
	result, err := read.Cases[0].ReplayFrame(context.Background(), read.Resolver, 0)
	if err != nil || len(result.Failures) > 0 {
		t.Fatalf("failures %v, error %v", result.Failures, err)
	}
	var view struct{ View any }
	var golden any
	if err := json.Unmarshal(result.View, &view); err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(files[caseDir+"golden.yaml"].Data, &golden); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(view.View, golden) {
		t.Errorf("the view is\n%v\nthe golden is\n%v", view.View, golden)
	}

	overlay(t, files, "testdata/failures/phase.txtar")
	if suite, err = load(t, files, nil); err != nil {
		t.Fatal(err)
	}
	result, err = suite.Definitions[0].Cases[0].ReplayFrame(context.Background(), read.Resolver, 0)
	if err != nil || len(result.Failures) != 1 || result.Failures[0].Check != "expect.phase" {
		t.Errorf("failures %v, error %v; want one of expect.phase", result.Failures, err)
	}
}

// A case that cannot be read is a fault and no error; nothing to read is one.
func TestSuiteLimits(t *testing.T) {
	files := maps.Clone(approved(t))
	files["fixtures/batch-job-v1/broken/case.yaml"] = &fstest.MapFile{Data: []byte("descripton: x\n")}
	suite, err := load(t, files, nil)
	if err != nil || len(suite.Definitions) != 1 || len(suite.Faults) != 1 ||
		!strings.HasPrefix(suite.Faults[0].Error(), "load case batch-job-v1/broken: fixtures/batch-job-v1/broken/case.yaml:1:1: unknown field descripton") {
		t.Errorf("loaded %+v, error %v", suite, err)
	}
	suite, err = load(t, files, func(o *testkit.Options) { o.Run = regexp.MustCompile("running") })
	if err != nil || len(suite.Definitions) != 1 || len(suite.Faults) != 0 {
		t.Errorf("loaded %+v, error %v", suite, err)
	}
	for want, change := range map[string]func(*testkit.Options){
		"no case in fixtures has a name that matches walking":         func(o *testkit.Options) { o.Run = regexp.MustCompile("walking") },
		"no case in fixtures is read by the definition in mine":       func(o *testkit.Options) { o.Run, o.Origin = regexp.MustCompile("running"), "mine" },
		"no case found in empty: a case is a folder with a case.yaml": func(o *testkit.Options) { o.Paths = []string{"empty"} },
	} {
		files["empty/readme.txt"] = &fstest.MapFile{}
		if _, err := load(t, files, change); err == nil || err.Error() != want {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}
