package mutation

import (
	"slices"

	"github.com/workloadmap/wm/api/v1alpha1"
	"github.com/workloadmap/wm/jq"
	"github.com/workloadmap/wm/schema/index"
)

// shape is what is known of the values in one place of an expression: a type of
// an index, or a list that the expression itself makes. The zero shape is unknown.
type shape struct {
	of      index.Type
	element *shape
}

func (s shape) known() bool { return s.of.Kind() != index.Any }

func (s shape) elements() shape {
	if s.element != nil {
		return *s.element
	}
	return shape{of: s.of.Element()}
}

// schemas are the types of the objects that a definition reads; the zero shape
// where there is no built-in index.
type schemas struct{ root, pod shape }

func schemasOf(definition *v1alpha1.WorkloadMap) schemas {
	var found schemas
	if kind := definition.Spec.StructureDefinition.RootComponent.Kind; kind != nil {
		if root, err := index.Find(*kind); err == nil {
			found.root.of = root.Root()
		}
	}
	if pod, err := index.Find(v1alpha1.GroupVersionKind{Version: "v1", Kind: "Pod"}); err == nil {
		found.pod.of = pod.Root()
	}
	return found
}

func (s schemas) of(target v1alpha1.Target) shape {
	if target == v1alpha1.OnPod {
		return s.pod
	}
	return s.root
}

// ownersIn finds for each field node the shape of the object that it reads from.
func ownersIn(root *jq.Node, input shape) map[*jq.Node]shape {
	w := &walker{owners: map[*jq.Node]shape{}}
	w.shapeOf(root, input, nil)
	return w.owners
}

type walker struct{ owners map[*jq.Node]shape }

// variables is a linked list of what is bound, innermost first.
type variables struct {
	outer *variables
	name  string
	shape shape
}

func (v *variables) find(name string) shape {
	for ; v != nil; v = v.outer {
		if v.name == name {
			return v.shape
		}
	}
	return shape{}
}

// shapeOf walks everything below a node. What it does not understand is unknown,
// never wrong.
func (w *walker) shapeOf(n *jq.Node, input shape, v *variables) shape {
	if n == nil {
		return shape{}
	}
	switch n.Kind {
	case jq.NodeIdentity:
		return input
	case jq.NodeField:
		owner := w.shapeOf(n.Args[0], input, v)
		w.owners[n] = owner
		field, _, _ := owner.of.Field(n.Name)
		return shape{of: field}
	case jq.NodeIndex:
		target := w.shapeOf(n.Args[0], input, v)
		w.all(n.Args[1:], input, v)
		if n.Args[1] != nil && n.Args[1].Kind == jq.NodeLiteral {
			return target.elements()
		}
		return shape{}
	case jq.NodeIterate:
		return w.shapeOf(n.Args[0], input, v).elements()
	case jq.NodeSlice:
		w.all(n.Args[1:], input, v)
		return w.shapeOf(n.Args[0], input, v)
	case jq.NodeTry:
		w.all(n.Args[1:], input, v)
		return w.shapeOf(n.Args[0], input, v)
	case jq.NodePipe:
		return w.shapeOf(n.Args[1], w.shapeOf(n.Args[0], input, v), v)
	case jq.NodeBinary:
		left, right := w.shapeOf(n.Args[0], input, v), w.shapeOf(n.Args[1], input, v)
		if n.Name == "//" {
			return left.or(right)
		}
		return shape{}
	case jq.NodeIf:
		return w.branches(n, input, v)
	case jq.NodeBind:
		return w.body(n, input, v)
	case jq.NodeVariable:
		return v.find(n.Name)
	case jq.NodeArray:
		var element shape
		for _, argument := range n.Args {
			element = w.shapeOf(argument, input, v)
		}
		return shape{element: &element}
	case jq.NodeCall:
		return w.call(n, input, v)
	default:
		w.all(n.Args, input, v)
		for _, entry := range n.Entries {
			w.all([]*jq.Node{entry.Key, entry.Value}, input, v)
		}
		return shape{}
	}
}

func (w *walker) branches(n *jq.Node, input shape, v *variables) shape {
	w.shapeOf(n.Args[0], input, v)
	then := w.shapeOf(n.Args[1], input, v)
	if len(n.Args) < 3 {
		return then
	}
	return then.or(w.shapeOf(n.Args[2], input, v))
}

// body is what comes behind "source as $x |".
func (w *walker) body(n *jq.Node, input shape, v *variables) shape {
	bound := w.shapeOf(n.Args[0], input, v)
	for _, pattern := range n.Patterns {
		v = &variables{outer: v, name: pattern.Variable, shape: bound}
	}
	return w.shapeOf(n.Args[1], input, v)
}

func (s shape) or(other shape) shape {
	if s.known() || s.element != nil {
		return s
	}
	return other
}

func (w *walker) all(nodes []*jq.Node, input shape, v *variables) {
	for _, n := range nodes {
		w.shapeOf(n, input, v)
	}
}

func (w *walker) call(n *jq.Node, input shape, v *variables) shape {
	switch {
	case n.Name == "select" && len(n.Args) == 1:
		w.all(n.Args, input, v)
		return input
	case (n.Name == "any" || n.Name == "all") && len(n.Args) == 2:
		w.shapeOf(n.Args[1], w.shapeOf(n.Args[0], input, v), v)
		return shape{}
	case (n.Name == "first" || n.Name == "last") && len(n.Args) == 1:
		return w.shapeOf(n.Args[0], input, v)
	case n.Name == "map" && len(n.Args) == 1:
		element := w.shapeOf(n.Args[0], input.elements(), v)
		return shape{element: &element}
	case slices.Contains([]string{"any", "all", "sort_by", "group_by", "unique_by", "min_by", "max_by"}, n.Name) && len(n.Args) == 1:
		w.all(n.Args, input.elements(), v)
		switch n.Name {
		case "sort_by", "unique_by":
			return input
		case "min_by", "max_by":
			return input.elements()
		}
		return shape{}
	case slices.Contains([]string{"first", "last", "min", "max", "add"}, n.Name) && len(n.Args) == 0:
		return input.elements()
	default:
		w.all(n.Args, input, v)
		return shape{}
	}
}

// sameType tells whether a reader could take values of one type for the other's.
func sameType(a, b index.Type) bool {
	if a.Kind() != b.Kind() {
		return false
	}
	switch a.Kind() {
	case index.Any:
		return false
	case index.Integer, index.Number, index.Boolean, index.IntOrString:
		return true
	case index.String:
		return a.Format() == b.Format()
	case index.List, index.Map:
		return sameType(a.Element(), b.Element())
	default:
		coreA, _ := a.Core()
		coreB, _ := b.Core()
		return a == b || coreA != "" && coreA == coreB
	}
}
