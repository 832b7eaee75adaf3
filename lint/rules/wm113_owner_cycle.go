package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/workloadmap/wm/lint"
)

// ownerCycle reports every cycle once, at the member that is declared first.
// Names that are not unique give no clear chain; their own rule reports them.
func ownerCycle() lint.Rule {
	return lint.Rule{
		ID: "WM113", Name: "owner-cycle", Severity: lint.Error,
		Summary: "Components own each other in a circle.",
		Check: func(d *lint.Definition, report lint.Report) {
			order, byName := map[string]int{}, map[string]lint.Component{}
			for i, c := range d.Components {
				if _, taken := byName[c.Name]; taken {
					return
				}
				order[c.Name], byName[c.Name] = i, c
			}
			for _, cycle := range cycles(d.Components, byName) {
				cycle = startWithFirst(cycle, order)
				c := byName[cycle[0]]
				report(d.Mark(c.At("ownerRef")), fmt.Sprintf("%s owns itself: %s", c, chain(cycle)),
					"every chain of owners must end at the root component")
			}
		},
	}
}

// chain writes a cycle from its first component back to it; a long one in short.
func chain(cycle []string) string {
	const shown = 10
	names := slices.Clone(cycle[:min(len(cycle), shown)])
	if len(cycle) > shown {
		names = append(names, "...")
	}
	return strings.Join(append(names, cycle[0]), " -> ")
}

// cycles walks from each component up its owners until a place where a walk has
// been before: if it was this walk, the way since then is a cycle.
func cycles(components []lint.Component, byName map[string]lint.Component) [][]string {
	var found [][]string
	walkOf := map[string]int{}
	for walk, start := range components {
		var names []string
		for c, known := start, true; known && !c.Root && c.OwnerRef != nil; c, known = byName[*c.OwnerRef] {
			if earlier, been := walkOf[c.Name]; been {
				if earlier == walk {
					found = append(found, names[slices.Index(names, c.Name):])
				}
				break
			}
			walkOf[c.Name] = walk
			names = append(names, c.Name)
		}
	}
	return found
}

// startWithFirst turns a cycle so that it starts at the component that is
// declared first.
func startWithFirst(cycle []string, order map[string]int) []string {
	first := 0
	for i, name := range cycle {
		if order[name] < order[cycle[first]] {
			first = i
		}
	}
	return slices.Concat(cycle[first:], cycle[:first])
}
