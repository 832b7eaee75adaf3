package testkit

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/workloadmap/wm/resolver"
	"github.com/workloadmap/wm/source"
)

// Options say what to replay.
type Options struct {
	// Files reads Paths, the folders to search for cases.
	Files fs.FS
	Paths []string
	// Definitions reads the cases' objects.
	Definitions *resolver.Set
	// Written gives a definition as it was written, so that failures can point
	// into it; nil leaves the places out.
	Written func(resolver.DefinitionReference) (*source.Document, error)
	// Origin limits the run to the cases that a definition of this origin reads; "" replays all.
	Origin string
	// Run limits the run to the cases whose name matches; nil replays all.
	Run *regexp.Regexp
	// Update writes golden.yaml instead of comparing with it; nil compares.
	Update func(name string, content []byte) error
	// Progress is told of every case that is done; nil tells nobody.
	Progress Progress
}

// Report is the result of a run, in order of the cases' names.
type Report struct {
	Cases []Outcome `json:"cases"`
	// Orphans are files that belong to no case; each fails the run.
	Orphans []string `json:"orphans"`
	Passed  int      `json:"passed"`
	Failed  int      `json:"failed"`
	// Updated counts goldens that were written.
	Updated int `json:"updated"`
}

// Outcome is the result of one case; it passed when there are no failures.
type Outcome struct {
	// Name is <definition>/<case>, Definition its first half.
	Name       string    `json:"name"`
	Definition string    `json:"definition"`
	Dir        string    `json:"dir"`
	Failures   []Failure `json:"failures"`
	updated    bool
	// actual is the view as a golden holds it, approved the golden when it differs.
	actual, approved []byte
	skipped          bool
}

// Failure is one thing that is not as the case says.
type Failure struct {
	// Check names what was compared, such as expect.phase or golden.
	Check string `json:"check"`
	// Frame is the frame of a timeline, "" for a case with a single object.
	Frame string `json:"frame,omitempty"`
	// Where is file:line:column of the expectation, "" when there is no such place.
	Where    string `json:"where,omitempty"`
	Expected string `json:"expected,omitempty"`
	Actual   string `json:"actual,omitempty"`
	Message  string `json:"message,omitempty"`
	// Diff is a unified diff from the golden to the actual view.
	Diff string `json:"diff,omitempty"`
	// Places are the expressions of the definition that gave the value; empty
	// where that cannot be told.
	Places []Place `json:"places,omitempty"`

	// about is what the value is of: component, component/id or resource.
	about string
}

// Err is nil when everything passed.
func (r *Report) Err() error {
	if r.Failed == 0 && len(r.Orphans) == 0 {
		return nil
	}
	var lines []error
	for _, outcome := range r.Cases {
		for _, failure := range outcome.Failures {
			lines = append(lines, fmt.Errorf("%s: %s", outcome.Name, failure))
		}
	}
	for _, orphan := range r.Orphans {
		lines = append(lines, fmt.Errorf("%s belongs to no case", orphan))
	}
	return errors.Join(lines...)
}

// String is the failure in one line, without the diff.
func (f Failure) String() string {
	check := f.Check
	if f.Frame != "" {
		check = "frame " + f.Frame + ": " + check
	}
	if f.Message != "" {
		return check + ": " + f.Message
	}
	return fmt.Sprintf("%s: expected %s, got %s", check, f.Expected, f.Actual)
}

// Replay resolves the object of every case and compares. An error means that
// the run itself was not possible: no case, an unreadable folder.
func Replay(ctx context.Context, options Options) (*Report, error) {
	found, err := find(options.Files, options.Paths)
	if err != nil {
		return nil, err
	}
	if options.Run != nil {
		found.dirs = slices.DeleteFunc(found.dirs, func(dir string) bool { return !options.Run.MatchString(caseName(dir)) })
		if len(found.dirs) == 0 {
			return nil, fmt.Errorf("no case in %s has a name that matches %s", strings.Join(options.Paths, ", "), options.Run)
		}
	}
	outcomes := make([]Outcome, len(found.dirs))
	steps := NewSteps(options.Progress, len(found.dirs))
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, dir := range found.dirs {
		group.Go(func() error {
			outcomes[i] = replay(ctx, options, dir)
			steps.Done()
			return ctx.Err()
		})
	}
	if err := group.Wait(); err != nil {
		return nil, fmt.Errorf("replay: %w", err)
	}
	swappedGoldens(outcomes)
	report := &Report{Cases: []Outcome{}, Orphans: append([]string{}, found.orphans...)}
	for _, outcome := range outcomes {
		report.add(outcome)
	}
	if len(report.Cases) == 0 {
		return nil, fmt.Errorf("no case in %s is read by the definition in %s", strings.Join(options.Paths, ", "), options.Origin)
	}
	return report, nil
}

func (r *Report) add(outcome Outcome) {
	if outcome.skipped {
		return
	}
	r.Cases = append(r.Cases, outcome)
	if outcome.updated {
		r.Updated++
	}
	if len(outcome.Failures) > 0 {
		r.Failed++
	} else {
		r.Passed++
	}
}

// caseName is <definition>/<case>, the last two elements of a case's folder.
func caseName(dir string) string { return path.Join(path.Base(path.Dir(dir)), path.Base(dir)) }

