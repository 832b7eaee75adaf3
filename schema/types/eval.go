package types

import "github.com/workloadmap/wm/jq"

// eval computes what a node gives for an input.
func (in *interpreter) eval(n *jq.Node, input Value, s *scope) outcome {
	if in.steps++; in.steps > maxSteps {
		return unknownOutcome()
	}
	switch n.Kind {
	case jq.NodeIdentity:
		in.looksAt(input)
		return one(input)
	case jq.NodeLiteral:
		return one(literal(n.Value))
	case jq.NodeField, jq.NodeIndex, jq.NodeSlice, jq.NodeIterate:
		return in.step(n, input, s)
	case jq.NodePipe:
		left := in.eval(n.Args[0], input, s)
		right := in.eval(n.Args[1], left.value, s)
		return outcome{right.value, left.count.times(right.count)}
	case jq.NodeComma:
		return in.comma(n, input, s)
	case jq.NodeBinary:
		return in.binary(n, input, s)
	case jq.NodeNegate:
		operand := in.eval(n.Args[0], input, s)
		in.needs(operand.value, Number, "negated", span{n.Start, n.End})
		return outcome{ofKinds(Number), operand.count}
	case jq.NodeVariable:
		value := s.variable(n.Name)
		in.looksAt(value)
		return one(value)
	case jq.NodeString:
		return in.parts(n, input, s)
	case jq.NodeFormat:
		return one(ofKinds(String))
	case jq.NodeObject:
		return in.object(n, input, s)
	case jq.NodeArray:
		if len(n.Args) == 0 {
			return one(listOf(Value{}))
		}
		return one(listOf(in.eval(n.Args[0], input, s).value))
	case jq.NodeCall:
		return in.call(n, input, s)
	default:
		return in.control(n, input, s)
	}
}

// looksAt notes what a condition depends on.
func (in *interpreter) looksAt(v Value) {
	if in.testing > 0 && v.path != "" {
		in.tested[v.path] = true
	}
}

func (in *interpreter) comma(n *jq.Node, input Value, s *scope) outcome {
	left, right := in.eval(n.Args[0], input, s), in.eval(n.Args[1], input, s)
	return outcome{join(left.value, right.value), Count{
		Min:      max(left.count.Min, right.count.Min),
		Max:      min(Many, left.count.Max+right.count.Max),
		Filtered: left.count.Filtered || right.count.Filtered,
	}}
}

func (in *interpreter) parts(n *jq.Node, input Value, s *scope) outcome {
	count := Count{Min: 1, Max: 1}
	for _, part := range n.Args {
		count = count.times(in.eval(part, input, s).count)
	}
	return outcome{ofKinds(String), count}
}

func (in *interpreter) control(n *jq.Node, input Value, s *scope) outcome {
	switch n.Kind {
	case jq.NodeIf:
		return in.conditional(n, input, s)
	case jq.NodeTry:
		return in.try(n, input, s)
	case jq.NodeBind:
		source := in.eval(n.Args[0], input, s)
		body := in.eval(n.Args[1], input, in.destructure(n.Patterns, source.value, s))
		count := source.count.times(body.count)
		if computesKeys(n.Patterns) {
			count = Count{Max: Many, Filtered: true}
		}
		return outcome{body.value, count}
	case jq.NodeDef:
		made := &scope{outer: s, name: n.Name, arity: len(n.Parameters)}
		made.function = &function{n.Parameters, n.Args[0], s}
		return in.eval(n.Args[1], input, made)
	case jq.NodeReduce, jq.NodeForeach:
		return in.loop(n, input, s)
	case jq.NodeLabel:
		body := in.eval(n.Args[0], input, s)
		return outcome{body.value, Count{Max: body.count.Max, Filtered: true}}
	case jq.NodeBreak:
		return outcome{}
	default:
		return unknownOutcome()
	}
}

func (in *interpreter) conditional(n *jq.Node, input Value, s *scope) outcome {
	condition := in.condition(n.Args[0], input, s)
	thenInput, thenScope := in.refine(n.Args[0], input, s, true)
	result := in.eval(n.Args[1], thenInput, thenScope)
	elseInput, elseScope := in.refine(n.Args[0], input, s, false)
	other := one(elseInput)
	if n.Args[2] != nil {
		other = in.eval(n.Args[2], elseInput, elseScope)
	}
	return outcome{join(result.value, other.value), condition.count.times(result.count.either(other.count))}
}

// condition evaluates a test: what it looks at is the author's own care.
func (in *interpreter) condition(n *jq.Node, input Value, s *scope) outcome {
	in.testing++
	defer func() { in.testing-- }()
	return in.eval(n, input, s)
}

func (in *interpreter) try(n *jq.Node, input Value, s *scope) outcome {
	in.caught++
	in.tried++
	body := in.eval(n.Args[0], input, s)
	in.caught--
	in.tried--
	body.count.Min = 0
	if n.Args[1] == nil {
		return body
	}
	handler := in.eval(n.Args[1], anything(), s)
	return outcome{join(body.value, handler.value), Count{Max: min(Many, body.count.Max+handler.count.Max), Filtered: true}}
}

// loop knows nothing of what reduce and foreach accumulate.
func (in *interpreter) loop(n *jq.Node, input Value, s *scope) outcome {
	source := in.eval(n.Args[0], input, s)
	in.eval(n.Args[1], input, s)
	inner := in.destructure(n.Patterns, source.value, s)
	in.eval(n.Args[2], anything(), inner)
	if n.Kind == jq.NodeReduce {
		return outcome{anything(), Count{Min: 0, Max: Many, Filtered: true}}
	}
	if n.Args[3] != nil {
		in.eval(n.Args[3], anything(), inner)
	}
	return unknownOutcome()
}

func (in *interpreter) object(n *jq.Node, input Value, s *scope) outcome {
	made := Value{kinds: Object, fields: map[string]Value{}}
	var all Value
	count := Count{Min: 1, Max: 1}
	for _, entry := range n.Entries {
		name, known := entry.Key.Value.(string)
		known = known && entry.Key.Kind == jq.NodeLiteral && entry.Key.Name == ""
		held := one(anything())
		switch {
		case entry.Key.Kind == jq.NodeVariable && entry.Value == nil:
			name, known = entry.Key.Name[1:], true
			held = one(s.variable(entry.Key.Name))
		case entry.Value != nil:
			held = in.eval(entry.Value, input, s)
		case known:
			held = one(in.field(input, name, entry.Key))
		}
		if entry.Key.Kind != jq.NodeLiteral && entry.Key.Kind != jq.NodeVariable {
			count = count.times(in.eval(entry.Key, input, s).count)
		}
		count = count.times(held.count)
		all = join(all, held.value)
		if !known {
			made.fields = nil
		} else if made.fields != nil {
			made.fields[name] = held.value
		}
	}
	if made.fields == nil {
		made.values = &all
	}
	return outcome{made, count}
}
