package rules

import (
	"context"
	"errors"
	"strings"

	"github.com/workloadmap/wm/api/v1alpha1"
	"github.com/workloadmap/wm/jq"
	"github.com/workloadmap/wm/lint"
)

func pathNotAssignable() lint.Rule {
	return lint.Rule{
		ID: "WM206", Name: "path-not-assignable", Severity: lint.Error,
		Summary: "A path that suspending or resuming writes to cannot be written to.",
		Check: func(d *lint.Definition, report lint.Report) {
			for _, e := range d.Expressions {
				if e.Role == v1alpha1.RoleSuspendPath && e.Program != nil && !e.Program.Assignable() && computes(e.Program) {
					report(e.Node.TextRange(0, len(e.Text)), "this expression computes a value, it is no place to write to",
						"use a path of fields, such as `.spec.suspend`")
				}
			}
		},
	}
}

// computes reports whether an expression certainly gives something other than
// places. Assignable knows the usual forms of paths; what else there is, such as
// an if between two paths, is tried on an object that has no fields yet.
func computes(program *jq.Program) bool {
	in, err := jq.NewInput(map[string]any{})
	if err != nil {
		return false
	}
	_, err = program.Paths(context.Background(), in)
	var fault *jq.Error
	return errors.As(err, &fault) && strings.HasPrefix(fault.Message, "invalid path")
}
