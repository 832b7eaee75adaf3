package review

import (
	"reflect"
	"slices"

	"github.com/workloadmap/wm/api/v1alpha1"
)

// components compares the roles of the two versions.
func (c *comparison) components() {
	old, now := c.before.Components(), c.after.Components()
	c.root(old[0].Component, now[0].Component)
	c.findRenamed(old[1:], now[1:])
	named := func(components []v1alpha1.PlacedComponent, name string) *v1alpha1.Component {
		for _, each := range components {
			if each.Name == name {
				return each.Component
			}
		}
		return nil
	}
	c.role(old[0].Component, now[0].Component)
	for _, was := range old[1:] {
		is := named(now[1:], c.nowCalled(was.Name))
		if is == nil {
			c.breaking(RoleGone, "", "", "role %s is gone", was.Name)
			continue
		}
		if is.Name != was.Name {
			c.breaking(RoleRenamed, was.Name, is.Name, "role %s is called %s now", was.Name, is.Name)
		}
		c.role(was.Component, is)
	}
	for _, is := range now[1:] {
		kept := slices.ContainsFunc(old[1:], func(was v1alpha1.PlacedComponent) bool { return c.nowCalled(was.Name) == is.Name })
		if !kept {
			c.say("", "", "role %s is new", is.Name)
		}
	}
}

func (c *comparison) root(old, now *v1alpha1.Component) {
	if kindText(old.Kind) != kindText(now.Kind) {
		c.breaking(RootKindChanged, kindText(old.Kind), kindText(now.Kind), "the definition reads objects of another kind")
	}
	if old.Name != now.Name {
		c.renamed[old.Name] = now.Name
		c.breaking(RoleRenamed, old.Name, now.Name, "role %s is called %s now", old.Name, now.Name)
	}
}

// findRenamed takes a role that is gone and one that is new for the same when
// they are described in the same way, or when their pods are.
func (c *comparison) findRenamed(old, now []v1alpha1.PlacedComponent) {
	names := func(components []v1alpha1.PlacedComponent) []string {
		var names []string
		for _, each := range components {
			names = append(names, each.Name)
		}
		return names
	}
	before, after := names(old), names(now)
	taken := map[string]bool{}
	for _, was := range old {
		if slices.Contains(after, was.Name) {
			continue
		}
		for _, is := range now {
			if slices.Contains(before, is.Name) || taken[is.Name] {
				continue
			}
			same := *was.Component.DeepCopy()
			same.Name, same.OwnerRef = is.Name, is.OwnerRef
			samePods := was.SpecDefinition != nil && reflect.DeepEqual(was.SpecDefinition, is.SpecDefinition)
			if samePods || reflect.DeepEqual(same, *is.Component) {
				c.renamed[was.Name], taken[is.Name] = is.Name, true
				break
			}
		}
	}
}

// role compares one role that both versions have.
func (c *comparison) role(old, now *v1alpha1.Component) {
	if c.before.Spec.StructureDefinition.RootComponent.Name != old.Name && kindText(old.Kind) != kindText(now.Kind) {
		c.say(kindText(old.Kind), kindText(now.Kind), "role %s stands for objects of another kind", now.Name)
	}
	if owner := c.nowCalled(text(old.OwnerRef)); owner != text(now.OwnerRef) {
		c.say(owner, text(now.OwnerRef), "role %s hangs below another role", now.Name)
	}
	c.instances(old, now)
	c.expressions(old, now)
	c.writable(old, now)
	c.selectorValues(old, now)
	c.status(old, now)
	c.suspend(old, now)
}

func (c *comparison) instances(old, now *v1alpha1.Component) {
	before, after := text(old.InstanceIDPath), text(now.InstanceIDPath)
	switch {
	case before == after:
	case after == "":
		c.breaking(InstancesChanged, before, "", "the instances of %s are no longer told apart", now.Name)
	case before == "":
		c.breaking(InstancesChanged, "", after, "%s has named instances now", now.Name)
	default:
		c.say(before, after, "the instances of %s are named by another expression", now.Name)
	}
}

func (c *comparison) selectorValues(old, now *v1alpha1.Component) {
	before, after := typeSelector(old), typeSelector(now)
	if text(before.Value) != text(after.Value) || (before.Value == nil) != (after.Value == nil) {
		c.say(text(before.Value), text(after.Value), "pods of %s are told by another value", now.Name)
	}
	c.keyValues("label %s that pods of "+escapePercent(now.Name)+" must have", before.MatchLabels, after.MatchLabels)
}

// typeSelector is empty, never nil.
func typeSelector(component *v1alpha1.Component) v1alpha1.ComponentTypeSelector {
	if component.PodSelector == nil || component.PodSelector.ComponentTypeSelector == nil {
		return v1alpha1.ComponentTypeSelector{}
	}
	return *component.PodSelector.ComponentTypeSelector
}
