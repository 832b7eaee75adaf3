package jq

import (
	"slices"

	"github.com/itchyny/gojq"
)

// origin says where in the input a value of an expression comes from.
type origin struct {
	kind originKind
	// path is the place for originValue, the container for originEntries, and
	// the iterated container (ending in an iteration) for originEntry and originList.
	path Path
	// element is the origin of the elements of an originList; nil when unknown.
	element *origin
}

type originKind int

const (
	originUnknown originKind = iota
	originValue              // the value at path
	originEntries            // the {key, value} objects of the container at path
	originEntry              // one of these
	originList               // an array made entry by entry from the container at path
)

// flow is the sequence of iterations that a query's results pass through.
type flow struct {
	// last is the innermost iteration; it continues all earlier ones.
	last Path
	// broken tells that the results do not belong to entries of one base.
	broken bool
}

func (f *flow) iterate(base Path) {
	if !base.HasPrefix(f.last) {
		f.broken = true
		return
	}
	f.last = base
}

// variables is a linked list of what "as" has bound, innermost first.
type variables struct {
	outer  *variables
	name   string
	origin origin
}

func (v *variables) find(name string) origin {
	for ; v != nil; v = v.outer {
		if v.name == name {
			return v.origin
		}
	}
	return origin{}
}

// tracer follows the origins of values through an expression and collects what
// is iterated over on the way.
type tracer struct {
	bases []Path
}

func (t *tracer) record(base Path) {
	if !slices.ContainsFunc(t.bases, func(b Path) bool { return slices.Equal(b, base) }) {
		t.bases = append(t.bases, base)
	}
}

// aside traces a query whose results do not become results of the expression,
// such as the condition of select.
func (t *tracer) aside(q *gojq.Query, in origin, vars *variables) {
	t.query(q, in, &flow{}, vars)
}

func (t *tracer) query(q *gojq.Query, in origin, f *flow, vars *variables) origin {
	switch {
	case q == nil:
		return in
	case len(q.FuncDefs) > 0:
		// What a function does depends on its calls; its own text is still read.
		f.broken = true
		for _, define := range q.FuncDefs {
			t.aside(define.Body, origin{}, nil)
		}
		rest := *q
		rest.FuncDefs = nil
		return t.query(&rest, in, f, vars)
	case q.Term != nil:
		return t.term(q.Term, in, f, vars)
	}
	switch q.Op {
	case gojq.OpPipe:
		return t.pipe(q, in, f, vars)
	case gojq.OpAlt:
		return t.orElse(q, in, f, vars)
	default:
		t.together(f, func(g *flow) { t.query(q.Left, in, g, vars) }, func(g *flow) { t.query(q.Right, in, g, vars) })
		return origin{}
	}
}

func (t *tracer) pipe(q *gojq.Query, in origin, f *flow, vars *variables) origin {
	left := t.query(q.Left, in, f, vars)
	if len(q.Patterns) == 0 {
		return t.query(q.Right, left, f, vars)
	}
	vars = t.bind(q.Patterns, left, in, vars)
	return t.query(q.Right, in, f, vars)
}

// bind gives variables their origins; only a plain $x has a known one.
func (t *tracer) bind(patterns []*gojq.Pattern, bound, in origin, vars *variables) *variables {
	if len(patterns) == 1 && patterns[0].Name != "" {
		return &variables{outer: vars, name: patterns[0].Name, origin: bound}
	}
	for _, p := range patterns {
		vars = t.destructure(p, in, vars)
	}
	return vars
}

func (t *tracer) destructure(p *gojq.Pattern, in origin, vars *variables) *variables {
	if p == nil {
		return vars
	}
	if p.Name != "" {
		vars = &variables{outer: vars, name: p.Name}
	}
	for _, inner := range p.Array {
		vars = t.destructure(inner, in, vars)
	}
	for _, entry := range p.Object {
		t.aside(entry.KeyQuery, in, vars)
		if entry.Key != "" && entry.Key[0] == '$' {
			vars = &variables{outer: vars, name: entry.Key}
		}
		vars = t.destructure(entry.Val, in, vars)
	}
	return vars
}

// orElse traces a default. One for a value keeps the value's place; one for a
// stream decides once for all entries, so they do not stand alone.
func (t *tracer) orElse(q *gojq.Query, in origin, f *flow, vars *variables) origin {
	var left origin
	inner := flow{}
	left = t.query(q.Left, in, &inner, vars)
	t.query(q.Right, in, &inner, vars)
	if inner.last != nil || inner.broken {
		f.broken = true
	}
	if _, ok := constantOf(q.Right); ok || isEmptyCall(q.Right) {
		return left
	}
	return origin{}
}

