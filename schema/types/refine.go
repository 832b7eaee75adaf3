package types

import (
	"maps"
	"slices"

	"github.com/workloadmap/wm/jq"
)

// refine gives the input and the variables as they must be when a condition
// has been true, or false. Conditions that it does not understand change
// nothing.
func (in *interpreter) refine(n *jq.Node, input Value, s *scope, truth bool) (Value, *scope) {
	if p, ok := placeOf(n); ok {
		return p.change(input, s, func(v Value) Value {
			if truth {
				return v.without(Null | False)
			}
			return v.only(Null | False)
		})
	}
	switch n.Kind {
	case jq.NodePipe:
		return in.refinePipe(n, input, s, truth)
	case jq.NodeBinary:
		return in.refineBinary(n, input, s, truth)
	default:
		return input, s
	}
}

func (in *interpreter) refinePipe(n *jq.Node, input Value, s *scope, truth bool) (Value, *scope) {
	if call := n.Args[1]; call.Kind == jq.NodeCall && call.Name == "not" && len(call.Args) == 0 && s.find("not", 0) == nil {
		return in.refine(n.Args[0], input, s, !truth)
	}
	if p, ok := placeOf(n.Args[0]); ok {
		return p.change(input, s, func(v Value) Value {
			// What the condition says about variables is left out.
			refined, _ := in.refine(n.Args[1], v, s, truth)
			return refined
		})
	}
	return input, s
}

func (in *interpreter) refineBinary(n *jq.Node, input Value, s *scope, truth bool) (Value, *scope) {
	left, right := n.Args[0], n.Args[1]
	switch n.Name {
	case "and", "or":
		if truth == (n.Name == "and") {
			input, s = in.refine(left, input, s, truth)
			return in.refine(right, input, s, truth)
		}
		return input, s
	case "==", "!=":
		if _, ok := literalOf(left); ok {
			left, right = right, left
		}
		value, ok := literalOf(right)
		if !ok {
			return input, s
		}
		return in.refineEqual(left, value, input, s, truth == (n.Name == "=="))
	case ">", ">=", "<", "<=":
		// In the order of jq, null and booleans are less than numbers.
		greater, least := left, right
		if n.Name[0] == '<' {
			greater, least = right, left
		}
		p, ok := placeOf(greater)
		if value, isLiteral := literalOf(least); truth && ok && isLiteral && kindOf(value) == Number {
			return p.change(input, s, func(v Value) Value { return v.without(Null | Boolean) })
		}
	}
	return input, s
}

func (in *interpreter) refineEqual(n *jq.Node, value any, input Value, s *scope, equal bool) (Value, *scope) {
	if p, ok := placeOf(n); ok {
		return p.change(input, s, func(v Value) Value { return equalTo(v, value, equal) })
	}
	// .a | type == "string"
	if n.Kind == jq.NodePipe && isTypeCall(n.Args[1], s) {
		if p, ok := placeOf(n.Args[0]); ok {
			return p.change(input, s, func(v Value) Value { return ofType(v, value, equal) })
		}
	}
	if isTypeCall(n, s) {
		return ofType(input, value, equal), s
	}
	return input, s
}

func isTypeCall(n *jq.Node, s *scope) bool {
	return n.Kind == jq.NodeCall && n.Name == "type" && len(n.Args) == 0 && s.find("type", 0) == nil
}

func ofType(v Value, name any, equal bool) Value {
	kinds, ok := map[any]Kinds{"null": Null, "boolean": Boolean, "number": Number, "string": String, "array": Array, "object": Object}[name]
	switch {
	case !ok:
		return v
	case equal:
		return v.only(kinds)
	default:
		return v.without(kinds)
	}
}

func equalTo(v Value, value any, equal bool) Value {
	kind := kindOf(value)
	text, isText := value.(string)
	switch {
	case equal:
		v = v.only(kind)
		if isText && kind&v.kinds != 0 {
			v.texts = []string{text}
		}
	case kind&(Null|Boolean) != 0:
		v = v.without(kind)
	case isText:
		v = withoutText(v, text)
	}
	return v
}

// place is where a path of fields leads to from the input or a variable.
type place struct {
	variable string
	fields   []string
}

// placeOf reads a node as fields of the input or of a variable.
func placeOf(n *jq.Node) (place, bool) {
	switch n.Kind {
	case jq.NodeIdentity:
		return place{}, true
	case jq.NodeVariable:
		return place{variable: n.Name}, true
	case jq.NodeField:
		p, ok := placeOf(n.Args[0])
		p.fields = append(slices.Clip(p.fields), n.Name)
		return p, ok
	case jq.NodePipe:
		left, ok := placeOf(n.Args[0])
		right, ok2 := placeOf(n.Args[1])
		if !ok || !ok2 || right.variable != "" {
			return place{}, false
		}
		return place{left.variable, slices.Concat(left.fields, right.fields)}, true
	default:
		return place{}, false
	}
}

func (p place) change(input Value, s *scope, change func(Value) Value) (Value, *scope) {
	if p.variable == "" {
		return changed(input, p.fields, change), s
	}
	return input, s.bind(p.variable, changed(s.variable(p.variable), p.fields, change))
}

// changed narrows a field that is below a value. Once a field is something
// other than null, the objects above it are there.
func changed(v Value, fields []string, change func(Value) Value) Value {
	if len(fields) == 0 {
		return change(v)
	}
	if v.unknown || v.fields != nil || v.schema == nil || v.kinds&Object == 0 {
		return v
	}
	quiet := interpreter{tested: map[string]bool{}}
	inner := changed(quiet.field(v, fields[0], &jq.Node{}), fields[1:], change)
	v.narrowed = maps.Clone(v.narrowed)
	if v.narrowed == nil {
		v.narrowed = map[string]Value{}
	}
	v.narrowed[fields[0]] = inner
	if inner.kinds&Null == 0 {
		v = v.only(Object)
	}
	return v
}
