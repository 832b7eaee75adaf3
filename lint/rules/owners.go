package rules

import (
	"fmt"
	"slices"

	"github.com/workloadmap/wm/internal/suggest"
	"github.com/workloadmap/wm/lint"
	"github.com/workloadmap/wm/source"
)

// componentNames lists the names of the components, sorted. It is false when some
// name could not be read, so that nobody knows which names there are: a reference
// to such a component is not another mistake.
func componentNames(d *lint.Definition) ([]string, bool) {
	var names []string
	for _, c := range d.Components {
		if c.Name == "" {
			return nil, false
		}
		names = append(names, c.Name)
	}
	slices.Sort(names)
	children := []any{"spec", "structureDefinition", "childComponents"}
	known := len(d.Components) == len(d.Map.Components()) &&
		(d.Lacks(children) || d.Node(children).Kind() == source.Sequence)
	return slices.Compact(names), known
}

// isIn looks a name up in a sorted list.
func isIn(name string, names []string) bool {
	_, found := slices.BinarySearch(names, name)
	return found
}

// didYouMean is help for a name that is not in a sorted list. A list that nobody
// has written by hand is not searched: it would be, once for every such name.
func didYouMean(name string, known []string) string {
	const searched = 100
	if len(known) <= searched {
		if near, ok := suggest.Nearest(name, known); ok {
			return fmt.Sprintf("did you mean `%s`?", near)
		}
	}
	if len(known) == 0 {
		return ""
	}
	const shown = 10
	help := "the components are "
	for i, name := range known[:min(len(known), shown)] {
		if i > 0 {
			help += ", "
		}
		help += "`" + name + "`"
	}
	if len(known) > shown {
		help += " and others"
	}
	return help
}
