package coverage

import (
	"context"
	"fmt"

	"github.com/workloadmap/wm/api/v1alpha1"
	"github.com/workloadmap/wm/jq"
	"github.com/workloadmap/wm/resolver"
	"github.com/workloadmap/wm/testkit"
)

// direction is suspending or resuming.
type direction struct {
	// name is the action of a frame; field holds the definition's actions.
	name, field string
	act         func(*resolver.Resolver, context.Context, map[string]any) (*resolver.Edit, error)
	expected    func(*testkit.Expect) *testkit.ExpectedChange
}

// actions adds the writes that suspend and resume.
func (v *survey) actions() error {
	suspending := direction{"suspend", "suspendActions", (*resolver.Resolver).Suspend,
		func(e *testkit.Expect) *testkit.ExpectedChange { return e.Suspend }}
	resuming := direction{"resume", "resumeActions", (*resolver.Resolver).Resume,
		func(e *testkit.Expect) *testkit.ExpectedChange { return e.Resume }}
	for _, c := range v.components {
		if c.SuspendDefinition == nil {
			continue
		}
		for i, action := range c.SuspendDefinition.SuspendActions {
			if err := v.action(c, suspending, i, action); err != nil {
				return err
			}
		}
		for i, action := range c.SuspendDefinition.ResumeActions {
			if err := v.action(c, resuming, i, action); err != nil {
				return err
			}
		}
	}
	return nil
}

func (v *survey) action(c v1alpha1.PlacedComponent, d direction, i int, action v1alpha1.SuspendAction) error {
	field := fmt.Sprintf("suspendDefinition.%s[%d]", d.field, i)
	program, err := v.compile(action.Path)
	if err != nil {
		return fmt.Errorf("compile %s: %w", where(c.Name, field), err)
	}
	node := v.node(append(c.Path[:len(c.Path):len(c.Path)], "suspendDefinition", d.field, i))
	item := at(node, Item{Kind: SuspendAction, Where: where(c.Name, field), Expression: action.Path, Value: action.Value})
	v.add(item, func(ctx context.Context, s *sight) bool {
		if expected := d.expected(&s.frame.Expect); expected != nil && d.writes(ctx, s.reader, program, s.object) {
			return true
		}
		return s.frame.Action == d.name && d.writes(ctx, s.reader, program, s.before)
	})
	return nil
}

// writes reports whether the action changes the place that a path stands for.
func (d direction) writes(ctx context.Context, reader *resolver.Resolver, path *jq.Program, object map[string]any) bool {
	edit, err := d.act(reader, ctx, object)
	if err != nil {
		return false
	}
	in, err := jq.NewInput(object)
	return err == nil && writes(ctx, edit.Changes, path, in)
}
