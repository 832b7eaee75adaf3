package jq

import (
	"fmt"
	"strings"
	"sync"

	"github.com/itchyny/gojq"
)

// Program is a compiled expression. It is immutable and safe for concurrent use.
type Program struct {
	source string
	facts  facts
	// tree makes the rewritten expression, once, when it first runs: most of a
	// catalog's programs never do. Nil when direct runs instead.
	tree func() *gojq.Query
	// direct reads a plain path without the engine; nil when it is not one.
	direct *direct

	// idle are machines that no run uses. A machine has a meter of its own,
	// so each runs once at a time; there are as many as runs at the same time.
	mutex sync.Mutex
	idle  []*machine

	// places compiles the expression within path(...), when first asked for.
	places func() *Program

	syntax syntaxTree
}

// machine is the engine's code and the meter that the code charges.
type machine struct {
	code  *gojq.Code
	meter *meter
}

// maxIdle bounds the machines that a program keeps, at some 10 kB each.
const maxIdle = 16

// Compile checks an expression and prepares it to run. All errors are *Error;
// the first one in the text is reported.
func Compile(expression string) (*Program, error) {
	if len(expression) > MaxExpressionBytes {
		return nil, whole(Bound, expression, fmt.Sprintf("the expression is longer than %d bytes", MaxExpressionBytes))
	}
	if strings.TrimSpace(expression) == "" {
		err := whole(Syntax, expression, "empty expression")
		err.Help = `write "." for the whole object`
		return nil, err
	}
	parsed, err := gojq.Parse(expression)
	if err != nil {
		return nil, syntaxError(expression, err)
	}
	text := lex(expression)
	visited := visit(parsed)
	c := checker{text: text, visited: visited, places: places(visited.events, text), patterns: map[*gojq.Func]pattern{}}
	if err := c.check(); err != nil {
		return nil, err
	}
	if parsed.Term == nil && parsed.Op == 0 {
		err := whole(Syntax, expression, "the expression defines functions and gives nothing")
		err.Help = "end it with what to compute"
		return nil, err
	}
	p := &Program{source: expression, facts: factsOf(parsed, text)}
	p.places = sync.OnceValue(func() *Program {
		places := &Program{source: expression}
		places.prepare(call("path", parsed), visited, c.patterns)
		return places
	})
	if p.direct = directOf(parsed); p.direct != nil {
		return p, nil
	}
	p.prepare(parsed, visited, c.patterns)
	return p, nil
}

// prepare readies a checked tree for the engine.
func (p *Program) prepare(q *gojq.Query, visited *visitor, patterns map[*gojq.Func]pattern) {
	p.tree = sync.OnceValue(func() *gojq.Query {
		r := rewriter{visited: visited, patterns: patterns, library: map[signature]bool{}}
		return r.program(q)
	})
}

// String is the source text.
func (p *Program) String() string { return p.source }

func (p *Program) newMachine() (*machine, error) {
	m := newMeter()
	code, err := gojq.Compile(p.tree(), m.charges()...)
	if err != nil {
		// Everything that the engine refuses by name was refused before.
		return nil, whole(Syntax, p.source, "jq does not accept the expression: "+shorten(err.Error(), 200))
	}
	return &machine{code: code, meter: m}, nil
}

func (p *Program) take() (*machine, error) {
	p.mutex.Lock()
	if last := len(p.idle) - 1; last >= 0 {
		m := p.idle[last]
		p.idle = p.idle[:last]
		p.mutex.Unlock()
		return m, nil
	}
	p.mutex.Unlock()
	return p.newMachine()
}

func (p *Program) put(m *machine) {
	m.meter.parent = nil
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if len(p.idle) < maxIdle {
		p.idle = append(p.idle, m)
	}
}
