package resolver

import (
	"context"
	"errors"
	"fmt"

	"github.com/workloadmap/wm/jq"
)

// evaluation is the state of one Resolve call.
type evaluation struct {
	ctx      context.Context
	root     jq.Input
	presence map[*component]*presence
	// placed is nil when no pods were given.
	placed   *placement
	problems []Problem
}

func (e *evaluation) problem(x *expression, format string, arguments ...any) {
	e.problems = append(e.problems, Problem{
		Component:  x.component,
		Field:      x.field,
		Expression: x.program.String(),
		Message:    fmt.Sprintf(format, arguments...),
	})
}

// run returns all results of an expression; a failure becomes a problem and false.
func (e *evaluation) run(x *expression, in jq.Input) ([]any, bool) {
	results, err := x.program.RunShared(e.ctx, in)
	if err == nil {
		return results, true
	}
	message := err.Error()
	var failure *jq.Error
	if errors.As(err, &failure) {
		message = failure.Message
	}
	e.problem(x, "%s", message)
	return nil, false
}

// one returns the single result of an expression on the whole object. No
// result and null are both nil: the object does not have it.
func (e *evaluation) one(x *expression) (value any, ok bool) {
	results, ok := e.run(x, e.root)
	if !ok {
		return nil, false
	}
	switch len(results) {
	case 0:
		return nil, true
	case 1:
		return results[0], true
	default:
		e.problem(x, "gives %d results where one is needed", len(results))
		return nil, false
	}
}
