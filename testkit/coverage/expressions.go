package coverage

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/workloadmap/wm/api/v1alpha1"
	"github.com/workloadmap/wm/jq"
	"github.com/workloadmap/wm/source"
)

// use is one place of a definition where an expression is asked.
type use struct {
	v1alpha1.Expression
	// roles are those whose pods an expression on pods is asked of.
	roles []string
	// takes chooses among them; nil takes all.
	takes func(ctx context.Context, role string, p pod) bool
}

// written is an expression as it is written once, with everywhere it is used.
type written struct {
	node    source.Node
	program *jq.Program
	uses    []use
}

// expressions adds the expressions and their branches. Selectors and filters have
// items of their own, so only their branches are added here; paths that are only
// written to have no value to give.
func (v *survey) expressions() error {
	var all []*written
	byPlace := map[source.Range]*written{}
	for _, x := range v.definition.Expressions() {
		if x.Role == v1alpha1.RoleSuspendPath || v.unread(x.Path) {
			continue
		}
		node := v.node(x.Path)
		held := byPlace[node.Range()]
		if held == nil {
			program, err := v.compile(x.Text)
			if err != nil {
				return fmt.Errorf("compile %s: %w", whereOf(x), err)
			}
			held = &written{node: node, program: program}
			byPlace[node.Range()] = held
			all = append(all, held)
		}
		held.uses = append(held.uses, v.use(x))
	}
	for _, w := range all {
		first := w.uses[0]
		switch first.Role {
		case v1alpha1.RoleTypeSelector, v1alpha1.RoleInstanceSelector, v1alpha1.RoleReplicaSelector, v1alpha1.RoleFilter:
		default:
			v.add(at(w.node, Item{Kind: Expression, Where: whereOf(first.Expression), Expression: first.Text}), w.gives)
		}
		v.branches(w)
	}
	return nil
}

// unread reports whether a path leads into the status of a child role.
func (v *survey) unread(path []any) bool {
	return slices.Contains(path, any("statusDefinition")) && slices.Contains(path, any("childComponents"))
}

func (v *survey) use(x v1alpha1.Expression) use {
	used := use{Expression: x, roles: []string{x.Component}}
	switch x.Role {
	case v1alpha1.RoleTypeSelector, v1alpha1.RoleInstanceSelector:
		used.roles = v.podRoles(x.Component)
	case v1alpha1.RoleFilter, v1alpha1.RoleReplicaSelector:
		// These speak of the roles below as well.
		used.roles = v.below(x.Component)
	case v1alpha1.RoleGroupKey:
		used.roles, used.takes = v.below(x.Component), v.takenBy(x.Path)
	}
	return used
}

func whereOf(x v1alpha1.Expression) string {
	if strings.HasPrefix(x.Field, "podGroups") {
		return x.Field
	}
	return where(x.Component, x.Field)
}

// inputs are what a frame has for an expression to be asked of.
func (u *use) inputs(ctx context.Context, s *sight) []*subject {
	if u.On == v1alpha1.OnRoot {
		if s.present[u.Component] {
			return []*subject{s.root}
		}
		return nil
	}
	var inputs []*subject
	for _, role := range u.roles {
		for _, pod := range s.pods[role] {
			if u.takes == nil || u.takes(ctx, role, pod) {
				inputs = append(inputs, pod.subject)
			}
		}
	}
	return inputs
}

// gives reports whether a frame has something deciding for the expression.
func (w *written) gives(ctx context.Context, s *sight) bool {
	for i := range w.uses {
		used := &w.uses[i]
		for _, in := range used.inputs(ctx, s) {
			if given := in.ask(ctx, w.program); given.err == nil && slices.ContainsFunc(given.results, used.decides) {
				return true
			}
		}
		if used.describesPods() && s.present[used.Component] &&
			writes(ctx, s.edited(ctx), w.program, s.root.input) {
			return true
		}
	}
	return false
}

// describesPods reports whether an expression reads a role's pods or a part of them.
func (u *use) describesPods() bool { return strings.HasPrefix(u.Field, "specDefinition.") }

// decides reports whether a value says anything. An empty description of pods says
// that the role is there.
func (u *use) decides(value any) bool {
	switch value := value.(type) {
	case nil:
		return false
	case string:
		return value != ""
	case []any:
		return len(value) > 0 || u.describesPods()
	case map[string]any:
		return len(value) > 0 || u.describesPods()
	default:
		return true
	}
}

// settlesPresence reports whether an expression decides whether the object has the
// role, so that its branches decide something also where the role is absent.
func (u *use) settlesPresence() bool { return u.describesPods() || u.Role == v1alpha1.RoleInstanceID }
