package coverage

import (
	"context"
	"maps"
	"slices"

	"github.com/workloadmap/wm/api/v1alpha1"
	"github.com/workloadmap/wm/jq"
	"github.com/workloadmap/wm/resolver"
	"github.com/workloadmap/wm/schema/index"
)

// enumValues adds the values that the CRD allows in fields that the status is
// read from, and in the type of its conditions.
func (v *survey) enumValues() {
	kind := v.definition.Spec.StructureDefinition.RootComponent.Kind
	known, err := index.Find(*kind)
	if err != nil {
		// Nothing is known of this kind.
		return
	}
	read := map[string]bool{}
	for _, x := range v.definition.Expressions() {
		if v.unread(x.Path) || x.Role != v1alpha1.RolePhase && x.Role != v1alpha1.RoleConditions && x.Role != v1alpha1.RoleStatusExpression {
			continue
		}
		program, err := v.compile(x.Text)
		if err != nil {
			continue
		}
		for _, chain := range fieldChains(program.Syntax()) {
			text := chain.String()
			if read[text] {
				continue
			}
			read[text] = true
			v.enumsAt(x, chain, known.Root())
		}
	}
}

// chain is a path of fields from the object, and the node that reads the last.
type chain struct {
	fields []any
	node   *jq.Node
}

func (c chain) String() string {
	var path jq.Path
	for _, field := range c.fields {
		path = append(path, jq.Step{Kind: jq.StepField, Field: field.(string)})
	}
	return path.String()
}

func (v *survey) enumsAt(x v1alpha1.Expression, c chain, root index.Type) {
	read := root
	for _, field := range c.fields {
		read, _, _ = read.Field(field.(string))
	}
	place := placeOf(v.node(x.Path).TextRange(c.node.Start, c.node.End))
	add := func(suffix, value string, holds func(*sight) bool) {
		item := at(v.node(x.Path), Item{Kind: EnumValue, Where: whereOf(x), Expression: c.String() + suffix, Value: value})
		item.Place = place
		v.add(item, func(_ context.Context, s *sight) bool { return holds(s) })
	}
	for _, value := range texts(read) {
		add("", value, func(s *sight) bool {
			held, _ := valueAt(s.object, c.fields)
			return held == value || held == nil && value == ""
		})
	}
	if x.Role != v1alpha1.RoleConditions || read.Kind() != index.List {
		return
	}
	field := v.definition.Spec.StructureDefinition.RootComponent.StatusDefinition.ConditionsDefinition.TypeFieldName
	types, _, _ := read.Element().Field(field)
	for _, value := range texts(types) {
		add("[]."+field, value, func(s *sight) bool {
			return slices.ContainsFunc(s.workload.Conditions, func(c resolver.Condition) bool { return c.Type == value })
		})
	}
}

// texts are the only texts that a type allows; none when it allows any.
func texts(t index.Type) []string {
	var all []string
	for _, value := range t.Enum() {
		if text, ok := value.(string); ok {
			all = append(all, text)
		}
	}
	return all
}

// fieldChains are the paths of fields that an expression reads from the object, also
// through pipes and variables, in the order of the text.
func fieldChains(root *jq.Node) []chain {
	t := &tracer{}
	t.trace(root, origin{known: true}, nil)
	return t.found
}

// origin is where in the object a value comes from, when that is known.
type origin struct {
	known  bool
	fields []any
}

// tracer follows values through an expression.
type tracer struct{ found []chain }

// trace visits a node whose input comes from in, and tells where its value comes from.
func (t *tracer) trace(n *jq.Node, in origin, variables map[string]origin) origin {
	if n == nil {
		return origin{}
	}
	switch n.Kind {
	case jq.NodeIdentity:
		return in
	case jq.NodeField:
		from := t.trace(n.Args[0], in, variables)
		if !from.known {
			return origin{}
		}
		from.fields = append(from.fields[:len(from.fields):len(from.fields)], n.Name)
		t.found = append(t.found, chain{fields: from.fields, node: n})
		return from
	case jq.NodeVariable:
		return variables[n.Name]
	case jq.NodePipe:
		return t.trace(n.Args[1], t.trace(n.Args[0], in, variables), variables)
	case jq.NodeBind:
		return t.trace(n.Args[1], in, bind(variables, n.Patterns, t.trace(n.Args[0], in, variables)))
	case jq.NodeBinary:
		left := t.trace(n.Args[0], in, variables)
		t.trace(n.Args[1], in, variables)
		if n.Name == "//" {
			return left
		}
		return origin{}
	case jq.NodeCall:
		if n.Name == "select" && len(n.Args) == 1 {
			t.trace(n.Args[0], in, variables)
			return in
		}
		// What other functions ask their arguments of is not followed.
		in = origin{}
	case jq.NodeTry:
		// The input of a handler is the message of an error.
		return t.trace(n.Args[0], in, variables)
	case jq.NodeReduce, jq.NodeForeach, jq.NodeDef:
		in = origin{}
	}
	for _, argument := range n.Args {
		t.trace(argument, in, variables)
	}
	for _, entry := range n.Entries {
		t.trace(entry.Value, in, variables)
	}
	return origin{}
}

// bind adds what a plain variable holds; what patterns take apart is not followed.
func bind(variables map[string]origin, patterns []*jq.Pattern, value origin) map[string]origin {
	held := maps.Clone(variables)
	if held == nil {
		held = map[string]origin{}
	}
	for _, pattern := range patterns {
		hide(held, pattern)
	}
	if len(patterns) == 1 && patterns[0].Variable != "" {
		held[patterns[0].Variable] = value
	}
	return held
}

// hide forgets the variables that a pattern binds anew.
func hide(variables map[string]origin, pattern *jq.Pattern) {
	if pattern == nil {
		return
	}
	delete(variables, pattern.Variable)
	for _, element := range pattern.Array {
		hide(variables, element)
	}
	for _, entry := range pattern.Object {
		delete(variables, entry.Variable)
		hide(variables, entry.Value)
	}
}
