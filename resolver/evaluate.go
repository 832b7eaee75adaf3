package resolver

import (
	"context"
	"errors"
	"fmt"

	"github.com/workloadmap/wm/jq"
)

// evaluation is the state of one Resolve call.
type evaluation struct {
	ctx  context.Context
	root jq.Input
	// presence has an element for each component, by its index.
	presence []presence
	// placed is nil when no pods were given.
	placed   *placement
	problems []Problem
	// onRoot remembers what programs gave for the whole object: definitions
	// test one expression for several phases.
	onRoot map[*jq.Program]outcome
}

// outcome is what one program gave.
type outcome struct {
	results []any
	err     error
}

// runRoot is run on the whole object.
func (e *evaluation) runRoot(x *expression) ([]any, bool) {
	held, ok := e.onRoot[x.program]
	if !ok {
		held = e.outcomeOf(x, e.root)
		e.onRoot[x.program] = held
	}
	return e.checked(x, held)
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
	return e.checked(x, e.outcomeOf(x, in))
}

func (e *evaluation) outcomeOf(x *expression, in jq.Input) outcome {
	if x.shortcut != nil {
		results, err := x.shortcut.path.RunShared(e.ctx, in)
		if err == nil && len(results) == 1 {
			if results[0] == nil || results[0] == false {
				results[0] = x.shortcut.fallback
			}
			return outcome{results: results}
		}
	}
	results, err := x.program.RunShared(e.ctx, in)
	return outcome{results, err}
}

func (e *evaluation) checked(x *expression, held outcome) ([]any, bool) {
	if held.err == nil {
		return held.results, true
	}
	e.problem(x, "%s", messageOf(held.err))
	return nil, false
}

// messageOf is what went wrong, without the expression, which is shown beside it.
func messageOf(err error) string {
	var failure *jq.Error
	if errors.As(err, &failure) {
		return failure.Message
	}
	return err.Error()
}

// one returns the single result of an expression on the whole object. No
// result and null are both nil: the object does not have it.
func (e *evaluation) one(x *expression) (value any, ok bool) {
	if x.isConstant {
		return x.constant, true
	}
	results, ok := e.runRoot(x)
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
