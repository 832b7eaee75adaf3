package jq

import (
	"context"
	"fmt"
	"maps"
	"math/big"
	"slices"
)

// Run gives all results, in order: nil, bool, int, float64, *big.Int, string,
// []any and map[string]any, never sharing memory with the input or with other
// runs. Results that came before an error are lost: errors are *Error of kind
// Runtime, Bound or (an array used as an index) Forbidden, and wrap the error
// of ctx when that ended the run.
func (p *Program) Run(ctx context.Context, in Input) ([]any, error) {
	results, err := p.RunShared(ctx, in)
	if err != nil {
		return nil, err
	}
	for i, result := range results {
		results[i] = copied(result)
	}
	return results, nil
}

// RunShared is Run without copying: results may be parts of the input or of
// the program and must not be changed.
func (p *Program) RunShared(ctx context.Context, in Input) ([]any, error) {
	var results []any
	err := p.each(ctx, in, func(result any) bool {
		results = append(results, result)
		return true
	})
	if err != nil {
		return nil, err
	}
	return results, nil
}

// First gives the first result; ok is false when there is none. What comes
// after it is not computed, so an error there does not show. Like the results
// of Run the value shares no memory.
func (p *Program) First(ctx context.Context, in Input) (value any, ok bool, err error) {
	err = p.each(ctx, in, func(result any) bool {
		value, ok = result, true
		return false
	})
	if err != nil {
		return nil, false, err
	}
	return copied(value), ok, nil
}

// each hands out one result after the other until yield returns false.
func (p *Program) each(ctx context.Context, in Input, yield func(any) bool) error {
	if err := ctx.Err(); err != nil {
		stopped := whole(Bound, p.source, "was stopped: "+err.Error())
		stopped.cause = err
		return stopped
	}
	count, tooMany := 0, false
	counted := func(result any) bool {
		if count++; count > MaxResults {
			tooMany = true
			return false
		}
		return yield(result)
	}
	var err error
	if p.direct != nil {
		err = p.direct.each(in.value, counted)
	} else {
		err = p.eachOfEngine(ctx, in, counted)
	}
	switch {
	case tooMany:
		return whole(Bound, p.source, fmt.Sprintf("gives more than %d results", MaxResults))
	case err != nil:
		return p.failure(err)
	default:
		return nil
	}
}

func (p *Program) eachOfEngine(ctx context.Context, in Input, yield func(any) bool) error {
	machine, err := p.take()
	if err != nil {
		return err
	}
	defer p.put(machine)
	meter := machine.meter
	meter.reset(ctx)
	for results := machine.code.RunWithContext(meter, in.value); ; {
		result, more := results.Next()
		if meter.stopped != nil {
			return meter.stopped
		}
		if !more {
			return nil
		}
		if err, failed := result.(error); failed {
			return err
		}
		result, err := meter.result(result)
		if err != nil {
			return err
		}
		if !yield(result) {
			return nil
		}
	}
}

// result checks and normalises one result of the engine. Its size counts as
// if nothing in it were shared, since whoever reads it walks all of it.
func (m *meter) result(result any) (any, error) {
	if !isContainer(result) {
		return m.scalarResult(result)
	}
	e, err := m.measure(result)
	if err != nil {
		return nil, err
	}
	if e.unwritable {
		return nil, errNotJSON
	}
	if err := m.spend(e.values * slotBytes); err != nil {
		return nil, err
	}
	if e.numbers {
		return normalResult(result)
	}
	return result, nil
}

// errNotJSON is a result such as infinite.
var errNotJSON = &Error{Kind: Runtime, Message: "gives a number that JSON does not have"}

func (m *meter) scalarResult(result any) (any, error) {
	e, err := m.measure(result)
	switch {
	case err != nil:
		return nil, err
	case e.unwritable:
		return nil, errNotJSON
	case e.numbers:
		return normalResult(result)
	default:
		return result, nil
	}
}

func normalResult(result any) (any, error) {
	in, err := NewInput(result)
	if err != nil {
		return nil, &Error{Kind: Runtime, Message: "gives a result that cannot be used: " + err.Error()}
	}
	return in.value, nil
}

// maxMessage bounds the message of an error that the expression raises itself.
const maxMessage = 400

// failure makes an *Error of the engine's or of this package's error.
func (p *Program) failure(err error) *Error {
	if own, ok := err.(*Error); ok {
		failure := *own
		failure.Expression, failure.Start, failure.End = p.source, 0, len(p.source)
		return &failure
	}
	message := err.Error()
	if raised, ok := err.(interface{ Value() any }); ok {
		message = raisedMessage(raised.Value())
	}
	return whole(Runtime, p.source, shorten(message, maxMessage))
}

// raisedMessage is the message of error(value).
func raisedMessage(value any) string {
	if text, ok := value.(string); ok && text != "" {
		return text
	}
	return "raised " + encode(value)
}

// copied is a value that shares no memory with the original.
func copied(value any) any {
	switch v := value.(type) {
	case map[string]any:
		clone := maps.Clone(v)
		for key, held := range clone {
			if isMutable(held) {
				clone[key] = copied(held)
			}
		}
		return clone
	case []any:
		clone := slices.Clone(v)
		for i, held := range clone {
			if isMutable(held) {
				clone[i] = copied(held)
			}
		}
		return clone
	case *big.Int:
		return new(big.Int).Set(v)
	default:
		return v
	}
}

func isMutable(value any) bool {
	switch value.(type) {
	case map[string]any, []any, *big.Int:
		return true
	default:
		return false
	}
}
