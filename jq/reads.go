package jq

import (
	"slices"

	"github.com/itchyny/gojq"
)

// MayRead tells whether what is at place, or anything within it, can make a
// difference to the results and to whether the expression fails: replaced by any
// other value it would not be noticed when the answer is false, except in the
// message of an error, which quotes values. A step of iteration stands for
// every element and field. Functions of the expression's own, and whatever
// else is not followed, may read everything.
func (p *Program) MayRead(place Path) bool {
	return slices.ContainsFunc(p.facts.reads.whole, func(read Path) bool { return overlaps(read, place) }) ||
		slices.ContainsFunc(p.facts.reads.passed, func(read Path) bool { return len(read) > len(place) && overlaps(read, place) })
}

// overlaps tells whether one path can lead into what the other leads to.
func overlaps(a, b Path) bool {
	for i := range min(len(a), len(b)) {
		if !a[i].meets(b[i]) {
			return false
		}
	}
	return true
}

// meets tells whether two steps can lead to the same place. Negative indexes
// count from an end that is not known.
func (s Step) meets(other Step) bool {
	switch {
	case s.Kind == StepIterate || other.Kind == StepIterate:
		return true
	case s.Kind != other.Kind:
		return false
	case s.Kind == StepField:
		return s.Field == other.Field
	default:
		return s.Index == other.Index || s.Index < 0 || other.Index < 0
	}
}

// reads are the places of the input that an expression looks at.
type reads struct {
	// whole are places of which everything may be looked at.
	whole []Path
	// passed are places that were gone through, of which only the kind of value counts.
	passed []Path
}

func readsOf(q *gojq.Query) reads {
	r := &reads{}
	r.all(r.query(q, []Path{{}}, nil))
	return *r
}

// bound is a linked list of what "as" has bound, innermost first.
type bound struct {
	outer  *bound
	name   string
	places []Path
}

func (b *bound) find(name string) []Path {
	for ; b != nil; b = b.outer {
		if b.name == name {
			return b.places
		}
	}
	return nil
}

// all notes that values are looked at wholly. What is made of them holds no
// place of its own, so that nothing needs to be followed further.
func (r *reads) all(places []Path) {
	for _, place := range places {
		if !slices.ContainsFunc(r.whole, place.HasPrefix) {
			r.whole = append(r.whole, place)
		}
	}
}

func (r *reads) step(places []Path, step Step) []Path {
	next := make([]Path, len(places))
	for i, place := range places {
		next[i] = place.then(step)
	}
	r.passed = append(r.passed, next...)
	return next
}

// query gives the places that the results of q may be parts of. A result that
// is a part of none was made, of values that were noted as read wholly.
func (r *reads) query(q *gojq.Query, in []Path, vars *bound) []Path {
	switch {
	case q == nil:
		return in
	case len(q.FuncDefs) > 0:
		r.all([]Path{{}})
		return nil
	case q.Term != nil:
		return r.term(q.Term, in, vars)
	}
	left := r.query(q.Left, in, vars)
	switch q.Op {
	case gojq.OpPipe:
		if len(q.Patterns) > 0 {
			return r.query(q.Right, in, r.bind(q.Patterns, left, in, vars))
		}
		return r.query(q.Right, left, vars)
	case gojq.OpComma, gojq.OpAlt:
		return slices.Concat(left, r.query(q.Right, in, vars))
	default:
		r.all(left)
		r.all(r.query(q.Right, in, vars))
		return nil
	}
}

// bind follows a plain $x; what a pattern takes apart is read wholly.
func (r *reads) bind(patterns []*gojq.Pattern, value, in []Path, vars *bound) *bound {
	if len(patterns) == 1 && patterns[0].Name != "" {
		return &bound{outer: vars, name: patterns[0].Name, places: value}
	}
	r.all(value)
	for _, p := range patterns {
		vars = r.pattern(p, in, vars)
	}
	return vars
}

func (r *reads) pattern(p *gojq.Pattern, in []Path, vars *bound) *bound {
	if p == nil {
		return vars
	}
	if p.Name != "" {
		vars = &bound{outer: vars, name: p.Name}
	}
	for _, inner := range p.Array {
		vars = r.pattern(inner, in, vars)
	}
	for _, entry := range p.Object {
		if entry.Key != "" && entry.Key[0] == '$' {
			vars = &bound{outer: vars, name: entry.Key}
		}
		r.text(entry.KeyString, in, vars)
		if entry.KeyQuery != nil {
			r.all(r.query(entry.KeyQuery, in, vars))
		}
		vars = r.pattern(entry.Val, in, vars)
	}
	return vars
}

func (r *reads) term(t *gojq.Term, in []Path, vars *bound) []Path {
	current := r.head(t, in, vars)
	for _, suffix := range t.SuffixList {
		switch {
		case suffix.Iter:
			current = r.step(current, Step{Kind: StepIterate})
		case suffix.Index != nil:
			current = r.index(current, suffix.Index, in, vars)
		}
	}
	return current
}