func isEmptyCall(q *gojq.Query) bool {
	term := soleTerm(q)
	return term != nil && term.Type == gojq.TermTypeFunc && term.Func.Name == "empty"
}

// together traces queries whose results are combined. One of them may iterate;
// if more do, their results are crossed or put in a row.
func (t *tracer) together(f *flow, parts ...func(*flow)) {
	iterating := 0
	for _, part := range parts {
		inner := flow{last: f.last}
		part(&inner)
		if inner.broken {
			f.broken = true
		}
		if len(inner.last) == len(f.last) {
			continue
		}
		if iterating++; iterating > 1 {
			f.broken = true
			continue
		}
		defer f.iterate(inner.last)
	}
}

func (t *tracer) term(term *gojq.Term, in origin, f *flow, vars *variables) origin {
	var current origin
	if startsOptional(term.SuffixList) {
		current = t.attempt(f, func(inner *flow) origin { return t.head(term, in, inner, vars) })
	} else {
		current = t.head(term, in, f, vars)
	}
	for _, suffix := range term.SuffixList {
		switch {
		case suffix.Iter:
			current = t.iterate(current, f)
		case suffix.Index != nil:
			current = t.index(current, suffix.Index, in, f, vars)
		}
	}
	return current
}

// attempt traces what try encloses. When that iterates, an entry that fails
// ends the stream for the entries after it.
func (t *tracer) attempt(f *flow, body func(*flow) origin) origin {
	inner := flow{last: f.last}
	result := body(&inner)
	if inner.broken || len(inner.last) != len(f.last) {
		f.broken = true
	}
	return result
}

func (t *tracer) head(term *gojq.Term, in origin, f *flow, vars *variables) origin {
	switch term.Type {
	case gojq.TermTypeIdentity:
		return in
	case gojq.TermTypeIndex:
		return t.index(in, term.Index, in, f, vars)
	case gojq.TermTypeQuery:
		return t.query(term.Query, in, f, vars)
	case gojq.TermTypeFunc:
		return t.call(term.Func, in, f, vars)
	case gojq.TermTypeArray:
		return t.array(term.Array.Query, in, vars)
	case gojq.TermTypeTry:
		t.aside(term.Try.Catch, origin{}, vars)
		return t.attempt(f, func(inner *flow) origin { return t.query(term.Try.Body, in, inner, vars) })
	case gojq.TermTypeIf:
		return t.branches(term.If, in, f, vars)
	case gojq.TermTypeBreak:
		// One entry decides whether the next ones are seen.
		f.broken = true
	case gojq.TermTypeLabel:
		return t.query(term.Label.Body, in, f, vars)
	case gojq.TermTypeObject, gojq.TermTypeUnary, gojq.TermTypeString, gojq.TermTypeFormat:
		t.together(f, t.operands(term, in, vars)...)
	case gojq.TermTypeReduce:
		t.fold(term.Reduce.Query, term.Reduce.Patterns, in, vars, term.Reduce.Start, term.Reduce.Update)
	case gojq.TermTypeForeach:
		f.broken = true
		t.fold(term.Foreach.Query, term.Foreach.Patterns, in, vars, term.Foreach.Start, term.Foreach.Update, term.Foreach.Extract)
	}
	return origin{}
}

// operands are the parts whose results a term combines.
func (t *tracer) operands(term *gojq.Term, in origin, vars *variables) []func(*flow) {
	var parts []func(*flow)
	add := func(q *gojq.Query) {
		if q != nil {
			parts = append(parts, func(f *flow) { t.query(q, in, f, vars) })
		}
	}
	addString := func(s *gojq.String) {
		if s != nil {
			for _, part := range s.Queries {
				add(part)
			}
		}
	}
	if term.Object != nil {
		for _, entry := range term.Object.KeyVals {
			addString(entry.KeyString)
			add(entry.KeyQuery)
			add(entry.Val)
		}
	}
	if term.Unary != nil {
		add(&gojq.Query{Term: term.Unary.Term})
	}
	addString(term.Str)
	return parts
}

