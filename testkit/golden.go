package testkit

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"

	"github.com/rogpeppe/go-internal/diff"
	"sigs.k8s.io/yaml"

	"github.com/workloadmap/wm/resolver"
	"github.com/workloadmap/wm/source"
)

// golden compares the whole view with the approved one, or approves it. The
// view of a case whose expectation fails is never approved.
func (o *Outcome) golden(options Options, c *Case, views []frameView) {
	name := path.Join(c.Dir, goldenFile)
	actual, err := render(c, views)
	if err != nil {
		o.Failures = append(o.Failures, Failure{Check: "golden", Message: err.Error()})
		return
	}
	o.actual = actual
	approved, err := fs.ReadFile(options.Files, name)
	missing := errors.Is(err, fs.ErrNotExist)
	if err != nil && !missing {
		o.Failures = append(o.Failures, Failure{Check: "golden", Message: fmt.Sprintf("read %s: %v", name, err)})
		return
	}
	if !missing && bytes.Equal(approved, actual) {
		return
	}
	if options.Update != nil && len(o.Failures) == 0 {
		if err := options.Update(name, actual); err != nil {
			o.Failures = append(o.Failures, Failure{Check: "golden", Message: fmt.Sprintf("write %s: %v", name, err)})
			return
		}
		o.updated = true
		return
	}
	if missing {
		o.Failures = append(o.Failures, Failure{Check: "golden",
			Message: fmt.Sprintf("%s is missing; look at the view, then write it with wm test --update %s", name, c.Dir)})
		return
	}
	if message := strangeGolden(name, approved, c); message != "" {
		o.Failures = append(o.Failures, Failure{Check: "golden", Message: message})
		return
	}
	o.approved = approved
	o.Failures = append(o.Failures, Failure{Check: "golden", Expected: "the view in " + goldenFile, Actual: "another view",
		Diff: string(diff.Diff(name, approved, "actual", actual))})
}

// strangeGolden says of a golden that cannot be this case's what it is instead,
// "" when it can: the diff would be of everything.
func strangeGolden(name string, content []byte, c *Case) string {
	again := fmt.Sprintf("; delete it, then write it with wm test --update %s", c.Dir)
	documents, faults := source.Parse(name, content)
	if len(faults) > 0 {
		return faults[0].Error() + again
	}
	if len(documents) != 1 {
		return fmt.Sprintf("%s holds %d documents, a golden is one%s", name, len(documents), again)
	}
	views, isList := documents[0].Value().([]any)
	switch {
	case c.Timeline == "" && isList:
		return name + " is of a timeline, the case has a single object" + again
	case c.Timeline == "":
		views = []any{documents[0].Value()}
	case !isList:
		return name + " is of a single object, the case is a timeline" + again
	}
	for _, view := range views {
		held, ok := view.(map[string]any)
		if c.Timeline != "" {
			held, ok = held["view"].(map[string]any)
		}
		definition, _ := held["definition"].(map[string]any)
		switch {
		case !ok:
			return name + " holds no view" + again
		case definition["name"] != any(c.Definition) && definition["name"] != nil:
			return fmt.Sprintf("%s is the view of another case, one of %v%s", name, definition["name"], again)
		}
	}
	return ""
}

// swappedGoldens says of a golden that differs when it is exactly the view of
// another case of the run: the diff would only show two unrelated objects.
func swappedGoldens(outcomes []Outcome) {
	owner := map[string]string{}
	for _, outcome := range outcomes {
		if outcome.actual != nil {
			owner[string(outcome.actual)] = outcome.Name
		}
	}
	for _, outcome := range outcomes {
		other := owner[string(outcome.approved)]
		if outcome.approved == nil || other == "" || other == outcome.Name {
			continue
		}
		for i, failure := range outcome.Failures {
			if failure.Check == "golden" {
				outcome.Failures[i] = Failure{Check: "golden", Message: fmt.Sprintf("%s is the view of another case, %s",
					path.Join(outcome.Dir, goldenFile), other)}
			}
		}
	}
}

// frameView is the view of one frame, as the golden file of a timeline lists them.
type frameView struct {
	Frame string             `json:"frame"`
	View  *resolver.Workload `json:"view"`
}

// viewOf takes a workload as golden.yaml holds it. Where the definition came
// from says nothing about the workload, so it is left out.
func viewOf(c *Case, frame *Frame, workload *resolver.Workload) frameView {
	shown := *workload
	shown.Definition = resolver.DefinitionReference{Name: c.Definition}
	return frameView{Frame: frame.Name, View: &shown}
}

// render writes a golden file: the bare view of a single object, the list of
// the frames' views for a timeline.
func render(c *Case, views []frameView) ([]byte, error) {
	var shown any = views
	if c.Timeline == "" {
		shown = views[0].View
	}
	content, err := yaml.Marshal(shown)
	if err != nil {
		return nil, fmt.Errorf("render the view of %s: %w", c.Name, err)
	}
	return content, nil
}