func replay(ctx context.Context, options Options, dir string) Outcome {
	definition := path.Base(path.Dir(dir))
	outcome := Outcome{Dir: dir, Definition: definition, Name: caseName(dir), Failures: []Failure{}}
	fail := func(check string, err error) Outcome {
		outcome.Failures = append(outcome.Failures, Failure{Check: check, Message: err.Error()})
		return outcome
	}
	c, err := loadCase(options.Files, dir)
	if err != nil {
		return fail("case", err)
	}
	var before map[string]any
	var views []frameView
	for i := range c.Frames {
		seen := frameReplay{options: options, c: c, frame: &c.Frames[i], before: before}
		failure := seen.run(ctx)
		if seen.skipped {
			outcome.skipped = true
			return outcome
		}
		if failure != nil {
			seen.failures = append(seen.failures, *failure)
		}
		for _, failed := range seen.failures {
			failed.Frame = c.Frames[i].Name
			outcome.Failures = append(outcome.Failures, failed)
		}
		if failure != nil {
			return outcome
		}
		before = seen.object
		views = append(views, seen.view)
	}
	outcome.golden(options, c, views)
	outcome.files(options.Files, c)
	return outcome
}

// frameReplay is the replay of one frame.
type frameReplay struct {
	options Options
	c       *Case
	frame   *Frame
	// before is the object of the frame before, nil in the first.
	before map[string]any

	object   map[string]any
	view     frameView
	failures []Failure
	// skipped is set when another definition than the one asked for reads the case.
	skipped bool
}

// run fills in what the frame shows. A failure that it returns ends the case.
func (f *frameReplay) run(ctx context.Context) *Failure {
	fail := func(check string, err error) *Failure { return &Failure{Check: check, Message: err.Error()} }
	var err error
	if f.object, err = loadObject(f.options.Files, path.Join(f.c.Dir, f.frame.Object)); err != nil {
		return fail("object", err)
	}
	match, err := f.options.Definitions.FindObject(f.object)
	if err != nil {
		return fail("definition", err)
	}
	used := match.Resolver.Definition()
	if f.options.Origin != "" && used.Origin != f.options.Origin && f.before == nil {
		f.skipped = true
		return nil
	}
	if f.options.Origin == "" && used.Name != f.c.Definition || f.options.Origin != "" && used.Origin != f.options.Origin {
		return fail("definition", fmt.Errorf("the object is read by %s, but the case stands under %s", used.Name, f.c.Definition))
	}
	given, _, err := loadPods(f.options.Files, f.c.Dir, f.frame.Pods)
	if err != nil {
		return fail("pods", err)
	}
	workload, err := match.Resolver.Resolve(ctx, f.object, given...)
	if err != nil {
		return fail("resolve", err)
	}
	f.view = viewOf(f.c, f.frame, workload)
	f.failures = append(f.frame.checkAction(ctx, match.Resolver, f.before, f.object),
		f.frame.Expect.check(workload, match.Resolver.ComponentNames())...)
	f.failures = append(f.failures, f.frame.Expect.checkChanges(ctx, match.Resolver, f.object)...)
	f.explain(ctx, used, workload, given)
	return nil
}

func (o *Outcome) files(files fs.FS, c *Case) {
	names, err := unreferenced(files, c)
	if err != nil {
		o.Failures = append(o.Failures, Failure{Check: "files", Message: err.Error()})
	}
	for _, name := range names {
		o.Failures = append(o.Failures, Failure{Check: "files", Message: name + " is not used by the case: name it in " + caseFile + " or delete it"})
	}
}

// loadObject reads the only object of a file.
func loadObject(files fs.FS, name string) (map[string]any, error) {
	objects, err := loadObjects(files, name)
	if err != nil {
		return nil, err
	}
	if len(objects) != 1 {
		return nil, fmt.Errorf("%s holds %d objects, one is needed", name, len(objects))
	}
	return objects[0], nil
}

// loadPods reads the pods of a frame and the objects between them and the root,
// as options of Resolve; pods are the pods among them.
func loadPods(files fs.FS, dir, name string) (given []resolver.ResolveOption, pods []map[string]any, err error) {
	if name == "" {
		return nil, nil, nil
	}
	objects, err := loadObjects(files, path.Join(dir, name))
	if err != nil {
		return nil, nil, err
	}
	var between []map[string]any
	for _, object := range objects {
		if object["apiVersion"] == "v1" && object["kind"] == "Pod" {
			pods = append(pods, object)
		} else {
			between = append(between, object)
		}
	}
	return []resolver.ResolveOption{resolver.WithPods(pods, between...)}, pods, nil
}

func loadObjects(files fs.FS, name string) ([]map[string]any, error) {
	documents, err := readDocuments(files, name)
	if err != nil {
		return nil, err
	}
	var objects []map[string]any
	for _, document := range documents {
		if objects, err = unpack(objects, document.Value()); err != nil {
			return nil, &source.Error{File: document.File(), Range: document.Range(), Message: err.Error()}
		}
	}
	return objects, nil
}

// unpack appends an object, or the objects of a list as kubectl get -o yaml
// writes it.
func unpack(objects []map[string]any, value any) ([]map[string]any, error) {
	object, ok := value.(map[string]any)
	if !ok {
		return nil, errors.New("this is not a Kubernetes object")
	}
	kind, _ := object["kind"].(string)
	items, isList := object["items"].([]any)
	if !isList || !strings.HasSuffix(kind, "List") {
		if apiVersion, _ := object["apiVersion"].(string); apiVersion == "" || kind == "" {
			return nil, errors.New("this is not a Kubernetes object: apiVersion and kind are needed")
		}
		return append(objects, object), nil
	}
	var err error
	for i, item := range items {
		if objects, err = unpack(objects, item); err != nil {
			return nil, fmt.Errorf("items[%d]: %w", i, err)
		}
	}
	return objects, nil
}
