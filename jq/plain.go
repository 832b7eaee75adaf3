package jq

import (
	"encoding/json"
	"strconv"

	"github.com/itchyny/gojq"
)

// plainPath is the path that a query consists of, if it is nothing else:
// fields, integer indexes, iterations and pipes of these.
func plainPath(q *gojq.Query) (Path, bool) {
	if q == nil || len(q.FuncDefs) > 0 {
		return nil, false
	}
	if q.Term != nil {
		return plainTerm(q.Term)
	}
	if q.Op != gojq.OpPipe || len(q.Patterns) > 0 {
		return nil, false
	}
	left, ok := plainPath(q.Left)
	if !ok {
		return nil, false
	}
	right, ok := plainPath(q.Right)
	return append(left, right...), ok
}

func plainTerm(t *gojq.Term) (Path, bool) {
	path := Path{}
	switch t.Type {
	case gojq.TermTypeIdentity:
	case gojq.TermTypeIndex:
		step, ok := plainIndex(t.Index)
		if !ok {
			return nil, false
		}
		path = append(path, step)
	case gojq.TermTypeQuery:
		inner, ok := plainPath(t.Query)
		// (.a.b)? forgives errors of both steps, which no step can say.
		if !ok || len(inner) > 1 && startsOptional(t.SuffixList) {
			return nil, false
		}
		path = inner
	default:
		return nil, false
	}
	for i, suffix := range t.SuffixList {
		switch {
		case suffix.Optional:
			if len(path) > 0 {
				path[len(path)-1].Optional = true
			}
		case suffix.Iter:
			path = append(path, Step{Kind: StepIterate})
		default:
			step, ok := plainIndex(t.SuffixList[i].Index)
			if !ok {
				return nil, false
			}
			path = append(path, step)
		}
	}
	return path, true
}

func startsOptional(suffixes []*gojq.Suffix) bool {
	return len(suffixes) > 0 && suffixes[0].Optional
}

// plainIndex is an index by a literal.
func plainIndex(i *gojq.Index) (Step, bool) {
	switch {
	case i.Name != "":
		return Step{Kind: StepField, Field: i.Name}, true
	case i.Str != nil:
		return Step{Kind: StepField, Field: i.Str.Str}, i.Str.Queries == nil
	case i.IsSlice:
		return Step{}, false
	}
	if field, ok := literalString(i.Start); ok {
		return Step{Kind: StepField, Field: field}, true
	}
	value, ok := scalarLiteral(i.Start)
	if !ok {
		return Step{}, false
	}
	index, ok := value.(int)
	return Step{Kind: StepIndex, Index: index}, ok
}

// scalarLiteral is the value of a query that is null, a boolean, a string or a
// number, as the engine would give it.
func scalarLiteral(q *gojq.Query) (any, bool) {
	t := soleTerm(q)
	if t == nil {
		return nil, false
	}
	switch t.Type {
	case gojq.TermTypeNull:
		return nil, true
	case gojq.TermTypeTrue:
		return true, true
	case gojq.TermTypeFalse:
		return false, true
	case gojq.TermTypeString:
		return t.Str.Str, t.Str.Queries == nil
	case gojq.TermTypeNumber:
		return numberLiteral(t.Number)
	case gojq.TermTypeUnary:
		inner := t.Unary.Term
		if inner.Type != gojq.TermTypeNumber || len(inner.SuffixList) > 0 || t.Unary.Op != gojq.OpSub {
			return nil, false
		}
		value, ok := numberLiteral(inner.Number)
		whole, isInt := value.(int)
		if !ok || !isInt || whole == 0 {
			return nil, false
		}
		return -whole, true
	default:
		return nil, false
	}
}

// numberLiteral reads the numbers that need no care: integers of a machine
// word and finite fractions.
func numberLiteral(text string) (any, bool) {
	if whole, err := strconv.Atoi(text); err == nil {
		return whole, true
	}
	value, err := normalNumber(json.Number(text).String())
	if _, isFloat := value.(float64); err != nil || !isFloat {
		return nil, false
	}
	return value, true
}
