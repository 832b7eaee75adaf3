package jq

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/itchyny/gojq"
)

// rewriter makes of a checked tree one that means the same and charges the
// meter. The given tree is not changed. Every name that the expression defines
// gets a number appended, so that it cannot be taken for, or stand in for, a
// built-in function.
type rewriter struct {
	visited  *visitor
	patterns map[*gojq.Func]pattern
	// library are the replacements that the tree calls.
	library map[signature]bool
}

// program rewrites a whole tree and puts the replacements that it needs in front.
func (r *rewriter) program(q *gojq.Query) *gojq.Query {
	body := r.query(q)
	needed := definitionsOf(r.library)
	if len(needed) == 0 {
		return body
	}
	return &gojq.Query{FuncDefs: needed, Term: parenthesise(body)}
}

// Constructors for trees.

func call(name string, arguments ...*gojq.Query) *gojq.Query {
	return &gojq.Query{Term: &gojq.Term{Type: gojq.TermTypeFunc, Func: &gojq.Func{Name: name, Args: arguments}}}
}

func pipe(first *gojq.Query, rest ...*gojq.Query) *gojq.Query {
	for _, next := range rest {
		first = &gojq.Query{Left: first, Op: gojq.OpPipe, Right: next}
	}
	return first
}

func parenthesise(q *gojq.Query) *gojq.Term {
	return &gojq.Term{Type: gojq.TermTypeQuery, Query: q}
}

func identity() *gojq.Term { return &gojq.Term{Type: gojq.TermTypeIdentity} }

// at is .[i].
func at(i int) *gojq.Query {
	number := &gojq.Query{Term: &gojq.Term{Type: gojq.TermTypeNumber, Number: strconv.Itoa(i)}}
	term := identity()
	term.SuffixList = []*gojq.Suffix{{Index: &gojq.Index{Start: number}}}
	return &gojq.Query{Term: term}
}

// asTerm makes something of a query that suffixes can be put on.
func asTerm(q *gojq.Query) *gojq.Term {
	if q.Term != nil && len(q.FuncDefs) == 0 {
		return q.Term
	}
	return parenthesise(q)
}

func (r *rewriter) query(q *gojq.Query) *gojq.Query {
	if q == nil {
		return nil
	}
	if len(q.FuncDefs) > 0 {
		out := &gojq.Query{}
		for _, define := range q.FuncDefs {
			out.FuncDefs = append(out.FuncDefs, r.define(define))
		}
		rest := *q
		rest.FuncDefs = nil
		out.Term = parenthesise(r.query(&rest))
		return out
	}
	if q.Term != nil {
		return r.term(q.Term)
	}
	out := &gojq.Query{Left: r.query(q.Left), Op: q.Op, Right: r.query(q.Right), Patterns: r.bindings(q.Patterns)}
	return r.operator(q, out)
}

// operator adds what the cost of an operator requires.
func (r *rewriter) operator(q, out *gojq.Query) *gojq.Query {
	literal := isScalar(q.Left) || isScalar(q.Right)
	check := ""
	switch q.Op {
	case gojq.OpAdd:
		return pipe(out, call("__sum"))
	case gojq.OpMul:
		check = "__multiplied"
	case gojq.OpDiv:
		if !isNumber(q.Left) && !isNumber(q.Right) {
			check = "__divided"
		}
	case gojq.OpSub:
		// An array minus a scalar is an error, not a search.
		if !literal {
			check = "__subtracted"
		}
	case gojq.OpEq, gojq.OpNe, gojq.OpLt, gojq.OpLe, gojq.OpGt, gojq.OpGe:
		// Comparing with a literal ends after the literal's length.
		if !literal {
			check = "__compared"
		}
	}
	if check == "" {
		return out
	}
	out.Left, out.Right = at(0), at(1)
	return pipe(call(check, r.query(q.Left), r.query(q.Right)), out)
}

// isScalar tells whether a query is a literal that is no array or object.
func isScalar(q *gojq.Query) bool {
	t := soleTerm(q)
	if t == nil {
		return false
	}
	switch t.Type {
	case gojq.TermTypeNull, gojq.TermTypeTrue, gojq.TermTypeFalse:
		return true
	case gojq.TermTypeString:
		return t.Str.Queries == nil
	default:
		return isNumber(q)
	}
}

func isNumber(q *gojq.Query) bool {
	t := soleTerm(q)
	if t == nil {
		return false
	}
	if t.Type == gojq.TermTypeUnary && len(t.Unary.Term.SuffixList) == 0 {
		t = t.Unary.Term
	}
	return t.Type == gojq.TermTypeNumber
}

