package testkit

import (
	"context"
	"fmt"
	"io/fs"

	"github.com/workloadmap/wm/resolver"
	"github.com/workloadmap/wm/source"
)

// Frame is the state of a workload at one moment: of a timeline, or the only
// one of a case with a single object.
type Frame struct {
	// Name tells the frames of a timeline apart; "" for a single object.
	Name string
	// After says in a sentence what happened since the frame before.
	After string
	// Action is what was asked of the workload since the frame before, through
	// its definition: "suspend", "resume" or "" for nothing. What the definition
	// writes for it has to be found in this frame's object.
	Action string
	// Object and Pods are file names, as in Case.
	Object, Pods string
	Expect       Expect

	// where is file:line:column of the action.
	where string
}

// loadTimeline reads the frames of a timeline file, strictly as case.yaml is.
func loadTimeline(files fs.FS, name string) ([]Frame, error) {
	documents, err := readDocuments(files, name)
	if err != nil {
		return nil, err
	}
	if len(documents) != 1 {
		return nil, fmt.Errorf("%s holds %d documents, a timeline is one", name, len(documents))
	}
	r := caseReader{file: documents[0].File()}
	var frames []Frame
	r.fields(documents[0].Root(), map[string]func(source.Node, any){
		"frames": func(n source.Node, v any) { frames = r.frames(n, v) },
	}, documents[0].Value())
	if r.err == nil && len(frames) == 0 {
		r.fail(documents[0].Root(), "frames is missing: a timeline is a list of frames")
	}
	return frames, r.err
}

func (r *caseReader) frames(node source.Node, value any) []Frame {
	items, ok := value.([]any)
	if !ok {
		r.fail(node, "a list of frames is needed here")
		return nil
	}
	frames := make([]Frame, len(items))
	named := map[string]bool{}
	for i, item := range items {
		child, _ := node.Find(i)
		frame := &frames[i]
		r.frame(child, item, frame)
		switch {
		case frame.Name == "":
			r.fail(child, "name is missing: failures and goldens tell frames apart by it")
		case named[frame.Name]:
			r.fail(child, "an earlier frame is named %s too", frame.Name)
		case frame.Object == "":
			r.fail(child, "object is missing: name the file with the object in this frame")
		case frame.Expect.unstated():
			r.fail(child, "frame %s: %s", frame.Name, noExpectation)
		case frame.Expect.Phase == "":
			r.fail(child, "expect.phase is missing: a frame states at least the phase")
		case i == 0 && frame.Action != "":
			r.fail(child, "the first frame has no action: nothing came before it")
		}
		named[frame.Name] = true
	}
	return frames
}

func (r *caseReader) frame(node source.Node, value any, frame *Frame) {
	r.fields(node, map[string]func(source.Node, any){
		"name":  func(n source.Node, v any) { frame.Name = r.text(n, v) },
		"after": func(n source.Node, v any) { frame.After = r.text(n, v) },
		"action": func(n source.Node, v any) {
			frame.Action, frame.where = r.word(n, v, "suspend", "resume"), r.place(n)
		},
		"object": func(n source.Node, v any) { frame.Object = r.fileName(n, v) },
		"pods":   func(n source.Node, v any) { frame.Pods = r.fileName(n, v) },
		"expect": func(n source.Node, v any) { r.expect(n, v, &frame.Expect) },
	}, value)
}

// checkAction makes a frame's action on the object of the frame before, and
// wants every change of it in the frame's own object. Whatever else differs is
// the controller's business.
func (f *Frame) checkAction(ctx context.Context, r *resolver.Resolver, before, after map[string]any) []Failure {
	act := r.Suspend
	switch f.Action {
	case "":
		return nil
	case "resume":
		act = r.Resume
	}
	edit, err := act(ctx, before)
	if err != nil {
		return []Failure{{Check: "action", Where: f.where, Message: fmt.Sprintf("%s: %v", f.Action, err)}}
	}
	var failures []Failure
	for _, change := range edit.Changes {
		held, found := valueAt(after, change.Path)
		want := changeLine(pointer(change.Path), change.New, change.Removed)
		got := changeLine(pointer(change.Path), held, !found)
		if want != got {
			failures = append(failures, Failure{Check: "action", Where: f.where, Expected: f.Action + " writes " + want, Actual: got})
		}
	}
	return failures
}

// valueAt follows a path of field names and list indexes.
func valueAt(value any, steps []any) (held any, found bool) {
	for _, step := range steps {
		switch step := step.(type) {
		case string:
			object, _ := value.(map[string]any)
			if value, found = object[step]; !found {
				return nil, false
			}
		case int:
			list, _ := value.([]any)
			if step >= len(list) {
				return nil, false
			}
			value = list[step]
		}
	}
	return value, true
}
