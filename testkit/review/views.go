package review

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"reflect"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/workloadmap/wm/api/v1alpha1"
	"github.com/workloadmap/wm/resolver"
	"github.com/workloadmap/wm/testkit"
)

// views compares the resolved views of all cases, and shows an example of each
// new definition.
func (r *reviewer) views(ctx context.Context) error {
	head, err := r.loaded(ctx, r.head, pair.name)
	if err != nil {
		return fmt.Errorf("read the cases: %w", err)
	}
	base, err := r.loaded(ctx, r.base, r.oldNameIfNeeded)
	if err != nil {
		return fmt.Errorf("read the cases of the base: %w", err)
	}
	for i, p := range r.reviewed {
		d := &r.report.Definitions[i]
		switch d.Change {
		case Added:
			d.Example = example(ctx, p.head.resolver, head[p.head])
		case Changed:
			if p.base.fault != nil {
				continue
			}
			if err := d.compareViews(ctx, p, trials(base[p.base], head[p.head], r.head.cases[p.head.name])); err != nil {
				return err
			}
		}
	}
	return nil
}

// oldNameIfNeeded is the old name of a definition whose old cases have to be read
// beside the new ones, else "".
func (r *reviewer) oldNameIfNeeded(p pair) string {
	change := r.caseChange(p)
	readable := p.base != nil && p.base.fault == nil && p.head != nil && p.head.fault == nil
	if readable && (len(change.Gone)+len(change.Rewritten) > 0 || p.base.resolver.Root() != p.head.resolver.Root()) {
		return p.oldName()
	}
	return ""
}

// loaded are the cases of the reviewed definitions of one tree that can be read.
func (r *reviewer) loaded(ctx context.Context, t *tree, name func(pair) string) (map[*version][]*testkit.LoadedCase, error) {
	names := r.withCases(t, name)
	if len(names) == 0 {
		return nil, nil
	}
	suite, err := testkit.Load(ctx, t.options(names))
	if err != nil {
		return nil, err
	}
	found := map[*version][]*testkit.LoadedCase{}
	for _, read := range suite.Definitions {
		used := read.Resolver.Definition()
		if v := t.find(func(v *version) bool { return v.name == used.Name && v.file == used.Origin }); v != nil {
			found[v] = read.Cases
		}
	}
	return found, nil
}

// trial is one frame of a case, read through both versions.
type trial struct {
	label string
	c     *testkit.LoadedCase
	frame int
}

// trials are the frames of the head's cases, and of those cases of the base that
// the head lacks or that have other objects there: a change must not hide behind
// a case that it rewrites. There are cases in the head, kept by name, that cannot
// be read there, for the base's definition alone reads their kind.
func trials(base, head []*testkit.LoadedCase, kept map[string]string) []trial {
	var found []trial
	add := func(c *testkit.LoadedCase, remark string) {
		for frame := range c.States {
			label := caseOf(c)
			if name := c.Frames[frame].Name; name != "" {
				label += " " + name
			}
			found = append(found, trial{label: label + remark, c: c, frame: frame})
		}
	}
	for _, c := range head {
		add(c, "")
	}
	for _, old := range base {
		name := caseOf(old)
		at := slices.IndexFunc(head, func(c *testkit.LoadedCase) bool { return caseOf(c) == name })
		switch {
		case at < 0 && kept[name] != "":
			add(old, "")
		case at < 0:
			add(old, " (a case that is gone)")
		case !sameStates(old, head[at]):
			add(old, " (as the case was)")
		}
	}
	return found
}

func caseOf(c *testkit.LoadedCase) string { return c.Name[strings.LastIndexByte(c.Name, '/')+1:] }

func sameStates(a, b *testkit.LoadedCase) bool {
	return slices.EqualFunc(a.States, b.States, func(x, y testkit.State) bool {
		return reflect.DeepEqual(x.Object, y.Object) && reflect.DeepEqual(x.Pods, y.Pods)
	})
}

