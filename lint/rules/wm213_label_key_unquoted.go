package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/workloadmap/wm/jq"
	"github.com/workloadmap/wm/lint"
)

// labelKeyUnquoted finds keys of labels that jq reads as something else without
// complaint. Where the schema is known, the type checker has said so already;
// where the rest of the key is no function, the expression does not compile.
func labelKeyUnquoted() lint.Rule {
	return lint.Rule{
		ID: "WM213", Name: "label-key-unquoted", Severity: lint.Error,
		Summary: "The key of a label has dots, dashes or slashes and no quotes.",
		Check: func(d *lint.Definition, report lint.Report) {
			faults := typeFaultPlaces(d)
			for _, e := range d.Expressions {
				mentions := strings.Contains(e.Text, ".labels.") || strings.Contains(e.Text, ".annotations.")
				if !mentions || e.Program == nil || hasFault(faults, e) {
					continue
				}
				walk(e.Program.Syntax(), func(n *jq.Node) bool {
					start, end, ok := unquotedKey(e.Text, n)
					if ok {
						key := e.Text[start:end]
						report(e.Node.TextRange(start, end), fmt.Sprintf("jq does not read `%s` as one key", key),
							fmt.Sprintf("labels and annotations are texts without fields; write [%q]", key))
					}
					return !ok
				})
			}
		},
	}
}

// unquotedKey finds the key of a label in a node that reads it in pieces: as
// fields of fields, or as a subtraction or division of two paths.
func unquotedKey(text string, n *jq.Node) (start, end int, ok bool) {
	path := n
	end = n.End
	if n.Kind == jq.NodeBinary && (n.Name == "-" || n.Name == "/") {
		right := n.Args[1]
		written := text[n.MarkStart:n.MarkEnd]
		if right.Kind != jq.NodeCall || len(right.Args) > 0 || n.Args[0].End != n.MarkStart || n.MarkEnd != right.Start || written != n.Name {
			return 0, 0, false
		}
		path = n.Args[0]
	}
	fields := 0
	for at := path; at.Kind == jq.NodeField && len(at.Args) > 0; at = at.Args[0] {
		if at.Name == "labels" || at.Name == "annotations" {
			start = at.MarkEnd + 1
			if fields == 0 || path == n && fields < 2 || start >= end || strings.ContainsAny(text[start:end], "\"[]() |") {
				return 0, 0, false
			}
			holder := at.Args[0]
			return start, end, holder.Kind == jq.NodeField && holder.Name == "metadata"
		}
		fields++
	}
	return 0, 0, false
}

// walk visits a syntax tree from the outside in; visit says whether to go on below.
func walk(n *jq.Node, visit func(*jq.Node) bool) {
	if n == nil || !visit(n) {
		return
	}
	for _, below := range n.Args {
		walk(below, visit)
	}
	for _, entry := range n.Entries {
		walk(entry.Key, visit)
		walk(entry.Value, visit)
	}
}

// typeFaultPlaces are where the type checker found something, in order.
func typeFaultPlaces(d *lint.Definition) []int {
	places := make([]int, 0, len(d.TypeFaults))
	for _, fault := range d.TypeFaults {
		places = append(places, fault.Where.Start.Offset)
	}
	slices.Sort(places)
	return places
}

// hasFault reports whether one of the places is in an expression.
func hasFault(places []int, e lint.Expression) bool {
	if len(places) == 0 {
		return false
	}
	whole := e.Node.Range()
	first, _ := slices.BinarySearch(places, whole.Start.Offset)
	return first < len(places) && places[first] <= whole.End.Offset
}
