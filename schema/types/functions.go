package types

import "github.com/workloadmap/wm/jq"

// call evaluates a function: one of the expression's own, one that steers
// other code, or one that computes.
func (in *interpreter) call(n *jq.Node, input Value, s *scope) outcome {
	if f := s.find(n.Name, len(n.Args)); f != nil {
		return in.callOwn(f, n, input, s)
	}
	if handle, ok := in.steering(n); ok {
		return handle(n, input, s)
	}
	count := Count{Min: 1, Max: 1}
	known, ok := computing(n.Name, len(n.Args))
	for _, argument := range n.Args {
		switch {
		case !ok:
			// What the function hands to its argument is not known.
			in.eval(argument, anything(), s)
		case known.byElement:
			in.eval(argument, input.only(Array).elementsOfAny(), s)
		default:
			count = count.times(in.eval(argument, input, s).count)
		}
	}
	if !ok {
		return unknownOutcome()
	}
	if known.takes != 0 {
		in.needs(input, known.takes, "given to "+n.Name, marked(n))
	}
	if known.sameShape && !input.unknown {
		v := input.only(known.gives)
		v.texts, v.narrowed, v.path = nil, nil, ""
		if v.schema != nil {
			v.schema, v.element = nil, pointer(input.elements())
		}
		return outcome{v, count}
	}
	return outcome{ofKinds(known.gives), count}
}

func pointer(v Value) *Value { return &v }

func (in *interpreter) callOwn(f *function, n *jq.Node, input Value, s *scope) outcome {
	inner := f.scope
	count := Count{Min: 1, Max: 1}
	for i, parameter := range f.parameters {
		if parameter[0] == '$' {
			argument := in.eval(n.Args[i], input, s)
			count = count.times(argument.count)
			inner = inner.bind(parameter, argument.value)
			parameter = parameter[1:]
		}
		inner = &scope{outer: inner, name: parameter, function: &function{body: n.Args[i], scope: s}}
	}
	result := in.eval(f.body, input, inner)
	return outcome{result.value, count.times(result.count)}
}

type handler func(n *jq.Node, input Value, s *scope) outcome

// steering finds the functions whose arguments are code for other inputs, or
// whose results are parts of their input.
func (in *interpreter) steering(n *jq.Node) (handler, bool) {
	switch len(n.Args) {
	case 0:
		return in.steeringInput(n.Name)
	case 1:
		switch n.Name {
		case "select":
			return in.selected, true
		case "map":
			return in.mapped, true
		case "any", "all":
			return in.quantified, true
		case "first", "last":
			return in.oneOf, true
		case "error":
			return in.raise, true
		}
	case 2:
		switch n.Name {
		case "any", "all":
			return in.quantified, true
		case "limit":
			return in.limited, true
		}
	}
	return nil, false
}

func (in *interpreter) steeringInput(name string) (handler, bool) {
	switch name {
	case "empty", "error":
		return func(*jq.Node, Value, *scope) outcome { return outcome{} }, true
	case "not":
		return func(*jq.Node, Value, *scope) outcome { return one(ofKinds(Boolean)) }, true
	case "first", "last":
		return in.elementOf, true
	case "min", "max":
		return in.extreme, true
	case "add":
		return in.added, true
	case "to_entries":
		return in.entries, true
	case "values":
		return narrowedBy(AllKinds &^ Null), true
	case "nulls":
		return narrowedBy(Null), true
	case "strings":
		return narrowedBy(String), true
	case "numbers":
		return narrowedBy(Number), true
	case "arrays":
		return narrowedBy(Array), true
	case "objects":
		return narrowedBy(Object), true
	case "booleans":
		return narrowedBy(Boolean), true
	case "scalars":
		return narrowedBy(AllKinds &^ (Array | Object)), true
	case "iterables":
		return narrowedBy(Array | Object), true
	default:
		return nil, false
	}
}