func (t *tracer) fold(source *gojq.Query, patterns []*gojq.Pattern, in origin, vars *variables, bodies ...*gojq.Query) {
	item := t.query(source, in, &flow{}, vars)
	vars = t.bind(patterns, item, in, vars)
	for _, body := range bodies {
		t.aside(body, origin{}, vars)
	}
}

func (t *tracer) branches(i *gojq.If, in origin, f *flow, vars *variables) origin {
	inner := flow{}
	t.query(i.Cond, in, &inner, vars)
	then := t.query(i.Then, in, &inner, vars)
	alike := true
	for _, branch := range i.Elif {
		t.query(branch.Cond, in, &inner, vars)
		alike = alike && sameOrigin(then, t.query(branch.Then, in, &inner, vars))
	}
	alike = alike && sameOrigin(then, t.query(i.Else, in, &inner, vars))
	if inner.last != nil || inner.broken {
		f.broken = true
	}
	if alike {
		return then
	}
	return origin{}
}

func sameOrigin(a, b origin) bool {
	return a.kind == originValue && b.kind == originValue && slices.Equal(a.path, b.path)
}

// array traces [...]. Iterated over later, it gives back what it collected.
func (t *tracer) array(q *gojq.Query, in origin, vars *variables) origin {
	if q == nil {
		return origin{}
	}
	inner := flow{}
	element := t.query(q, in, &inner, vars)
	if inner.broken || inner.last == nil {
		return origin{}
	}
	return origin{kind: originList, path: inner.last, element: &element}
}

func (t *tracer) iterate(over origin, f *flow) origin {
	switch over.kind {
	case originValue:
		base := over.path.then(Step{Kind: StepIterate})
		t.record(base)
		f.iterate(base)
		return origin{kind: originValue, path: base}
	case originEntries:
		base := over.path.then(Step{Kind: StepIterate})
		t.record(base)
		f.iterate(base)
		return origin{kind: originEntry, path: base}
	case originList:
		f.iterate(over.path)
		if over.element != nil {
			return *over.element
		}
		return origin{}
	default:
		f.broken = true
		return origin{}
	}
}

func (t *tracer) index(of origin, i *gojq.Index, in origin, f *flow, vars *variables) origin {
	step, ok := plainIndex(i)
	if !ok {
		parts := []func(*flow){}
		for _, q := range []*gojq.Query{i.Start, i.End} {
			parts = append(parts, func(g *flow) { t.aside(q, in, vars) })
		}
		t.together(f, parts...)
		return origin{}
	}
	switch {
	case of.kind == originValue:
		return origin{kind: originValue, path: of.path.then(step)}
	case of.kind == originEntry && step.Field == "value":
		return origin{kind: originValue, path: of.path}
	default:
		return origin{}
	}
}

func (t *tracer) call(call *gojq.Func, in origin, f *flow, vars *variables) origin {
	if call.Name[0] == '$' {
		return vars.find(call.Name)
	}
	switch {
	case call.Name == "select" && len(call.Args) == 1:
		t.aside(call.Args[0], in, vars)
		return in
	case len(call.Args) == 0 && slices.Contains([]string{"values", "objects", "arrays", "strings", "numbers", "booleans", "scalars", "iterables"}, call.Name):
		return in
	case call.Name == "to_entries" && in.kind == originValue:
		return origin{kind: originEntries, path: in.path}
	case (call.Name == "keys" || call.Name == "to_entries") && in.kind == originList:
		return origin{kind: originList, path: in.path}
	case call.Name == "keys" && in.kind == originValue:
		base := in.path.then(Step{Kind: StepIterate})
		t.record(base)
		return origin{kind: originList, path: base}
	case (call.Name == "map" || call.Name == "map_values" || call.Name == "with_entries") && len(call.Args) == 1:
		return t.mapped(call, in, vars)
	}
	for _, argument := range call.Args {
		t.aside(argument, in, vars)
	}
	return origin{}
}

// mapped traces map(f) and its relatives: entry by entry.
func (t *tracer) mapped(call *gojq.Func, in origin, vars *variables) origin {
	inner := flow{}
	if call.Name == "with_entries" && in.kind == originValue {
		in = origin{kind: originEntries, path: in.path}
	}
	item := t.iterate(in, &inner)
	element := t.query(call.Args[0], item, &inner, vars)
	if inner.broken {
		return origin{}
	}
	if call.Name != "map" {
		return origin{kind: originList, path: inner.last}
	}
	return origin{kind: originList, path: inner.last, element: &element}
}
