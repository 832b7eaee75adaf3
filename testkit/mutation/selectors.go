package mutation

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/workloadmap/wm/api/v1alpha1"
	"github.com/workloadmap/wm/jq"
)

// droppedSelectors forget what tells a component's pods apart, or a part of it.
func droppedSelectors(o *original) []candidate {
	var proposed []candidate
	for _, c := range o.components {
		s := c.PodSelector
		if s == nil {
			continue
		}
		drop := func(meaning string, steps ...any) {
			words := make([]string, len(steps))
			for i, step := range steps {
				words[i] = fmt.Sprint(step)
			}
			// A label is the value's own name and no field.
			field := strings.Join(words[:min(len(words), 2)], ".")
			proposed = append(proposed, o.drop("drop-selector", c.Name, "podSelector."+field, below(below(c.Path, "podSelector"), steps...), meaning))
		}
		if role := s.ComponentTypeSelector; role != nil {
			drop(fmt.Sprintf("any pod can be a %s pod", c.Name), "componentTypeSelector")
			if role.Value != nil {
				drop(fmt.Sprintf("any pod with a value is a %s pod, not only with %q", c.Name, *role.Value), "componentTypeSelector", "value")
			}
			for _, key := range sortedKeys(role.MatchLabels) {
				if len(role.MatchLabels) > 1 {
					drop(fmt.Sprintf("pods are %s pods whatever their label %s", c.Name, key), "componentTypeSelector", "matchLabels", key)
				}
			}
		}
		if s.ComponentInstanceSelector != nil {
			drop(fmt.Sprintf("pods cannot be told apart by instance of %s", c.Name), "componentInstanceSelector")
		}
		if s.ReplicaSelector != nil {
			drop(fmt.Sprintf("pods cannot be told apart by unit of %s", c.Name), "replicaSelector")
		}
	}
	return proposed
}

// changedSelectors compare with another value, or read another label.
func changedSelectors(o *original) []candidate {
	var proposed []candidate
	for _, c := range o.components {
		if c.PodSelector == nil || c.PodSelector.ComponentTypeSelector == nil {
			continue
		}
		s, path := c.PodSelector.ComponentTypeSelector, below(c.Path, "podSelector", "componentTypeSelector")
		if s.Value != nil {
			other := o.otherSelectorValue("", *s.Value)
			proposed = append(proposed, o.replace("change-selector", c.Name, "podSelector.componentTypeSelector.value", below(path, "value"), other,
				fmt.Sprintf("pods with %q are %s pods instead of those with %q", other, c.Name, *s.Value)))
		}
		for _, key := range sortedKeys(s.MatchLabels) {
			other := o.otherSelectorValue(key, s.MatchLabels[key])
			proposed = append(proposed, o.replace("change-selector", c.Name, "podSelector.componentTypeSelector.matchLabels", below(path, "matchLabels", key), other,
				fmt.Sprintf("pods with label %s=%s are %s pods instead of those with %s", key, other, c.Name, s.MatchLabels[key])))
		}
	}
	roles := []v1alpha1.Role{v1alpha1.RoleTypeSelector, v1alpha1.RoleInstanceSelector, v1alpha1.RoleReplicaSelector}
	return append(proposed, o.otherLabels("change-selector", roles...)...)
}

// otherSelectorValue is a value that another selector wants: of the same label,
// or of any. The key "" stands for that of a keyPath.
func (o *original) otherSelectorValue(key, value string) string {
	var same, any []string
	for _, c := range o.components {
		if c.PodSelector == nil || c.PodSelector.ComponentTypeSelector == nil {
			continue
		}
		s := c.PodSelector.ComponentTypeSelector
		wanted := maps.Clone(s.MatchLabels)
		if s.Value != nil {
			wanted = map[string]string{"": *s.Value}
			maps.Copy(wanted, s.MatchLabels)
		}
		for _, label := range sortedKeys(wanted) {
			if other := wanted[label]; other != value && (label == key || label == "" || key == "") {
				same = append(same, other)
			} else if other != value {
				any = append(any, other)
			}
		}
	}
	for _, values := range [][]string{same, any} {
		slices.Sort(values)
		if other, ok := mostSimilar(value, values); ok {
			return other
		}
	}
	return value + "-other"
}

// otherLabels read another label or annotation in expressions on pods.
func (o *original) otherLabels(operator string, roles ...v1alpha1.Role) []candidate {
	var proposed []candidate
	for _, x := range o.expressions {
		if !slices.Contains(roles, x.Role) {
			continue
		}
		each(x.root, func(n *jq.Node) {
			if n.Kind != jq.NodeField || !isMap(x.owners[n]) {
				return
			}
			keys := slices.DeleteFunc(slices.Clone(o.read[x.sortOf(n)]), func(key string) bool { return key == n.Name })
			other, ok := mostSimilar(n.Name, keys)
			if !ok {
				other = n.Name + "-other"
			}
			if c, ok := o.renamed(operator, x, n, other); ok {
				c.meaning = strings.Replace(c.meaning, ": read from ", ": told by label ", 1)
				proposed = append(proposed, c)
			}
		})
	}
	return proposed
}
