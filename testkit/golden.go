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
)

// golden compares the whole view with the approved one, or approves it. The
// view of a case whose expectation fails is never approved.
func (o *Outcome) golden(options Options, c *Case, workload *resolver.Workload) {
	name := path.Join(c.Dir, goldenFile)
	actual, err := view(workload, c.Definition)
	if err != nil {
		o.Failures = append(o.Failures, Failure{Check: "golden", Message: err.Error()})
		return
	}
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
	o.Failures = append(o.Failures, Failure{Check: "golden", Expected: "the view in " + goldenFile, Actual: "another view",
		Diff: string(diff.Diff(name, approved, "actual", actual))})
}

// view renders a workload as golden.yaml holds it. Where the definition came
// from says nothing about the workload, so it is left out.
func view(workload *resolver.Workload, definition string) ([]byte, error) {
	shown := *workload
	shown.Definition = resolver.DefinitionReference{Name: definition}
	content, err := yaml.Marshal(shown)
	if err != nil {
		return nil, fmt.Errorf("render the view of %s: %w", workload.Name, err)
	}
	return content, nil
}
