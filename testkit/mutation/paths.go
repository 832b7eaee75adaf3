package mutation

import (
	"fmt"
	"slices"
	"strings"

	"github.com/workloadmap/wm/api/v1alpha1"
	"github.com/workloadmap/wm/jq"
	"github.com/workloadmap/wm/schema/index"
)

// siblingFields reads the field beside the right one. Keys of labels belong to
// the operators of selectors and gangs.
func siblingFields(o *original) []candidate {
	var proposed []candidate
	for _, x := range o.expressions {
		each(x.root, func(n *jq.Node) {
			if n.Kind != jq.NodeField || x.On == v1alpha1.OnPod && isMap(x.owners[n]) {
				return
			}
			sibling, ok := o.sibling(x, n)
			if !ok {
				return
			}
			if c, ok := o.renamed("sibling-field", x, n, sibling); ok {
				proposed = append(proposed, c)
			}
		})
	}
	return proposed
}

// standsInForItself tells whether a field would be read on both sides of a
// default. That is the default dropped, or all but the default.
func standsInForItself(x *expression, n *jq.Node, sibling string) bool {
	parent := parentOf(x.root, n)
	if parent == nil || parent.Name != "//" {
		return false
	}
	other := parent.Args[1]
	if other == n {
		other = parent.Args[0]
	}
	if other.Kind == jq.NodeBinary && other.Name == "//" {
		other = other.Args[0]
	}
	return other.Kind == jq.NodeField && other.Name == sibling && x.text(other.Start, other.MarkStart) == x.text(n.Start, n.MarkStart)
}

func isMap(s shape) bool { return s.of.Kind() == index.Map }

// renamed reads another field at a node.
func (o *original) renamed(operator string, x *expression, n *jq.Node, name string) (candidate, bool) {
	mark := x.text(n.MarkStart, n.MarkEnd)
	if !strings.Contains(mark, n.Name) {
		return candidate{}, false
	}
	written := strings.Replace(mark, n.Name, name, 1)
	if !strings.Contains(mark, `"`) && !plainName(name) {
		written = "[" + quoted(name) + "]"
	}
	verb := "read from"
	if x.Role == v1alpha1.RoleSuspendPath {
		verb = "put into"
	}
	meaning := fmt.Sprintf("%s: %s %s instead of %s", x.subject(), verb, name, n.Name)
	return o.rewrite(operator, x, n.MarkStart, n.MarkEnd, written, meaning), true
}

func plainName(name string) bool {
	for i, c := range name {
		if c != '_' && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return name != ""
}

// sibling is a field that could be taken for the one that a node reads: of the
// same type and with the most similar name, one that the definition reads too
// before others. Where nothing is known of the object, it is a field that the
// definition reads from the same place, or else from any unknown one.
func (o *original) sibling(x *expression, n *jq.Node) (string, bool) {
	owner := x.owners[n]
	fits := func(name string) bool { return name != n.Name && !standsInForItself(x, n, name) }
	if owner.of.Kind() == index.Object {
		own, exists, _ := owner.of.Field(n.Name)
		named := fits
		fits = func(name string) bool {
			field, _, _ := owner.of.Field(name)
			return exists && named(name) && sameType(own, field)
		}
	}
	choices := [][]string{o.read[x.sortOf(n)]}
	switch owner.of.Kind() {
	case index.Object:
		choices = append(choices, owner.of.Names())
	case index.Any:
		choices = append(choices, o.leaves[x.On])
	}
	for _, names := range choices {
		names = slices.DeleteFunc(slices.Clone(names), func(name string) bool { return !fits(name) })
		if found, ok := mostSimilar(n.Name, names); ok {
			return found, true
		}
	}
	return "", false
}

// mostSimilar is the name that shares the longest beginning and end, the first
// of equals.
func mostSimilar(name string, names []string) (string, bool) {
	best, most := "", -1
	for _, other := range names {
		if shared := common(name, other); shared > most {
			best, most = other, shared
		}
	}
	return best, most >= 0
}

func common(a, b string) int {
	shortest := min(len(a), len(b))
	front := 0
	for front < shortest && a[front] == b[front] {
		front++
	}
	back := 0
	for back < shortest-front && a[len(a)-1-back] == b[len(b)-1-back] {
		back++
	}
	return front + back
}

// droppedDefaults forget what stands in when a value is missing.
func droppedDefaults(o *original) []candidate {
	var proposed []candidate
	for _, x := range o.expressions {
		each(x.root, func(n *jq.Node) {
			if n.Kind != jq.NodeBinary || n.Name != "//" || !placed(n) || neutral(x, n) {
				return
			}
			kept, gone := strings.TrimSpace(x.text(n.Start, n.MarkStart)), strings.TrimSpace(x.text(n.MarkEnd, n.End))
			meaning := fmt.Sprintf("%s: nothing stands in for %s where it is missing, instead of %s", x.subject(), short(kept), short(gone))
			proposed = append(proposed, o.rewrite("drop-default", x, n.Start, n.End, kept, meaning))
		})
	}
	return proposed
}

// placed tells whether a node's place in the text is known.
func placed(n *jq.Node) bool {
	return n.Start <= n.MarkStart && n.MarkEnd <= n.End && n.MarkEnd-n.MarkStart < n.End-n.Start
}

// short is an expression in at most one short line.
func short(text string) string {
	const most = 60
	text = strings.Join(strings.Fields(text), " ")
	if characters := []rune(text); len(characters) > most {
		return string(characters[:most]) + "..."
	}
	return text
}

// changedBases read only the first entry of a list.
func changedBases(o *original) []candidate {
	var proposed []candidate
	for _, x := range o.expressions {
		each(x.root, func(n *jq.Node) {
			if n.Kind != jq.NodeIterate || isMap(x.owner(n)) {
				return
			}
			mark := x.text(n.MarkStart, n.MarkEnd)
			if !strings.Contains(mark, "[]") {
				return
			}
			meaning := x.subject() + ": only the first entry of the list is read"
			proposed = append(proposed, o.rewrite("first-entry-only", x, n.MarkStart, n.MarkEnd, strings.Replace(mark, "[]", "[0]", 1), meaning))
		})
	}
	return proposed
}

// owner is the shape of what a node iterates over, where a field leads to it.
func (x *expression) owner(n *jq.Node) shape {
	target := n.Args[0]
	if target == nil || target.Kind != jq.NodeField {
		return shape{}
	}
	field, _, _ := x.owners[target].of.Field(target.Name)
	return shape{of: field}
}

// droppedPaths forget a path to a part of a pod, and instance ids.
func droppedPaths(o *original) []candidate {
	var proposed []candidate
	for _, x := range o.expressions {
		if !strings.HasPrefix(x.Field, "specDefinition.") && x.Role != v1alpha1.RoleInstanceID &&
			x.Role != v1alpha1.RolePhase && x.Role != v1alpha1.RoleConditions {
			continue
		}
		path := x.Path
		if x.Role == v1alpha1.RolePhase || x.Role == v1alpha1.RoleConditions {
			path = path[:len(path)-1]
		}
		proposed = append(proposed, o.drop("drop-path", x.Component, x.Field, path, x.subject()+": not read at all"))
	}
	return proposed
}