func (r *rewriter) define(define *gojq.FuncDef) *gojq.FuncDef {
	out := &gojq.FuncDef{Name: mangled(r.visited.defined[define])}
	body := r.query(define.Body)
	parameters := r.visited.parameters[define]
	for i := len(define.Args) - 1; i >= 0; i-- {
		name := mangled(parameters[i])
		out.Args = append(out.Args, name)
		if define.Args[i][0] == '$' {
			body = &gojq.Query{Left: call(name), Op: gojq.OpPipe, Right: body,
				Patterns: []*gojq.Pattern{{Name: define.Args[i]}}}
		}
	}
	slices.Reverse(out.Args)
	out.Body = body
	return out
}

func mangled(b *binding) string { return fmt.Sprintf("__%d_%s", b.id, b.name) }

// term rewrites a term with its suffixes, which the engine applies in order.
// The term that head gives is new, so suffixes may be put on it.
func (r *rewriter) term(t *gojq.Term) *gojq.Query {
	current := asTerm(r.head(t))
	for _, suffix := range t.SuffixList {
		current = r.suffix(current, suffix)
	}
	return &gojq.Query{Term: current}
}

// suffix puts one suffix on a term that belongs to the rewriter. A "?" applies
// to the suffix before it, so that one must stay a suffix of the same term.
func (r *rewriter) suffix(t *gojq.Term, s *gojq.Suffix) *gojq.Term {
	charge := ""
	switch {
	case s.Iter:
		charge = "__iterable"
	case s.Index != nil && !isField(s.Index):
		charge = "__indexable"
	}
	if charge != "" {
		t = parenthesise(pipe(&gojq.Query{Term: t}, call(charge)))
	}
	out := &gojq.Suffix{Iter: s.Iter, Optional: s.Optional}
	if s.Index != nil {
		out.Index = r.index(s.Index)
	}
	t.SuffixList = append(t.SuffixList, out)
	return t
}

func isField(i *gojq.Index) bool {
	if i.Name != "" || i.Str != nil {
		return true
	}
	if i.IsSlice {
		return false
	}
	_, ok := literalString(i.Start)
	return ok
}

func (r *rewriter) index(i *gojq.Index) *gojq.Index {
	out := &gojq.Index{Name: i.Name, Str: r.key(i.Str), IsSlice: i.IsSlice, Start: r.query(i.Start), End: r.query(i.End)}
	if i.Start != nil && !i.IsSlice && !isScalar(i.Start) {
		out.Start = pipe(out.Start, call("__key"))
	}
	return out
}

// head rewrites a term without its suffixes.
func (r *rewriter) head(t *gojq.Term) *gojq.Query {
	out := &gojq.Term{Type: t.Type, Number: t.Number, Break: t.Break}
	charge := ""
	switch t.Type {
	case gojq.TermTypeIndex:
		return &gojq.Query{Term: r.suffix(identity(), &gojq.Suffix{Index: t.Index})}
	case gojq.TermTypeFunc:
		return r.call(t.Func)
	case gojq.TermTypeObject:
		out.Object, charge = r.object(t.Object), "__made"
	case gojq.TermTypeArray:
		out.Array, charge = &gojq.Array{Query: r.query(t.Array.Query)}, "__made"
	case gojq.TermTypeUnary:
		out.Unary = &gojq.Unary{Op: t.Unary.Op, Term: asTerm(r.term(t.Unary.Term))}
	case gojq.TermTypeFormat:
		return r.format(t)
	case gojq.TermTypeString:
		return r.str(t.Str, call("tostring"))
	case gojq.TermTypeIf:
		out.If = r.branches(t.If)
	case gojq.TermTypeTry:
		out.Try = &gojq.Try{Body: r.query(t.Try.Body), Catch: r.query(t.Try.Catch)}
	case gojq.TermTypeReduce:
		out.Reduce = &gojq.Reduce{Query: r.query(t.Reduce.Query), Patterns: r.bindings(t.Reduce.Patterns),
			Start: r.query(t.Reduce.Start), Update: r.query(t.Reduce.Update)}
	case gojq.TermTypeForeach:
		out.Foreach = &gojq.Foreach{Query: r.query(t.Foreach.Query), Patterns: r.bindings(t.Foreach.Patterns),
			Start: r.query(t.Foreach.Start), Update: r.query(t.Foreach.Update), Extract: r.query(t.Foreach.Extract)}
	case gojq.TermTypeLabel:
		out.Label = &gojq.Label{Ident: t.Label.Ident, Body: r.query(t.Label.Body)}
	case gojq.TermTypeQuery:
		out.Query = r.query(t.Query)
	}
	query := &gojq.Query{Term: out}
	if charge != "" {
		return pipe(query, call(charge))
	}
	return query
}

func (r *rewriter) branches(i *gojq.If) *gojq.If {
	out := &gojq.If{Cond: r.query(i.Cond), Then: r.query(i.Then), Else: r.query(i.Else)}
	for _, branch := range i.Elif {
		out.Elif = append(out.Elif, &gojq.IfElif{Cond: r.query(branch.Cond), Then: r.query(branch.Then)})
	}
	return out
}

