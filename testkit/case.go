package testkit

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/workloadmap/wm/api/v1alpha1"
	"github.com/workloadmap/wm/internal/suggest"
	"github.com/workloadmap/wm/source"
)

// caseFile is the name that makes a folder a case; goldenFile holds the approved view.
const (
	caseFile   = "case.yaml"
	goldenFile = "golden.yaml"
)

// Case is one folder of fixtures.
type Case struct {
	// Dir is the folder. Name is its last two elements, <definition>/<case>.
	Dir, Name string
	// Definition is the name of the definition that the case belongs to.
	Definition  string
	Description string
	// Provenance is "written" by a person or "recorded" from a live run.
	Provenance string
	// Timeline is the name of the file with the frames, "" for a single object.
	Timeline string
	// Frames are the states of the workload in order, never empty. The files that
	// they name are in the case's folder: one with the root object, and one with
	// its pods and the objects between, "" when there are none.
	Frames []Frame
}

// Expect is what a person expects of the object, judged from the framework's
// own rules. Only what is stated is checked, but what is stated is checked
// completely: replicas must name every counted instance, requests every resource.
type Expect struct {
	Phase         v1alpha1.Phase
	MatchedPhases []v1alpha1.Phase
	GPUs          *int64
	// Replicas maps component or component/instance to its count; nil values mean unknown.
	Replicas map[string]*int64
	// Min and Max are the bounds, by component or component/instance; only what is named is checked.
	Min, Max map[string]*int64
	// Absent names components that the object does not have.
	Absent   []string
	Requests map[string]resource.Quantity
	// Gangs are all gangs of the workload, sorted by name and key.
	Gangs []ExpectedGang
	// Unattributed and Ambiguous name the pods that no role, or two, claim.
	Unattributed, Ambiguous []string
	// Problems lists component/field of every problem that the object must raise.
	Problems []string
	// Edits are changes of pods made through the definition. Suspend and Resume
	// are the definition's own actions; nil leaves them unchecked.
	Edits           []ExpectedChange
	Suspend, Resume *ExpectedChange

	where map[string]string
}

// noExpectation is what an imported case fails with until a person has judged it.
const noExpectation = "no expectation yet: state at least expect.phase, judged from the framework's own rules"

// unstated reports that nobody has said anything about the object.
func (e *Expect) unstated() bool { return len(e.where) == 0 }

// loadCase reads case.yaml strictly: a misspelt key would otherwise be an
// expectation that nobody checks.
func loadCase(files fs.FS, dir string) (*Case, error) {
	name := path.Join(dir, caseFile)
	documents, err := readDocuments(files, name)
	if err != nil {
		return nil, err
	}
	if len(documents) != 1 {
		return nil, fmt.Errorf("%s holds %d documents, a case is one", name, len(documents))
	}
	definition := path.Base(path.Dir(dir))
	c := &Case{Dir: dir, Name: definition + "/" + path.Base(dir), Definition: definition}
	only := Frame{Object: "object.yaml"}
	r := caseReader{file: documents[0].File()}
	r.fields(documents[0].Root(), map[string]func(source.Node, any){
		"description": func(n source.Node, v any) { c.Description = r.text(n, v) },
		"provenance":  func(n source.Node, v any) { c.Provenance = r.word(n, v, "recorded", "written") },
		"timeline":    func(n source.Node, v any) { c.Timeline = r.fileName(n, v) },
		"object":      func(n source.Node, v any) { only.Object = r.fileName(n, v) },
		"pods":        func(n source.Node, v any) { only.Pods = r.fileName(n, v) },
		"expect":      func(n source.Node, v any) { r.expect(n, v, &only.Expect) },
	}, documents[0].Value())
	if r.err == nil && c.Timeline == "" && only.Expect.unstated() {
		r.fail(documents[0].Root(), noExpectation)
	}
	if c.Timeline != "" {
		for _, field := range []string{"object", "pods", "expect"} {
			if held, depth := documents[0].Find(field); depth == 1 {
				r.fail(held, "a case with a timeline has %s in its frames, not here", field)
			}
		}
	}
	if r.err == nil && c.Timeline == "" && only.Expect.Phase == "" {
		r.fail(documents[0].Root(), "expect.phase is missing: a case states at least the phase")
	}
	c.Frames = []Frame{only}
	if r.err == nil && c.Timeline != "" {
		if c.Frames, err = loadTimeline(files, path.Join(dir, c.Timeline)); err != nil {
			return c, err
		}
	}
	if r.err == nil && c.Description == "" {
		r.fail(documents[0].Root(), "description is missing: say why the expectation follows from the framework's rules")
	}
	return c, r.err
}