func (r *reads) index(of []Path, i *gojq.Index, in []Path, vars *bound) []Path {
	if step, ok := plainIndex(i); ok {
		return r.step(of, step)
	}
	r.all(of)
	r.text(i.Str, in, vars)
	for _, q := range []*gojq.Query{i.Start, i.End} {
		if q != nil {
			r.all(r.query(q, in, vars))
		}
	}
	return nil
}

func (r *reads) text(s *gojq.String, in []Path, vars *bound) {
	if s == nil {
		return
	}
	for _, part := range s.Queries {
		r.all(r.query(part, in, vars))
	}
}

func (r *reads) head(t *gojq.Term, in []Path, vars *bound) []Path {
	switch t.Type {
	case gojq.TermTypeIdentity:
		return in
	case gojq.TermTypeIndex:
		return r.index(in, t.Index, in, vars)
	case gojq.TermTypeQuery:
		return r.query(t.Query, in, vars)
	case gojq.TermTypeFunc:
		return r.call(t.Func, in, vars)
	case gojq.TermTypeIf:
		return r.branches(t.If, in, vars)
	case gojq.TermTypeNull, gojq.TermTypeTrue, gojq.TermTypeFalse, gojq.TermTypeNumber:
	case gojq.TermTypeArray:
		if t.Array.Query != nil {
			r.all(r.query(t.Array.Query, in, vars))
		}
	case gojq.TermTypeObject:
		r.object(t.Object, in, vars)
	case gojq.TermTypeUnary:
		r.all(r.term(t.Unary.Term, in, vars))
	case gojq.TermTypeString:
		r.text(t.Str, in, vars)
	case gojq.TermTypeTry:
		return r.attempt(t.Try, in, vars)
	case gojq.TermTypeReduce:
		r.reduce(t.Reduce, in, vars)
	default:
		r.all([]Path{{}})
	}
	return nil
}

func (r *reads) object(o *gojq.Object, in []Path, vars *bound) {
	for _, entry := range o.KeyVals {
		r.text(entry.KeyString, in, vars)
		if entry.KeyQuery != nil {
			r.all(r.query(entry.KeyQuery, in, vars))
		}
		switch {
		case entry.Val != nil:
			r.all(r.query(entry.Val, in, vars))
		case entry.Key != "" && entry.Key[0] == '$':
			r.all(vars.find(entry.Key))
		default:
			// {a} and {"a"} are short for {a: .a}.
			r.all(in)
		}
	}
}

// attempt follows try. A handler gets a message, which may quote any value.
func (r *reads) attempt(try *gojq.Try, in []Path, vars *bound) []Path {
	if try.Catch != nil {
		r.all([]Path{{}})
	}
	return r.query(try.Body, in, vars)
}

// reduce reads wholly what it starts with and what each round gives, so what
// the next round finds holds no place.
func (r *reads) reduce(fold *gojq.Reduce, in []Path, vars *bound) {
	vars = r.bind(fold.Patterns, r.query(fold.Query, in, vars), in, vars)
	r.all(r.query(fold.Start, in, vars))
	r.all(r.query(fold.Update, nil, vars))
}

func (r *reads) branches(i *gojq.If, in []Path, vars *bound) []Path {
	r.all(r.query(i.Cond, in, vars))
	results := r.query(i.Then, in, vars)
	for _, branch := range i.Elif {
		r.all(r.query(branch.Cond, in, vars))
		results = slices.Concat(results, r.query(branch.Then, in, vars))
	}
	return slices.Concat(results, r.query(i.Else, in, vars))
}

// call follows the functions that pass on parts of their input. All others
// read the whole input, and their arguments are run on something made of it.
func (r *reads) call(f *gojq.Func, in []Path, vars *bound) []Path {
	if f.Name[0] == '$' {
		return vars.find(f.Name)
	}
	switch {
	case f.Name == "empty" && len(f.Args) == 0:
		return nil
	case f.Name == "select" && len(f.Args) == 1:
		r.all(r.query(f.Args[0], in, vars))
		return in
	case (f.Name == "any" || f.Name == "all" || f.Name == "map") && len(f.Args) == 1:
		r.all(r.query(f.Args[0], r.step(in, Step{Kind: StepIterate}), vars))
		return nil
	case (f.Name == "any" || f.Name == "all") && len(f.Args) == 2:
		r.all(r.query(f.Args[1], r.query(f.Args[0], in, vars), vars))
		return nil
	case (f.Name == "first" || f.Name == "last" || f.Name == "isempty") && len(f.Args) == 1:
		return r.query(f.Args[0], in, vars)
	}
	r.all(in)
	for _, argument := range f.Args {
		r.all(r.query(argument, nil, vars))
	}
	return nil
}