// compareViews reads every trial through both versions and gathers those that
// change in the same way.
func (d *Definition) compareViews(ctx context.Context, p pair, trials []trial) error {
	changes := make([][]Fact, len(trials))
	edits := !sameEdits(p.base.definition, p.head.definition)
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, t := range trials {
		group.Go(func() error {
			changes[i] = t.compare(ctx, p, edits)
			return ctx.Err()
		})
	}
	if err := group.Wait(); err != nil {
		return fmt.Errorf("compare the views of %s: %w", d.Name, err)
	}
	d.Replayed = len(trials)
	for i, facts := range changes {
		if len(facts) == 0 {
			continue
		}
		same := slices.IndexFunc(d.Views, func(v View) bool { return slices.Equal(v.Facts, facts) })
		if same < 0 {
			d.Views = append(d.Views, View{Facts: facts})
			same = len(d.Views) - 1
		}
		d.Views[same].Cases = append(d.Views[same].Cases, trials[i].label)
	}
	d.breakInstances()
	return nil
}

// sameEdits reports whether two versions keep the pods of all roles in the same
// places, so that no edit can go elsewhere.
func sameEdits(before, after *v1alpha1.WorkloadMap) bool {
	places := func(definition *v1alpha1.WorkloadMap) []v1alpha1.Component {
		var components []v1alpha1.Component
		for _, each := range definition.Components() {
			component := *each.Component
			component.StatusDefinition, component.SuspendDefinition, component.PodSelector = nil, nil, nil
			components = append(components, component)
		}
		return components
	}
	return reflect.DeepEqual(places(before), places(after))
}

func (t trial) compare(ctx context.Context, p pair, edits bool) []Fact {
	state := t.c.States[t.frame]
	found := difference(read(ctx, p.base.resolver, state, edits), read(ctx, p.head.resolver, state, edits))
	if len(found) > 0 {
		return found
	}
	// Facts are a selection; what they leave out may change too.
	before, errBefore := t.c.ReplayFrame(ctx, p.base.resolver, t.frame)
	after, errAfter := t.c.ReplayFrame(ctx, p.head.resolver, t.frame)
	if errBefore != nil || errAfter != nil || bytes.Equal(before.View, after.View) {
		return nil
	}
	return []Fact{{Name: "details of the view", Before: "as approved", After: "another order, or other details"}}
}

// breakInstances notes roles whose instances have other names now, which only
// the views show. A role that is there or not as a whole is no such case.
func (d *Definition) breakInstances() {
	if slices.ContainsFunc(d.Breaks, func(b Break) bool { return b.Kind == InstancesChanged }) {
		return
	}
	for _, view := range d.Views {
		lost, won := map[string]string{}, map[string]string{}
		for _, fact := range view.Facts {
			role, isRole := strings.CutPrefix(fact.Name, "role ")
			component, instance, _ := strings.Cut(role, "/")
			switch {
			case !isRole || instance == "":
			case fact.After == "":
				lost[component] = joined(lost[component], instance)
			case fact.Before == "":
				won[component] = joined(won[component], instance)
			}
		}
		for _, component := range slices.Sorted(maps.Keys(lost)) {
			if won[component] == "" {
				continue
			}
			b := Break{Kind: InstancesChanged, Difference: Difference{
				Text: "instances of " + component + " have other names", Before: lost[component], After: won[component],
			}}
			d.Breaks, d.Differences = append(d.Breaks, b), append(d.Differences, b.Difference)
			return
		}
	}
}

func joined(list, item string) string {
	if list == "" {
		return item
	}
	return list + ", " + item
}

// example is the view of the case that has most to show: the most roles, then
// pods; of equal ones the first.
func example(ctx context.Context, reader *resolver.Resolver, cases []*testkit.LoadedCase) *Example {
	var best *Example
	most := -1
	for _, t := range trials(nil, cases, nil) {
		state := t.c.States[t.frame]
		workload, err := reader.Resolve(ctx, state.Object, state.Given...)
		if err != nil {
			continue
		}
		shown := 0
		workload.Walk(func(c *resolver.Component) bool {
			shown += 100 * len(c.Instances)
			for _, instance := range c.Instances {
				shown += min(len(instance.Pods), 20)
			}
			return true
		})
		if shown > most {
			best, most = &Example{Case: t.label, Workload: workload}, shown
		}
	}
	return best
}