func narrowedBy(kinds Kinds) handler {
	return func(_ *jq.Node, input Value, _ *scope) outcome {
		return outcome{input.only(kinds), Count{Max: 1, Filtered: true}}
	}
}

func (in *interpreter) raise(n *jq.Node, input Value, s *scope) outcome {
	in.eval(n.Args[0], input, s)
	return outcome{}
}

func (in *interpreter) selected(n *jq.Node, input Value, s *scope) outcome {
	condition := in.condition(n.Args[0], input, s)
	refined, _ := in.refine(n.Args[0], input, s, true)
	return outcome{refined, Count{Max: condition.count.Max, Filtered: true}}
}

func (in *interpreter) mapped(n *jq.Node, input Value, s *scope) outcome {
	in.needs(input, Array|Object, "given to map", marked(n))
	element := anything()
	if !input.unknown {
		element = input.only(Array | Object).elements()
	}
	return one(listOf(in.eval(n.Args[0], element, s).value))
}

// quantified is any and all. With one argument it is for each element.
func (in *interpreter) quantified(n *jq.Node, input Value, s *scope) outcome {
	condition := n.Args[len(n.Args)-1]
	element := anything()
	if len(n.Args) == 2 {
		element = in.eval(n.Args[0], input, s).value
	} else {
		in.needs(input, Array|Object, "given to "+n.Name, marked(n))
		if !input.unknown {
			element = input.only(Array | Object).elements()
		}
	}
	in.condition(condition, element, s)
	return one(ofKinds(Boolean))
}

func (in *interpreter) elementOf(n *jq.Node, input Value, _ *scope) outcome {
	if input.unknown || input.kinds&(Object|String) != 0 {
		return one(anything())
	}
	in.needs(input, Array|Null, "given to "+n.Name, marked(n))
	element := input.only(Array).elementsOfAny()
	element.kinds |= Null
	element.path = ""
	return one(element)
}

func (in *interpreter) oneOf(n *jq.Node, input Value, s *scope) outcome {
	source := in.eval(n.Args[0], input, s)
	return outcome{source.value, Count{Min: source.count.Min, Max: min(1, source.count.Max)}}
}

func (in *interpreter) limited(n *jq.Node, input Value, s *scope) outcome {
	in.eval(n.Args[0], input, s)
	source := in.eval(n.Args[1], input, s)
	return outcome{source.value, Count{Max: source.count.Max, Filtered: true}}
}

// extreme is min and max: an element, or null of an empty list.
func (in *interpreter) extreme(n *jq.Node, input Value, _ *scope) outcome {
	if input.unknown || input.kinds&Object != 0 {
		return one(anything())
	}
	in.needs(input, Array, "given to "+n.Name, marked(n))
	element := input.only(Array).elementsOfAny()
	element.kinds |= Null
	element.path, element.nullAt = "", ""
	return one(element)
}

// added is the sum of elements; null when there are none.
func (in *interpreter) added(n *jq.Node, input Value, _ *scope) outcome {
	if input.unknown {
		return one(anything())
	}
	in.needs(input, Array|Object, "given to add", marked(n))
	element := input.only(Array | Object).elements()
	if element.unknown {
		return one(anything())
	}
	// Sums of texts are other texts, and sums of lists and objects have the
	// parts of several. A map of computed names has the values of all.
	sum := ofKinds(element.kinds | Null)
	if element.values != nil && element.kinds&Array == 0 {
		sum.values = element.values
	}
	return one(sum)
}

func (in *interpreter) entries(n *jq.Node, input Value, _ *scope) outcome {
	in.needs(input, Array|Object, "given to to_entries", marked(n))
	value := anything()
	if !input.unknown {
		value = input.only(Array | Object).elements()
	}
	key := ofKinds(String)
	if input.kinds&Array != 0 {
		key.kinds |= Number
	}
	return one(listOf(Value{kinds: Object, fields: map[string]Value{"key": key, "value": value}}))
}
