package rules

import (
	"fmt"

	"github.com/workloadmap/wm/api/v1alpha1"
	"github.com/workloadmap/wm/jq"
	"github.com/workloadmap/wm/lint"
)

// selectorsOverlap leaves alone two components with instances, whose pods may be
// told apart by the instances, and components whose path says by a condition
// when they are there: they may exclude each other.
func selectorsOverlap() lint.Rule {
	return lint.Rule{
		ID: "WM409", Name: "selectors-overlap", Severity: lint.Warning,
		Summary: "The pods of one component also fit the selector of another.",
		Check: func(d *lint.Definition, report lint.Report) {
			selecting := selectingComponents(d)
			for i, c := range selecting {
				for j, other := range selecting {
					// Of two that are the same, the later one is reported.
					if i == j || c.InstanceIDPath != nil && other.InstanceIDPath != nil ||
						!c.asked.includes(other.asked) || other.asked.includes(c.asked) && j > i {
						continue
					}
					report(d.Key(c.At("podSelector", "componentTypeSelector")),
						fmt.Sprintf("every pod of %s also fits the selector of %s", c.Component, other.Component),
						"select by a label value that only the pods of one of them have")
					break
				}
			}
		},
	}
}

// selectorConstraints are what a type selector asks of a pod.
func selectorConstraints(c lint.Component) constraints {
	s := c.PodSelector.ComponentTypeSelector
	asked := constraints{}
	for key, value := range s.MatchLabels {
		asked[constraint{"label", key, value}] = true
	}
	if s.KeyPath != nil {
		asked[constraint{"key", *s.KeyPath, ""}] = true
		if s.Value != nil {
			asked[constraint{"value", *s.KeyPath, *s.Value}] = true
		}
	}
	return asked
}

// selectingComponent is a component with a type selector and what that asks for.
type selectingComponent struct {
	lint.Component
	asked constraints
}

// selectingComponents lists the components with pods and type selectors whose
// paths have no condition.
func selectingComponents(d *lint.Definition) []selectingComponent {
	var list []selectingComponent
	conditional := map[string]bool{}
	for _, e := range d.Expressions {
		if e.Program != nil && (e.Role == v1alpha1.RolePodTemplate || e.Role == v1alpha1.RolePodSpec) && hasCondition(e.Program.Syntax()) {
			conditional[e.Component] = true
		}
	}
	for _, c := range d.Components {
		if c.BearsPods() && isTyped(c) && !conditional[c.Name] && len(list) < mostCompared {
			list = append(list, selectingComponent{c, selectorConstraints(c)})
		}
	}
	return list
}

func hasCondition(n *jq.Node) bool {
	found := false
	walk(n, func(n *jq.Node) bool {
		found = found || n.Kind == jq.NodeIf || n.Kind == jq.NodeCall && n.Name == "select"
		return !found
	})
	return found
}
