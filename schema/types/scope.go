package types

import "github.com/workloadmap/wm/jq"

// scope is a linked list of the names visible at a node, innermost first.
type scope struct {
	outer *scope
	name  string
	// arity and function are of a function; function is nil for a variable.
	arity    int
	function *function
	value    Value
}

// function is a definition, or an argument, with the names that it sees. A
// definition sees itself too, but never calls itself: compiled programs do not
// recur.
type function struct {
	parameters []string
	body       *jq.Node
	scope      *scope
}

func (s *scope) bind(name string, value Value) *scope {
	return &scope{outer: s, name: name, value: value}
}

func (s *scope) variable(name string) Value {
	for ; s != nil; s = s.outer {
		if s.function == nil && s.name == name {
			return s.value
		}
	}
	return anything()
}

func (s *scope) find(name string, arity int) *function {
	for ; s != nil; s = s.outer {
		if s.function != nil && s.name == name && s.arity == arity {
			return s.function
		}
	}
	return nil
}

// destructure binds the variables of a pattern. Of several patterns that are
// tried in turn any may apply, so their variables are unknown.
func (in *interpreter) destructure(patterns []*jq.Pattern, value Value, s *scope) *scope {
	if len(patterns) == 1 {
		return in.pattern(patterns[0], value, s)
	}
	for _, p := range patterns {
		s = in.pattern(p, anything(), s)
	}
	return s
}

func (in *interpreter) pattern(p *jq.Pattern, value Value, s *scope) *scope {
	if p == nil {
		return s
	}
	if p.Variable != "" {
		return s.bind(p.Variable, value)
	}
	for _, element := range p.Array {
		s = in.pattern(element, anything(), s)
	}
	for _, entry := range p.Object {
		field := anything()
		if name, ok := entry.Key.Value.(string); ok && entry.Key.Kind == jq.NodeLiteral {
			field = in.field(value, name, entry.Key)
		}
		if entry.Variable != "" {
			s = s.bind(entry.Variable, field)
		}
		s = in.pattern(entry.Value, field, s)
	}
	return s
}

// computesKeys tells whether a pattern has a key that is an expression, which
// can have any number of results.
func computesKeys(patterns []*jq.Pattern) bool {
	for _, p := range patterns {
		if p == nil {
			continue
		}
		if computesKeys(p.Array) {
			return true
		}
		for _, entry := range p.Object {
			if entry.Key.Kind != jq.NodeLiteral || computesKeys([]*jq.Pattern{entry.Value}) {
				return true
			}
		}
	}
	return false
}