// call rewrites a call of the expression's own or of a built-in function.
func (r *rewriter) call(f *gojq.Func) *gojq.Query {
	arguments := make([]*gojq.Query, len(f.Args))
	for i, argument := range f.Args {
		arguments[i] = r.query(argument)
	}
	if target, ok := r.visited.calls[f]; ok {
		if f.Name[0] == '$' {
			return call(f.Name)
		}
		return call(mangled(target), arguments...)
	}
	rule, _ := allowed(f.Name, len(f.Args))
	name := f.Name
	if rule.instead != "" {
		name = rule.instead
		r.library[signature{name, len(arguments)}] = true
	}
	out := call(name, arguments...)
	if rule.argument != "" {
		value := call("$__argument")
		out = &gojq.Query{Left: arguments[0], Op: gojq.OpPipe, Patterns: []*gojq.Pattern{{Name: "$__argument"}},
			Right: pipe(call(rule.argument, value), call(name, value))}
	}
	if rule.before != "" {
		out = pipe(call(rule.before), out)
	}
	if p, ok := r.patterns[f]; ok {
		charge := call("__matched", number(p.cost), number(p.groups))
		if f.Name == "test" {
			charge = call("__matched", number(p.cost))
		}
		out = pipe(charge, out)
	}
	if rule.after != "" {
		out = pipe(out, call(rule.after))
	}
	return out
}

func number(n int) *gojq.Query {
	return &gojq.Query{Term: &gojq.Term{Type: gojq.TermTypeNumber, Number: strconv.Itoa(n)}}
}

// format rewrites @base64 and @base64 "...".
func (r *rewriter) format(t *gojq.Term) *gojq.Query {
	apply := &gojq.Query{Term: &gojq.Term{Type: gojq.TermTypeFormat, Format: t.Format}}
	if t.Str != nil {
		return r.str(t.Str, apply)
	}
	return pipe(call("__written"), apply, call("__made"))
}

// str rewrites a string with interpolations into the sum of its parts, which
// is what the engine does, with every sum charged.
func (r *rewriter) str(s *gojq.String, apply *gojq.Query) *gojq.Query {
	if s.Queries == nil {
		return &gojq.Query{Term: &gojq.Term{Type: gojq.TermTypeString, Str: &gojq.String{Str: s.Str}}}
	}
	var sum *gojq.Query
	for _, part := range s.Queries {
		out := &gojq.Query{Term: part.Term}
		if part.Term.Str == nil {
			out = pipe(r.query(part), call("__written"), apply, call("__made"))
		}
		if sum == nil {
			sum = out
			continue
		}
		sum = pipe(&gojq.Query{Left: sum, Op: gojq.OpAdd, Right: out}, call("__sum"))
	}
	if sum == nil {
		return &gojq.Query{Term: &gojq.Term{Type: gojq.TermTypeString, Str: &gojq.String{}}}
	}
	return sum
}

// key rewrites a string that is an object key. It stays a string, since some
// forms have no other spelling; its parts are bounded instead.
func (r *rewriter) key(s *gojq.String) *gojq.String {
	if s == nil || s.Queries == nil {
		return s
	}
	out := &gojq.String{Queries: []*gojq.Query{}}
	for _, part := range s.Queries {
		if part.Term.Str == nil {
			part = &gojq.Query{Term: parenthesise(pipe(r.query(part), call("__written"), call("tostring"), call("__keypart")))}
		}
		out.Queries = append(out.Queries, part)
	}
	return out
}

func (r *rewriter) object(o *gojq.Object) *gojq.Object {
	out := &gojq.Object{}
	for _, entry := range o.KeyVals {
		out.KeyVals = append(out.KeyVals, &gojq.ObjectKeyVal{
			Key: entry.Key, KeyString: r.key(entry.KeyString), KeyQuery: r.query(entry.KeyQuery), Val: r.query(entry.Val)})
	}
	return out
}

func (r *rewriter) bindings(patterns []*gojq.Pattern) []*gojq.Pattern {
	var out []*gojq.Pattern
	for _, p := range patterns {
		out = append(out, r.binding(p))
	}
	return out
}

func (r *rewriter) binding(p *gojq.Pattern) *gojq.Pattern {
	if p == nil {
		return nil
	}
	out := &gojq.Pattern{Name: p.Name, Array: r.bindings(p.Array)}
	for _, entry := range p.Object {
		key := r.query(entry.KeyQuery)
		if key != nil {
			key = pipe(key, call("__key"))
		}
		out.Object = append(out.Object, &gojq.PatternObject{
			Key: entry.Key, KeyString: r.key(entry.KeyString), KeyQuery: key, Val: r.binding(entry.Val)})
	}
	return out
}
