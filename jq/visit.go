package jq

import "github.com/itchyny/gojq"

// event is one place in a syntax tree that a rule may be about. The events of
// a tree are in the order of the source text.
type event struct {
	kind eventKind
	// text is the name, format or operator as written; empty for eventModule.
	text string
	// call is the call of an eventCall; nil when it is a variable used as an
	// object key, {$x}.
	call *gojq.Func
	// define is the function of an eventDefine.
	define *gojq.FuncDef
	// scope holds the names visible there.
	scope *scope
}

type eventKind int

const (
	eventCall    eventKind = iota // a function called or a variable read
	eventDefine                   // a function defined
	eventBind                     // a parameter, variable or label introduced
	eventKey                      // a name as object key
	eventBreak                    // break $label
	eventFormat                   // @base64
	eventRecurse                  // ..
	eventUpdate                   // an assignment operator
	eventModule                   // module, import or include
)

// scope is a linked list of the names visible at a place, innermost first.
type scope struct {
	outer   *scope
	binding *binding
}

// binding is something that an expression gives a name to.
type binding struct {
	// name is as it is used: "f", "$x", or "break $out" for a label.
	name  string
	arity int
	// id tells apart bindings of one name.
	id int
	// open is the scope of the body of a function, from which it must not be
	// called; nil for everything that is not a function.
	open bool
}

func (s *scope) find(name string, arity int) *binding {
	for ; s != nil; s = s.outer {
		if s.binding.name == name && s.binding.arity == arity {
			return s.binding
		}
	}
	return nil
}

// visitor walks a syntax tree. It is the one place that knows which node holds
// which others and what names each brings into view; a test compares it with
// the fields of gojq's types.
type visitor struct {
	events []event
	// calls says what a call of the expression's own functions refers to.
	calls map[*gojq.Func]*binding
	// defined gives the binding of each function definition, and the bindings
	// of its parameters.
	defined    map[*gojq.FuncDef]*binding
	parameters map[*gojq.FuncDef][]*binding
	// recursive is the first call of a function from its own body.
	recursive map[*gojq.Func]bool
	ids       int
}

func visit(q *gojq.Query) *visitor {
	v := &visitor{
		calls:      map[*gojq.Func]*binding{},
		defined:    map[*gojq.FuncDef]*binding{},
		parameters: map[*gojq.FuncDef][]*binding{},
		recursive:  map[*gojq.Func]bool{},
	}
	if q.Meta != nil || len(q.Imports) > 0 {
		v.add(event{kind: eventModule})
	}
	v.query(q, nil)
	return v
}

func (v *visitor) add(e event) { v.events = append(v.events, e) }

func (v *visitor) bind(outer *scope, name string, arity int) *scope {
	v.ids++
	return &scope{outer: outer, binding: &binding{name: name, arity: arity, id: v.ids}}
}

func (v *visitor) query(q *gojq.Query, s *scope) {
	if q == nil {
		return
	}
	for _, define := range q.FuncDefs {
		s = v.define(define, s)
	}
	v.term(q.Term, s)
	v.query(q.Left, s)
	right := v.patterns(q.Patterns, s)
	if isUpdate(q.Op) {
		v.add(event{kind: eventUpdate, text: q.Op.String(), scope: s})
	}
	v.query(q.Right, right)
}

// define visits a function and gives the scope after it.
func (v *visitor) define(define *gojq.FuncDef, s *scope) *scope {
	after := v.bind(s, define.Name, len(define.Args))
	own := after.binding
	v.defined[define] = own
	v.add(event{kind: eventDefine, text: define.Name, define: define, scope: s})
	body := after
	for _, parameter := range define.Args {
		v.add(event{kind: eventBind, text: parameter, scope: s})
		// A parameter $x can also be called as x.
		body = v.bind(body, trimDollar(parameter), 0)
		v.parameters[define] = append(v.parameters[define], body.binding)
		if parameter[0] == '$' {
			body = v.bind(body, parameter, 0)
		}
	}
	own.open = true
	v.query(define.Body, body)
	own.open = false
	return after
}

func trimDollar(name string) string {
	if name[0] == '$' {
		return name[1:]
	}
	return name
}

