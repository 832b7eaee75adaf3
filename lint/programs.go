package lint

import (
	"errors"
	"sync"
	"sync/atomic"

	"github.com/workloadmap/wm/jq"
)

// mostPrograms is how many compiled expressions a run keeps. The definitions of
// one framework share theirs; of expressions that are all different, keeping any
// is of no use, and each takes some kilobytes.
const mostPrograms = 1000

// programs compiles expression texts and keeps the first ones of a run. It is
// safe for concurrent use.
type programs struct {
	byText sync.Map // string to *compiled
	kept   atomic.Int64
}

type compiled struct {
	once    sync.Once
	program *jq.Program
	fault   *jq.Error
}

// compile returns a program or the reason why there is none.
func (p *programs) compile(text string) (*jq.Program, *jq.Error) {
	entry, known := p.byText.Load(text)
	if !known {
		entry = &compiled{}
		if p.kept.Load() < mostPrograms {
			p.kept.Add(1)
			entry, _ = p.byText.LoadOrStore(text, entry)
		}
	}
	c := entry.(*compiled)
	c.once.Do(func() {
		program, err := jq.Compile(text)
		if err == nil {
			c.program = program
			return
		}
		if !errors.As(err, &c.fault) {
			c.fault = &jq.Error{Kind: jq.Syntax, Expression: text, End: len(text), Message: err.Error()}
		}
	})
	return c.program, c.fault
}
