package jq

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"time"
)

// meter counts what one run costs and ends it. It is the engine's context: the
// engine calls Done before every instruction.
type meter struct {
	parent context.Context
	start  time.Time
	steps  int
	bytes  int64
	work   int64
	// stopped is why the run must end. From then on Done is a closed channel,
	// so that catching the error does not help.
	stopped *Error
	closed  chan struct{}
}

func newMeter() *meter {
	closed := make(chan struct{})
	close(closed)
	return &meter{closed: closed}
}

// reset starts a run.
func (m *meter) reset(ctx context.Context) {
	*m = meter{parent: ctx, start: time.Now(), closed: m.closed}
}

// Deadline implements context.Context.
func (m *meter) Deadline() (time.Time, bool) { return m.parent.Deadline() }

// Value implements context.Context.
func (m *meter) Value(key any) any { return m.parent.Value(key) }

// Err implements context.Context.
func (m *meter) Err() error {
	if m.stopped != nil {
		return m.stopped
	}
	return m.parent.Err()
}

// stepsPerLook is how many steps pass between looks at the clock, which costs
// about as much as one step.
const stepsPerLook = 64

// Done implements context.Context. It counts a step.
func (m *meter) Done() <-chan struct{} {
	if m.stopped != nil {
		return m.closed
	}
	m.steps++
	if m.steps > MaxSteps {
		m.stop(fmt.Sprintf("takes more than %d steps", MaxSteps), nil)
		return m.closed
	}
	if m.steps%stepsPerLook == 0 {
		m.look()
	}
	if m.stopped != nil {
		return m.closed
	}
	return nil
}

func (m *meter) look() {
	if err := m.parent.Err(); err != nil {
		m.stop("was stopped: "+err.Error(), err)
	} else if time.Since(m.start) > Timeout {
		m.stop(fmt.Sprintf("takes longer than %v", Timeout), nil)
	}
}

// stop ends the run because it exceeds a bound.
func (m *meter) stop(message string, cause error) error { return m.end(Bound, message, cause) }

// end ends the run; the first reason is kept.
func (m *meter) end(kind Kind, message string, cause error) error {
	if m.stopped == nil {
		m.stopped = &Error{Kind: kind, Message: message, cause: cause}
	}
	return m.stopped
}

// spend charges memory that was or will be asked for.
func (m *meter) spend(bytes int64) error {
	if err := m.afford(bytes); err != nil {
		return err
	}
	m.bytes += bytes
	return nil
}

// afford ends the run when the memory is more than what is left, without
// charging it: for upper limits of what an operation may build.
func (m *meter) afford(bytes int64) error {
	if bytes < 0 || bytes > MaxBytes-m.bytes {
		return m.stop(fmt.Sprintf("builds values of more than %d MiB", MaxBytes>>20), nil)
	}
	return nil
}

// toil charges values read.
func (m *meter) toil(values int64) error {
	if values < 0 || values > MaxWork-m.work {
		return m.stop(fmt.Sprintf("reads more than %d values", MaxWork), nil)
	}
	m.work += values
	return nil
}

// Sizes of Go values in memory: headers, map buckets, boxed values.
const (
	slotBytes   = 16
	arrayBytes  = 24 + slotBytes
	objectBytes = 320
	fieldBytes  = 75
	entryBytes  = 16
)

// shallow is the memory of a value without what it contains.
func shallow(value any) int64 {
	switch v := value.(type) {
	case string:
		return int64(len(v)) + slotBytes
	case []any:
		return int64(len(v))*slotBytes + arrayBytes
	case map[string]any:
		return objectBytes + int64(max(0, len(v)-8))*fieldBytes
	case *big.Int:
		return int64(v.BitLen())/8 + arrayBytes
	case nil, bool:
		return 0
	default:
		return slotBytes
	}
}

// extent is the size of a value when every shared part is counted each time
// that it is reached: what it has when written, copied or compared.
type extent struct {
	values int64
	// text is an upper limit of the bytes of its JSON text.
	text int64
	// numbers tells that it holds numbers as fromjson leaves them.
	numbers bool
	// unwritable is a number that JSON does not have.
	unwritable bool
}

// escapeFactor is how much a string can grow when written: a control character
// becomes six bytes, and so does a quote in @html.
const escapeFactor = 6

// measure walks a value, charging what it reads, and ends the run when it is
// too large or too deep.
func (m *meter) measure(value any) (extent, error) {
	var e extent
	err := m.extend(&e, value, 0)
	return e, err
}

func (m *meter) extend(e *extent, value any, depth int) error {
	if depth >= MaxDepth && isContainer(value) {
		return m.stop(fmt.Sprintf("builds a value nested deeper than %d levels", MaxDepth), nil)
	}
	e.values++
	switch v := value.(type) {
	case string:
		e.text += int64(len(v))*escapeFactor + 2
		return m.toil(1 + int64(len(v))/64)
	case []any:
		e.text += int64(len(v)) + 2
		for _, held := range v {
			if err := m.extend(e, held, depth+1); err != nil {
				return err
			}
		}
	case map[string]any:
		e.text += int64(len(v))*4 + 2
		for key, held := range v {
			e.text += int64(len(key)) * escapeFactor
			if err := m.extend(e, held, depth+1); err != nil {
				return err
			}
		}
		// Its keys get sorted.
		return m.toil(1 + 3*int64(len(v)))
	case float64:
		e.text += 25
		e.unwritable = e.unwritable || math.IsNaN(v) || math.IsInf(v, 0)
	case json.Number:
		e.text += int64(len(v))
		e.numbers = true
		if len(v) > MaxDigits {
			return m.stop(fmt.Sprintf("has a number of more than %d digits", MaxDigits), nil)
		}
	case *big.Int:
		e.text += MaxDigits
		e.numbers = true
	default:
		e.text += 21
	}
	return m.toil(1)
}