// files names the files of the folder that the case uses.
func (c *Case) files() []string {
	names := []string{c.Timeline}
	for _, frame := range c.Frames {
		names = append(names, frame.Object, frame.Pods)
	}
	return names
}

// readDocuments refuses a file in which anything is broken. A key that stands
// twice is broken too: of two expectations one would silently not be checked.
func readDocuments(files fs.FS, name string) ([]*source.Document, error) {
	content, err := source.Read(files, name, nil)
	if err != nil {
		return nil, err
	}
	documents, faults := source.Parse(name, content)
	if len(faults) > 0 {
		return nil, faults[0]
	}
	for _, document := range documents {
		if err := document.Unambiguous(); err != nil {
			return nil, err
		}
	}
	return documents, nil
}

// caseReader keeps the first fault, with its place.
type caseReader struct {
	file *source.File
	err  error
}

func (r *caseReader) fail(node source.Node, format string, arguments ...any) {
	if r.err == nil {
		r.err = &source.Error{File: r.file, Range: node.Range(), Message: fmt.Sprintf(format, arguments...)}
	}
}

// fields gives each value of a mapping to the function for its key.
func (r *caseReader) fields(node source.Node, known map[string]func(source.Node, any), value any) {
	object, ok := value.(map[string]any)
	if !ok {
		r.fail(node, "a mapping is needed here")
		return
	}
	names := make([]string, 0, len(known))
	for name := range known {
		names = append(names, name)
	}
	slices.Sort(names)
	for key, child := range node.Fields() {
		read, ok := known[key.Text()]
		if !ok {
			help := "known are " + strings.Join(names, ", ")
			if nearest, found := suggest.Nearest(key.Text(), names); found {
				help = "did you mean " + nearest + "?"
			}
			r.fail(key, "unknown field %s; %s", key.Text(), help)
			continue
		}
		read(child, object[key.Text()])
	}
}

func (r *caseReader) text(node source.Node, value any) string {
	text, ok := value.(string)
	if !ok {
		r.fail(node, "a string is needed here")
	}
	return text
}

// fileName reads the name of a file of the case's own folder. One elsewhere
// would change without anybody looking at this case.
func (r *caseReader) fileName(node source.Node, value any) string {
	name := r.text(node, value)
	if r.err == nil && (name == "" || strings.Contains(name, "/") || strings.HasPrefix(name, ".") || name == caseFile || name == goldenFile) {
		r.fail(node, "%q is not a file in the case's own folder", name)
	}
	return name
}

func (r *caseReader) word(node source.Node, value any, words ...string) string {
	text := r.text(node, value)
	if !slices.Contains(words, text) {
		r.fail(node, "%q is not one of %s", text, strings.Join(words, ", "))
	}
	return text
}

func (r *caseReader) texts(node source.Node, value any) []string {
	items, ok := value.([]any)
	if !ok {
		r.fail(node, "a list is needed here")
		return nil
	}
	texts := make([]string, 0, len(items))
	for i, item := range items {
		child, _ := node.Find(i)
		texts = append(texts, r.text(child, item))
	}
	return texts
}

// integer accepts null where a number may be unknown.
func (r *caseReader) integer(node source.Node, value any) *int64 {
	switch value := value.(type) {
	case nil:
		return nil
	case int64:
		return &value
	default:
		r.fail(node, "a whole number is needed here")
		return nil
	}
}
