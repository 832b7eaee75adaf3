package mutation

import (
	"cmp"
	"maps"
	"slices"

	"github.com/workloadmap/wm/api/v1alpha1"
	"github.com/workloadmap/wm/jq"
)

// neutral tells whether null does the same as the literal that stands in for it,
// wherever the value goes: a mutant without the default would be equivalent. It
// is certain for values of the stand-in's own type; what it does not understand
// is not neutral.
func neutral(x *expression, n *jq.Node) bool {
	standIn, ok := constantOf(n.Args[1])
	if !ok {
		return false
	}
	// No conditions and an empty list of them are the same by the format.
	if list, isList := standIn.([]any); n == x.root && x.Role == v1alpha1.RoleConditions && isList && len(list) == 0 {
		return true
	}
	return sameAsNull(x.root, n, standIn)
}

// constantOf is the value of a literal, [] or {}.
func constantOf(n *jq.Node) (any, bool) {
	switch {
	case n == nil:
		return nil, false
	case n.Kind == jq.NodeLiteral:
		return n.Value, true
	case n.Kind == jq.NodeArray && !slices.ContainsFunc(n.Args, func(a *jq.Node) bool { return a != nil }):
		return []any{}, true
	case n.Kind == jq.NodeObject && len(n.Entries) == 0:
		return map[string]any{}, true
	}
	return nil, false
}

// sameAsNull looks at what becomes of a node's value.
func sameAsNull(root, n *jq.Node, standIn any) bool {
	parent := parentOf(root, n)
	if parent == nil {
		return false
	}
	switch parent.Kind {
	case jq.NodeBinary:
		left := parent.Args[0] == n
		other := parent.Args[1]
		if !left {
			other = parent.Args[0]
		}
		return sameBeside(parent.Name, left, standIn, other)
	case jq.NodeBind:
		if parent.Args[0] != n || len(parent.Patterns) != 1 || parent.Patterns[0].Variable == "" {
			return false
		}
		same := true
		for _, use := range uses(parent.Args[1], parent.Patterns[0].Variable) {
			same = same && sameAsNull(root, use, standIn)
		}
		return same
	}
	return false
}

// sameBeside tells whether null gives what the stand-in gives as an operand.
func sameBeside(operator string, left bool, standIn any, other *jq.Node) bool {
	if operator == "+" {
		// null + x is x, and so is the neutral element + x.
		return isEmpty(standIn) && neverNull(other)
	}
	value, ok := constantOf(other)
	if !ok || value == nil {
		return false
	}
	order, comparable := orderOf(standIn, value)
	if !comparable {
		return false
	}
	with, compares := holds(operator, left, order)
	// null is less than any other value.
	without, _ := holds(operator, left, -1)
	return compares && with == without
}

// isEmpty tells whether a value added to another leaves that as it is.
func isEmpty(value any) bool {
	switch value := value.(type) {
	case float64:
		return value == 0
	case string:
		return value == ""
	case []any:
		return len(value) == 0
	case map[string]any:
		return len(value) == 0
	}
	return false
}

// neverNull tells of literals and of values with a literal default.
func neverNull(n *jq.Node) bool {
	if n.Kind == jq.NodeBinary && n.Name == "//" {
		return neverNull(n.Args[1])
	}
	value, ok := constantOf(n)
	return ok && value != nil
}

// orderOf compares two numbers or two texts as jq does; false for anything else.
func orderOf(a, b any) (int, bool) {
	switch a := a.(type) {
	case float64:
		if b, ok := b.(float64); ok {
			return cmp.Compare(a, b), true
		}
	case string:
		if b, ok := b.(string); ok {
			return cmp.Compare(a, b), true
		}
	}
	return 0, false
}

// holds tells whether a comparison holds for operands in a known order; known is
// false for operators that do not compare.
func holds(operator string, left bool, order int) (result, known bool) {
	if !left {
		order = -order
	}
	result, known = map[string]bool{
		"==": order == 0, "!=": order != 0, "<": order < 0, "<=": order <= 0, ">": order > 0, ">=": order >= 0,
	}[operator]
	return result, known
}

func parentOf(root, n *jq.Node) *jq.Node {
	var parent *jq.Node
	each(root, func(candidate *jq.Node) {
		if slices.Contains(candidate.Args, n) {
			parent = candidate
		}
	})
	return parent
}

// uses are the nodes that read a variable; where a name is bound again inside,
// they are the uses of both.
func uses(body *jq.Node, name string) []*jq.Node {
	found := map[*jq.Node]bool{}
	each(body, func(n *jq.Node) {
		if n.Kind == jq.NodeVariable && n.Name == name {
			found[n] = true
		}
	})
	return slices.Collect(maps.Keys(found))
}