func (v *visitor) term(t *gojq.Term, s *scope) {
	if t == nil {
		return
	}
	switch t.Type {
	case gojq.TermTypeRecurse:
		v.add(event{kind: eventRecurse, text: "..", scope: s})
	case gojq.TermTypeFormat:
		v.add(event{kind: eventFormat, text: t.Format, scope: s})
	case gojq.TermTypeBreak:
		v.add(event{kind: eventBreak, text: t.Break, scope: s})
	}
	v.index(t.Index, s)
	v.call(t.Func, s)
	if t.Object != nil {
		for _, entry := range t.Object.KeyVals {
			v.entry(entry, s)
		}
	}
	if t.Array != nil {
		v.query(t.Array.Query, s)
	}
	if t.Unary != nil {
		v.term(t.Unary.Term, s)
	}
	v.str(t.Str, s)
	v.control(t, s)
	v.query(t.Query, s)
	for _, suffix := range t.SuffixList {
		v.index(suffix.Index, s)
	}
}

// control visits the terms that decide what runs.
func (v *visitor) control(t *gojq.Term, s *scope) {
	if t.If != nil {
		v.query(t.If.Cond, s)
		v.query(t.If.Then, s)
		for _, branch := range t.If.Elif {
			v.query(branch.Cond, s)
			v.query(branch.Then, s)
		}
		v.query(t.If.Else, s)
	}
	if t.Try != nil {
		v.query(t.Try.Body, s)
		v.query(t.Try.Catch, s)
	}
	if t.Reduce != nil {
		v.query(t.Reduce.Query, s)
		inner := v.patterns(t.Reduce.Patterns, s)
		v.query(t.Reduce.Start, s)
		v.query(t.Reduce.Update, inner)
	}
	if t.Foreach != nil {
		v.query(t.Foreach.Query, s)
		inner := v.patterns(t.Foreach.Patterns, s)
		v.query(t.Foreach.Start, s)
		v.query(t.Foreach.Update, inner)
		v.query(t.Foreach.Extract, inner)
	}
	if t.Label != nil {
		v.add(event{kind: eventBind, text: t.Label.Ident, scope: s})
		v.query(t.Label.Body, v.bind(s, "break "+t.Label.Ident, 0))
	}
}

func (v *visitor) call(f *gojq.Func, s *scope) {
	if f == nil {
		return
	}
	if target := s.find(f.Name, len(f.Args)); target != nil {
		v.calls[f] = target
		v.recursive[f] = target.open
	}
	v.add(event{kind: eventCall, text: f.Name, call: f, scope: s})
	for _, argument := range f.Args {
		v.query(argument, s)
	}
}

func (v *visitor) index(i *gojq.Index, s *scope) {
	if i == nil {
		return
	}
	v.str(i.Str, s)
	v.query(i.Start, s)
	v.query(i.End, s)
}

func (v *visitor) str(text *gojq.String, s *scope) {
	if text == nil {
		return
	}
	for _, part := range text.Queries {
		v.query(part, s)
	}
}

func (v *visitor) entry(entry *gojq.ObjectKeyVal, s *scope) {
	switch {
	case entry.Key == "" || isKeyword(entry.Key):
	case entry.Key[0] == '$':
		v.add(event{kind: eventCall, text: entry.Key, scope: s})
	default:
		v.add(event{kind: eventKey, text: entry.Key, scope: s})
	}
	v.str(entry.KeyString, s)
	v.query(entry.KeyQuery, s)
	v.query(entry.Val, s)
}

// patterns visits "as" patterns and gives the scope that they open. Where
// several are tried in turn (?//), the variables of all of them exist.
func (v *visitor) patterns(patterns []*gojq.Pattern, s *scope) *scope {
	for _, pattern := range patterns {
		s = v.pattern(pattern, s)
	}
	return s
}

func (v *visitor) pattern(p *gojq.Pattern, s *scope) *scope {
	if p == nil {
		return s
	}
	if p.Name != "" {
		s = v.variable(p.Name, s)
	}
	s = v.patterns(p.Array, s)
	for _, entry := range p.Object {
		switch {
		case entry.Key == "" || isKeyword(entry.Key):
		case entry.Key[0] == '$':
			s = v.variable(entry.Key, s)
		default:
			v.add(event{kind: eventKey, text: entry.Key, scope: s})
		}
		v.str(entry.KeyString, s)
		v.query(entry.KeyQuery, s)
		s = v.pattern(entry.Val, s)
	}
	return s
}

func (v *visitor) variable(name string, s *scope) *scope {
	v.add(event{kind: eventBind, text: name, scope: s})
	return v.bind(s, name, 0)
}

func isUpdate(op gojq.Operator) bool {
	return op >= gojq.OpAssign && op <= gojq.OpUpdateAlt
}
