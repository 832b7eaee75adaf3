package resolver

import (
	"strings"

	"github.com/workloadmap/wm/jq"
)

// batch evaluates several expressions of a repeated component for all its
// instances in one run of the engine, since starting that takes most of the
// time. The zero batch is none.
type batch struct {
	// program gives, for a list of views, the results of each expression on each
	// view, followed by the separator.
	program *jq.Program
	size    int
}

// separator ends the results of one expression. That an object holds the same
// text does no harm: the separators are counted.
const (
	separator        = "\x00next"
	separatorLiteral = `"\u0000next"`
)

// maxBatch bounds the instances that are evaluated in one run, so that many of
// them do not come near the bounds of one run.
const maxBatch = 64

// perEntry prepares the expressions of a repeated component to be evaluated for
// its instances: plain paths are read from the entries, and what needs the
// engine is put into a batch.
func perEntry(c *component) batch {
	base, ok := c.instanceIDs.program.Base()
	if !ok {
		return batch{}
	}
	expressions := []*expression{c.instanceIDs, c.scale.replicas, c.scale.min, c.scale.max}
	if c.pods != nil {
		expressions = append(expressions, c.pods.expressions()...)
	}
	var parts []string
	var together []*expression
	for i, x := range expressions {
		if x == nil || !x.program.Mentions(base) {
			continue
		}
		x.below, x.isBelow = fieldsBelow(x.program, base)
		if i > 0 && !x.isBelow && !direct(x.program) {
			// The line break ends a comment at the end of the expression.
			parts = append(parts, "("+x.program.String()+"\n), "+separatorLiteral)
			together = append(together, x)
		}
	}
	if len(parts) == 0 {
		return batch{}
	}
	program, err := jq.Compile(".[] | " + strings.Join(parts, ", "))
	if err != nil {
		// Too long together, for one: they are evaluated one by one then.
		return batch{}
	}
	for i, x := range together {
		x.batched = i + 1
	}
	return batch{program: program, size: len(together)}
}

// fieldsBelow are the steps of a plain path after its base, when these are
// nothing but fields.
func fieldsBelow(program *jq.Program, base jq.Path) (fields []string, ok bool) {
	path, plain := program.Path()
	if !plain || !path.HasPrefix(base) {
		return nil, false
	}
	for _, step := range path[len(base):] {
		if step.Kind != jq.StepField {
			return nil, false
		}
		fields = append(fields, step.Field)
	}
	return fields, true
}

// entryValue reads what an expression gives for one entry of the base; false
// when it is no plain path or does not apply there.
func (x *expression) entryValue(view jq.Entry) (value any, ok bool) {
	if !x.isBelow {
		return nil, false
	}
	value, ok = valueAt(view.Alone.Value(), view.View)
	for _, field := range x.below {
		if value == nil || !ok {
			return nil, ok
		}
		var held map[string]any
		held, ok = value.(map[string]any)
		value = held[field]
	}
	return value, ok
}

// fromBatch gives the results of an expression for one view; false when that did
// not work: then the view has to be asked by itself, which also tells what went
// wrong.
func (e *evaluation) fromBatch(x *expression, in *instances, view int) (results []any, done bool) {
	if x.batched == 0 || in.batch == nil || in.batch.program == nil {
		return nil, false
	}
	if in.batched == nil {
		in.batched = e.runBatch(in)
		if in.batched == nil {
			in.batch = nil
			return nil, false
		}
	}
	return in.batched[view*in.batch.size+x.batched-1], true
}

func (e *evaluation) runBatch(in *instances) [][]any {
	if len(in.views) < 2 || len(in.views) > maxBatch {
		return nil
	}
	results, err := in.batch.program.RunShared(e.ctx, jq.Together(in.views))
	if err != nil {
		return nil
	}
	split := make([][]any, 0, len(in.views)*in.batch.size)
	start := 0
	for i, result := range results {
		if result == separator {
			split = append(split, results[start:i:i])
			start = i + 1
		}
	}
	if len(split) != len(in.views)*in.batch.size {
		return nil
	}
	return split
}

// shortcut reads a plain path with a list or an object as its default, such as
// .status.conditions // [], without the engine.
type shortcut struct {
	path     *jq.Program
	fallback any
}

// shortcutOf finds a shortcut; nil when there is none or jq needs none.
func shortcutOf(program *jq.Program) *shortcut {
	text, fallback, found := cutDefault(program.String())
	if !found {
		return nil
	}
	left, err := jq.Compile(text)
	if err != nil {
		return nil
	}
	path, plain := left.Path()
	if !plain || path.Iterates() {
		return nil
	}
	right, err := jq.Compile(fallback)
	if err != nil {
		return nil
	}
	value, constant := right.Constant()
	switch value.(type) {
	case []any, map[string]any:
		if constant {
			return &shortcut{path: left, fallback: value}
		}
	}
	return nil
}

// direct reports whether an expression is a plain path, with or without a
// literal default, which needs no engine.
func direct(program *jq.Program) bool {
	if _, plain := program.Path(); plain {
		return true
	}
	text, fallback, found := cutDefault(program.String())
	if !found {
		return false
	}
	left, err := jq.Compile(text)
	if err != nil {
		return false
	}
	if _, plain := left.Path(); !plain {
		return false
	}
	right, err := jq.Compile(fallback)
	if err != nil {
		return false
	}
	_, constant := right.Constant()
	return constant
}
