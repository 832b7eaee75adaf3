package jq

import (
	"slices"

	"github.com/itchyny/gojq"
)

// facts are what is known of an expression without an input.
type facts struct {
	path            Path
	isPath          bool
	base            Path
	bases           []Path
	assignable      bool
	constant        *literal
	trailingComment bool
	reads           reads
}

func factsOf(q *gojq.Query, text *lexed) facts {
	f := facts{trailingComment: text.trailingComment, assignable: assignable(q), reads: readsOf(q)}
	f.path, f.isPath = plainPath(q)
	if value, ok := constantOf(q); ok {
		f.constant = &literal{value}
	}
	t := tracer{}
	main := flow{}
	t.query(q, origin{kind: originValue}, &main, nil)
	f.bases = t.bases
	if !main.broken {
		f.base = main.last
	}
	return f
}

// Path gives the expression as a path, if it is nothing but fields, string
// keys, integer indexes and iterations, also piped into each other.
func (p *Program) Path() (Path, bool) { return slices.Clone(p.facts.path), p.facts.isPath }

// Base is the list or map whose entries the results of the expression belong
// to: the path up to and including the last iteration that its main pipe makes.
//
//	.spec.workerGroupSpecs[].groupName        .spec.workerGroupSpecs[]
//	.spec.services | to_entries[] | .key      .spec.services[]
//	.spec.services | keys[]                   .spec.services[]
//	.a[].b[].name                             .a[].b[]
//
// Evaluated on an object with the base cut down to one entry
// ([Input.Entries]), the expression gives the results of that entry. False
// when it iterates over nothing or when that does not hold: iterations side by
// side, functions of the expression's own, a default for a whole stream. Cut
// down, a list has its entry at position 0: what keys and to_entries give for
// lists, unlike for maps, is not the entry's own.
func (p *Program) Base() (Path, bool) {
	return slices.Clone(p.facts.base), len(p.facts.base) > 0
}

// Bases are the paths of all iterations anywhere in the expression, also
// within arguments, each ending in its iteration; in the order of the text,
// without duplicates and without "?". Iterations over something that is not a
// path of the input are left out.
func (p *Program) Bases() []Path {
	bases := make([]Path, len(p.facts.bases))
	for i, base := range p.facts.bases {
		bases[i] = slices.Clone(base)
	}
	return bases
}

// Mentions tells whether the expression iterates over base, or over something
// within its entries.
func (p *Program) Mentions(base Path) bool {
	return slices.ContainsFunc(p.facts.bases, func(b Path) bool { return b.HasPrefix(base) })
}

// Constant gives the value of an expression that is a literal, the same for
// every input: a scalar, or an array or object of literals. It is a copy.
func (p *Program) Constant() (any, bool) {
	if p.facts.constant == nil {
		return nil, false
	}
	return copied(p.facts.constant.value), true
}

// Assignable tells whether the places that the expression reads can be written
// to: fields, string keys, integer indexes and iterations, pipes of these,
// select, and defaults (//) between such paths.
func (p *Program) Assignable() bool { return p.facts.assignable }

// HasTrailingComment tells whether the text ends in a comment without a line
// break. Such an expression is valid, but tools that put it in parentheses, as
// the first implementation of the format does, lose the closing one.
func (p *Program) HasTrailingComment() bool { return p.facts.trailingComment }

func assignable(q *gojq.Query) bool {
	if q == nil || len(q.FuncDefs) > 0 || len(q.Patterns) > 0 {
		return false
	}
	if q.Term == nil {
		return (q.Op == gojq.OpPipe || q.Op == gojq.OpAlt) && assignable(q.Left) && assignable(q.Right)
	}
	switch t := q.Term; t.Type {
	case gojq.TermTypeIdentity:
	case gojq.TermTypeIndex:
		if _, ok := plainIndex(t.Index); !ok {
			return false
		}
	case gojq.TermTypeQuery:
		if !assignable(t.Query) {
			return false
		}
	case gojq.TermTypeFunc:
		if t.Func.Name != "select" || len(t.Func.Args) != 1 {
			return false
		}
	default:
		return false
	}
	for _, suffix := range q.Term.SuffixList {
		if suffix.Index == nil {
			continue
		}
		if _, ok := plainIndex(suffix.Index); !ok {
			return false
		}
	}
	return true
}

// constantOf is the value of a literal, with all that it contains.
func constantOf(q *gojq.Query) (any, bool) {
	if value, ok := scalarLiteral(q); ok {
		return value, true
	}
	t := soleTerm(q)
	if t == nil {
		return nil, false
	}
	switch t.Type {
	case gojq.TermTypeArray:
		array := []any{}
		return array, t.Array.Query == nil || constantElements(t.Array.Query, &array)
	case gojq.TermTypeObject:
		object := map[string]any{}
		for _, entry := range t.Object.KeyVals {
			key, ok := constantKey(entry)
			if !ok || entry.Val == nil {
				return nil, false
			}
			value, ok := constantOf(entry.Val)
			if !ok {
				return nil, false
			}
			object[key] = value
		}
		return object, true
	default:
		return nil, false
	}
}

func constantKey(entry *gojq.ObjectKeyVal) (string, bool) {
	switch {
	case entry.KeyString != nil:
		return entry.KeyString.Str, entry.KeyString.Queries == nil
	case entry.KeyQuery != nil:
		return literalString(entry.KeyQuery)
	default:
		return entry.Key, entry.Key[0] != '$'
	}
}

func constantElements(q *gojq.Query, array *[]any) bool {
	if q.Op == gojq.OpComma && len(q.FuncDefs) == 0 {
		return constantElements(q.Left, array) && constantElements(q.Right, array)
	}
	value, ok := constantOf(q)
	*array = append(*array, value)
	return ok
}
