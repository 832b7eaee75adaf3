package coverage

import (
	"context"
	"fmt"
	"reflect"
	"slices"

	"github.com/workloadmap/wm/jq"
)

// branches adds the sides of // and if within an expression.
func (v *survey) branches(w *written) {
	tails := tailsOf(w.program.Syntax())
	var ends []*jq.Node
	visit(w.program.Syntax(), func(n *jq.Node) {
		switch {
		case n.Kind == jq.NodeBinary && n.Name == "//":
			// In place of the value it is null that shows whether the default
			// would have given the same.
			v.branch(w, n.Args[0], "null")
			if n.Args[1].Kind != jq.NodeBinary || n.Args[1].Name != "//" {
				v.branch(w, n.Args[1], others(tails, n.Args[1])...)
			}
		case n.Kind == jq.NodeIf:
			for _, arm := range n.Args[1:] {
				switch {
				case arm == nil || arm != n.Args[1] && arm.Kind == jq.NodeIf:
				case tails[arm] && !holdsIf(arm):
					ends = append(ends, arm)
				default:
					v.branch(w, arm, others(tails, arm)...)
				}
			}
		}
	})
	v.ends(w, ends)
}

// strange is a text that no object holds. As jq orders values, it is more than any
// number, and null is less.
const strange = `"no object holds this"`

// others are what is put in place of a branch. Where its value is a result of the
// expression, one other value is enough.
func others(tails map[*jq.Node]bool, side *jq.Node) []string {
	if tails[side] {
		return []string{strange}
	}
	return []string{strange, "null"}
}

// branch adds one side of a node. It is exercised when some replacement of it
// changes a result.
func (v *survey) branch(w *written, side *jq.Node, replacements ...string) {
	if !w.placed(side) {
		return
	}
	text := w.uses[0].Text
	var changed []*jq.Program
	for _, replacement := range replacements {
		if text[side.Start:side.End] == replacement {
			continue
		}
		if other, err := jq.Compile(text[:side.Start] + replacement + text[side.End:]); err == nil {
			changed = append(changed, other)
		}
	}
	if len(changed) == 0 {
		return
	}
	v.addBranch(w, side, func(ctx context.Context, in *subject) bool { return differs(ctx, w.program, changed, in) })
}

// placed reports whether the place of a branch in the text is known.
func (w *written) placed(side *jq.Node) bool {
	return side.Start < side.End && side.End-side.Start < len(w.uses[0].Text)
}

// ends adds arms of if whose values are results of the expression. They are all
// marked at once, each with a text of its own: the results tell which were taken.
func (v *survey) ends(w *written, arms []*jq.Node) {
	slices.SortFunc(arms, func(a, b *jq.Node) int { return a.Start - b.Start })
	marked, marks := w.uses[0].Text, make([]string, len(arms))
	for i, arm := range slices.Backward(arms) {
		if !w.placed(arm) {
			return
		}
		marks[i] = fmt.Sprintf("no object holds this %d", i)
		marked = marked[:arm.Start] + `"` + marks[i] + `"` + marked[arm.End:]
	}
	program, err := jq.Compile(marked)
	if err != nil {
		// The marks made it too long.
		for _, arm := range arms {
			v.branch(w, arm, strange)
		}
		return
	}
	for i, arm := range arms {
		v.addBranch(w, arm, func(ctx context.Context, in *subject) bool {
			return slices.Contains(in.ask(ctx, program).results, any(marks[i]))
		})
	}
}

func (v *survey) addBranch(w *written, side *jq.Node, decides func(context.Context, *subject) bool) {
	item := at(w.node, Item{Kind: Branch, Where: whereOf(w.uses[0].Expression), Expression: w.uses[0].Text[side.Start:side.End]})
	item.Place = placeOf(w.node.TextRange(side.Start, side.End))
	v.add(item, func(ctx context.Context, s *sight) bool {
		for i := range w.uses {
			used := &w.uses[i]
			asked := used.inputs(ctx, s)
			if used.settlesPresence() {
				asked = []*subject{s.root}
			}
			if slices.ContainsFunc(asked, func(in *subject) bool { return decides(ctx, in) }) {
				return true
			}
		}
		return false
	})
}

// differs reports whether another program gives something else.
func differs(ctx context.Context, program *jq.Program, others []*jq.Program, in *subject) bool {
	given := in.ask(ctx, program)
	return slices.ContainsFunc(others, func(other *jq.Program) bool {
		results, err := other.RunShared(ctx, in.input)
		if ctx.Err() != nil {
			return false
		}
		return (err == nil) != (given.err == nil) || !sameResults(given.results, results)
	})
}

func sameResults(a, b []any) bool {
	return len(a) == len(b) && (len(a) == 0 || reflect.DeepEqual(a, b))
}

// visit calls f for a node and all nodes within it, in the order of the text.
func visit(n *jq.Node, f func(*jq.Node)) {
	if n == nil {
		return
	}
	f(n)
	for _, argument := range n.Args {
		visit(argument, f)
	}
	for _, entry := range n.Entries {
		visit(entry.Key, f)
		visit(entry.Value, f)
	}
}

// tailsOf are the nodes whose values are results of the expression as they are.
func tailsOf(root *jq.Node) map[*jq.Node]bool {
	tails := map[*jq.Node]bool{}
	var mark func(n *jq.Node)
	mark = func(n *jq.Node) {
		if n == nil {
			return
		}
		tails[n] = true
		switch n.Kind {
		case jq.NodePipe, jq.NodeBind, jq.NodeDef:
			mark(n.Args[1])
		case jq.NodeIf:
			for _, arm := range n.Args[1:] {
				mark(arm)
			}
		case jq.NodeComma:
			mark(n.Args[0])
			mark(n.Args[1])
		case jq.NodeBinary:
			if n.Name == "//" {
				mark(n.Args[1])
			}
		}
	}
	mark(root)
	return tails
}

func holdsIf(n *jq.Node) bool {
	held := false
	visit(n, func(inner *jq.Node) { held = held || inner.Kind == jq.NodeIf })
	return held
}
