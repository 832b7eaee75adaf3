package types

import (
	"fmt"
	"slices"

	"github.com/workloadmap/wm/jq"
)

func (in *interpreter) binary(n *jq.Node, input Value, s *scope) outcome {
	switch n.Name {
	case "//":
		return in.alternative(n, input, s)
	case "and", "or":
		left := in.condition(n.Args[0], input, s)
		rightInput, rightScope := in.refine(n.Args[0], input, s, n.Name == "and")
		right := in.condition(n.Args[1], rightInput, rightScope)
		return outcome{ofKinds(Boolean), left.count.times(Count{Min: 1, Max: 1}.either(right.count))}
	}
	left, right := in.eval(n.Args[0], input, s), in.eval(n.Args[1], input, s)
	count := left.count.times(right.count)
	switch n.Name {
	case "==":
		in.compare(n, left.value, right.value)
		return outcome{ofKinds(Boolean), count}
	case "!=", "<", "<=", ">", ">=":
		return outcome{ofKinds(Boolean), count}
	default:
		return outcome{in.arithmetic(n, left.value, right.value), count}
	}
}

// alternative takes the left results that are neither null nor false, and the
// right side when there are none; errors of the left side count as none.
func (in *interpreter) alternative(n *jq.Node, input Value, s *scope) outcome {
	in.caught++
	left := in.eval(n.Args[0], input, s)
	in.caught--
	right := in.eval(n.Args[1], input, s)
	value := join(left.value.without(Null|False), right.value)
	return outcome{value, Count{
		Min:      right.count.Min,
		Max:      max(left.count.Max, right.count.Max),
		Filtered: left.count.Filtered || right.count.Filtered,
	}}
}

// compare reports a comparison of a schema's value with a literal that it can
// never equal.
func (in *interpreter) compare(n *jq.Node, left, right Value) {
	operand, other, wanted := n.Args[0], left, n.Args[1]
	if wanted.Kind != jq.NodeLiteral {
		operand, other, wanted = n.Args[1], right, n.Args[0]
	}
	if wanted.Kind != jq.NodeLiteral || operand.Kind == jq.NodeLiteral || other.unknown || other.kinds == 0 {
		return
	}
	if other.Contains(wanted.Value) {
		return
	}
	p := Problem{Kind: NeverEqual, Start: n.Start, End: n.End, Path: other.path, Values: other.Texts()}
	name := quoted(other.path, "the left side")
	if text, ok := wanted.Value.(string); ok && other.kinds&String != 0 {
		p.Wanted = text
		p.Message = fmt.Sprintf("%s is never %q", name, text)
	} else {
		p.Message = fmt.Sprintf("%s is %s and never %s", name, other.without(Null).kinds.withArticle(), kindOf(wanted.Value).withArticle())
	}
	in.report(p)
}

// arithmetic gives the values of + - * / and %.
func (in *interpreter) arithmetic(n *jq.Node, left, right Value) Value {
	takes, gives := operandsOf(n.Name)
	if left.unknown || right.unknown {
		return ofKinds(gives)
	}
	if n.Name == "+" {
		return in.sum(n, left, right)
	}
	for i, v := range []Value{left, right} {
		in.needs(v, takes, "used with "+n.Name, span{n.Args[i].Start, n.Args[i].End})
	}
	both := left.kinds & right.kinds & takes
	result := ofKinds(both & (Number | String | Array | Object))
	if n.Name == "*" && (left.kinds|right.kinds)&String != 0 {
		result.kinds |= String | Null
	}
	if n.Name == "/" && both&String != 0 {
		result.kinds |= Array
	}
	return result
}

// operandsOf gives the kinds that an operator takes, and those that it gives
// for operands of which nothing is known.
func operandsOf(operator string) (takes, gives Kinds) {
	switch operator {
	case "-":
		return Number | Array, Number | Array
	case "*":
		return Number | String | Object, Number | String | Object | Null
	case "/":
		return Number | String, Number | Array
	case "%":
		return Number, Number
	default:
		return AllKinds &^ Boolean, AllKinds
	}
}

// sum is left + right, where null adds nothing.
func (in *interpreter) sum(n *jq.Node, left, right Value) Value {
	const addable = Number | String | Array | Object
	kinds := left.kinds & right.kinds & addable
	if left.kinds&Null != 0 {
		kinds |= right.kinds
	}
	if right.kinds&Null != 0 {
		kinds |= left.kinds
	}
	if kinds == 0 && in.caught == 0 && left.kinds != 0 && right.kinds != 0 {
		in.report(Problem{Kind: AlwaysFails, Start: n.MarkStart, End: n.MarkEnd,
			Message: fmt.Sprintf("%s and %s cannot be added", left.kinds.withArticle(), right.kinds.withArticle())})
	}
	result := ofKinds(kinds)
	if left.nullAt != "" && right.nullAt != "" && kinds&Null != 0 {
		result.nullAt = left.nullAt
	}
	if kinds&Array != 0 && kinds&Object == 0 {
		element := join(left.only(Array).elementsOfAny(), right.only(Array).elementsOfAny())
		result.element = &element
	}
	return result
}

func (v Value) elementsOfAny() Value {
	if v.kinds == 0 {
		return Value{}
	}
	return v.elements()
}

// literalOf tells a node that is a literal, and which.
func literalOf(n *jq.Node) (any, bool) {
	return n.Value, n.Kind == jq.NodeLiteral && n.Name == ""
}

func withoutText(v Value, text string) Value {
	if v.texts == nil {
		return v
	}
	v.texts = slices.DeleteFunc(slices.Clone(v.texts), func(t string) bool { return t == text })
	if len(v.texts) == 0 {
		v = v.without(String)
	}
	return v
}
