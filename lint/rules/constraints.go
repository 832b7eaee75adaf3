package rules

import (
	"slices"

	"github.com/workloadmap/wm/jq"
	"github.com/workloadmap/wm/lint"
)

// mostCompared bounds the parts of a definition that are compared with each
// other, each with each. Nobody has written more of them by hand.
const mostCompared = 200

// constraint is one thing that a matcher or a selector asks for.
type constraint struct{ what, name, value string }

// constraints are all that one asks for; it matches when all of them hold. The
// more there are, the less it matches.
type constraints map[constraint]bool

// constraintsOf is false for a matcher that asks for nothing, or that has parts
// that cannot be read: these are mistakes of their own.
func constraintsOf(d *lint.Definition, m matcher) (constraints, bool) {
	asked := constraints{}
	parts := 0
	if m.ByPhase != "" {
		asked[constraint{"phase", m.ByPhase, ""}] = true
		parts++
	}
	for _, c := range m.ByConditions {
		if c.Type == "" {
			return nil, false
		}
		asked[constraint{"condition", c.Type, ""}] = true
		if c.Status != "" {
			asked[constraint{"status", c.Type, c.Status}] = true
		}
		if c.Reason != "" {
			asked[constraint{"reason", c.Type, c.Reason}] = true
		}
		parts++
	}
	if e := m.ByExpression; e != nil {
		if e.Expression == "" {
			return nil, false
		}
		if !alwaysGives(d, m) {
			asked[constraint{"expression", e.Expression, e.ExpectedResult}] = true
		}
		parts++
	}
	return asked, parts > 0 && fieldsOf(d, m) == parts-max(0, len(m.ByConditions)-1)
}

// fieldsOf counts the parts of a matcher as they are written.
func fieldsOf(d *lint.Definition, m matcher) int {
	n := 0
	for range d.Node(m.at()).Fields() {
		n++
	}
	return n
}

// alwaysGives reports whether a matcher's expression is a constant that is the
// result it expects.
func alwaysGives(d *lint.Definition, m matcher) bool {
	program := programAt(d, m.at("byExpression", "expression"))
	if program == nil {
		return false
	}
	value, constant := program.Constant()
	text, err := jq.Text(value)
	return constant && err == nil && text == m.ByExpression.ExpectedResult
}

func (c constraints) includes(other constraints) bool {
	for each := range other {
		if !c[each] {
			return false
		}
	}
	return true
}

func (c constraints) equal(other constraints) bool {
	return len(c) == len(other) && c.includes(other)
}

// excludes reports whether two matchers ask for the opposite of each other.
func excludes(a, b matcher) bool {
	if a.ByPhase != "" && b.ByPhase != "" && a.ByPhase != b.ByPhase {
		return true
	}
	for _, x := range a.ByConditions {
		for _, y := range b.ByConditions {
			if x.Type == y.Type && (differ(x.Status, y.Status) || differ(x.Reason, y.Reason)) {
				return true
			}
		}
	}
	x, y := a.ByExpression, b.ByExpression
	return x != nil && y != nil && x.Expression == y.Expression && x.ExpectedResult != y.ExpectedResult
}

func differ(a, b string) bool { return a != "" && b != "" && a != b }

// programAt is the program of the expression at a path; nil when there is none
// or it does not compile.
func programAt(d *lint.Definition, path []any) *jq.Program {
	for _, e := range d.Expressions {
		if slices.Equal(e.Path, path) {
			return e.Program
		}
	}
	return nil
}
