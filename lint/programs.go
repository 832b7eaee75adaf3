package lint

import (
	"errors"
	"sync"

	"github.com/workloadmap/wm/jq"
)

// programs compiles each distinct expression text once in a run. It is safe
// for concurrent use.
type programs struct {
	byText sync.Map // string to *compiled
}

type compiled struct {
	once    sync.Once
	program *jq.Program
	fault   *jq.Error
}

// compile returns a program or the reason why there is none.
func (p *programs) compile(text string) (*jq.Program, *jq.Error) {
	entry, _ := p.byText.LoadOrStore(text, &compiled{})
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
