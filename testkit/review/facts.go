package review

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/workloadmap/wm/resolver"
	"github.com/workloadmap/wm/testkit"
)

// readable is the fact without which there are no others.
const readable = "the workload can be read"

// facts tell a workload in the words of the domain, in the order in which people
// ask. Each name is there once.
type facts struct {
	names  []string
	values map[string]string
	// roles maps the facts of one role to it.
	roles map[string]string
	// role is the one that facts are added of, "" for the workload.
	role string
}

func (f *facts) add(value, format string, arguments ...any) {
	name := fmt.Sprintf(format, arguments...)
	if value == "" {
		return
	}
	if held, twice := f.values[name]; twice {
		f.values[name] = held + "; " + value
		return
	}
	f.names = append(f.names, name)
	f.values[name] = value
	f.roles[name] = f.role
}

// read tells what a definition says about one state of a workload; where edits
// are written only if asked, since that is most of the work.
func read(ctx context.Context, r *resolver.Resolver, state testkit.State, edits bool) *facts {
	f := &facts{values: map[string]string{}, roles: map[string]string{}}
	workload, err := r.Resolve(ctx, state.Object, state.Given...)
	if err != nil {
		f.add("no: "+err.Error(), readable)
		return f
	}
	f.add("yes", readable)
	f.status(workload)
	f.sums(workload)
	workload.Walk(func(c *resolver.Component) bool {
		f.component(c)
		return true
	})
	f.gangs(workload)
	f.add(strings.Join(workload.Unattributed, ", "), "pods that no role claims")
	f.add(strings.Join(workload.Ambiguous, ", "), "pods that several roles claim")
	if edits {
		f.edits(ctx, r, workload, state.Object)
	}
	f.actions(ctx, r, state.Object)
	for _, problem := range workload.Problems {
		f.add(problem.Message, "problem with %s of %s", problem.Field, problem.Component)
	}
	return f
}

func (f *facts) status(w *resolver.Workload) {
	f.add(string(w.Phase), "phase")
	phases := make([]string, len(w.MatchedPhases))
	for i, phase := range w.MatchedPhases {
		phases[i] = string(phase)
	}
	if len(phases) > 1 {
		f.add(strings.Join(phases, ", "), "phases that match")
	}
	if w.NativePhase != nil {
		f.add(*w.NativePhase, "the framework's own phase")
	}
	for _, condition := range w.Conditions {
		value := condition.Status
		if condition.Reason != "" {
			value += " (" + condition.Reason + ")"
		}
		f.add(value, "condition %s", condition.Type)
	}
}

func (f *facts) sums(w *resolver.Workload) {
	f.add(counted(w.Replicas.Desired), "pods")
	f.add(stated(w.Replicas.Current), "pods now")
	f.add(stated(w.Replicas.Ready), "pods ready")
	f.add(fmt.Sprint(w.Resources.GPUs), "GPUs")
	f.requests(&w.Resources, "requests of")
	for _, claim := range w.Resources.Claims {
		f.add(fmt.Sprint(claim.Count), "uses of resource claim %s", claim.Name)
	}
}

// requests has one fact for each resource, cpu and memory first.
func (f *facts) requests(r *resolver.Resources, what string) {
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(r.Requests)), func(name corev1.ResourceName) bool {
		return name == corev1.ResourceCPU || name == corev1.ResourceMemory
	})
	for _, name := range append([]corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory}, names...) {
		if quantity, ok := r.Requests[name]; ok {
			f.add(quantity.String(), "%s %s", what, name)
		}
	}
}

func (f *facts) component(c *resolver.Component) {
	unit := "replicas"
	if c.Logical {
		unit = "units"
	}
	for i := range c.Instances {
		instance := &c.Instances[i]
		name := roleName(c.Name, instance.ID)
		f.role = name
		f.add("there", "role %s", name)
		if !c.Logical || instance.Replicas.Desired != nil {
			f.add(counted(instance.Replicas.Desired), "%s of %s", unit, name)
		}
		f.add(stated(instance.Replicas.Min), "minimum of %s", name)
		f.add(stated(instance.Replicas.Max), "maximum of %s", name)
		if instance.PerReplica != nil {
			f.add(fmt.Sprint(instance.PerReplica.GPUs), "GPUs of each %s pod", name)
			f.requests(instance.PerReplica, "each "+name+" pod requests")
		}
		f.pods(name, instance)
	}
	f.role = ""
}

func (f *facts) pods(name string, instance *resolver.Instance) {
	units := map[string][]string{}
	var names []string
	for _, pod := range instance.Pods {
		names = append(names, pod.Name)
		if pod.Unit != "" {
			units[pod.Unit] = append(units[pod.Unit], pod.Name)
		}
	}
	f.add(strings.Join(names, ", "), "pods of %s", name)
	for _, unit := range slices.Sorted(maps.Keys(units)) {
		f.add(strings.Join(units[unit], ", "), "pods of %s in unit %s", name, unit)
	}
}

func (f *facts) gangs(w *resolver.Workload) {
	f.add(fmt.Sprint(len(w.Gangs)), "gangs")
	for _, gang := range w.Gangs {
		name := gang.Name
		if len(gang.Key) > 0 {
			name += " [" + keyText(gang.Key) + "]"
		}
		members := make([]string, len(gang.Members))
		for i, member := range gang.Members {
			members[i] = roleName(member.Component, member.Instance) + " " + counted(member.Min)
			if member.Topology != nil {
				members[i] += " " + topologyText(member.Topology)
			}
		}
		pods := "pods"
		if gang.MinMember != nil && *gang.MinMember == 1 {
			pods = "pod"
		}
		value := fmt.Sprintf("at least %s %s: %s", counted(gang.MinMember), pods, strings.Join(members, ", "))
		if gang.Topology != nil {
			value += "; " + topologyText(gang.Topology)
		}
		f.add(value, "gang %s", name)
		f.add(strings.Join(gang.Pods, ", "), "pods in gang %s", name)
	}
}

// edits says where the changes that people make most would be written.
func (f *facts) edits(ctx context.Context, r *resolver.Resolver, w *resolver.Workload, object map[string]any) {
	const probe = "wm-review"
	probes := []struct {
		what  string
		patch resolver.Patch
	}{
		{"labels", resolver.Patch{Labels: map[string]string{probe: probe}}},
		{"scheduler name", resolver.Patch{SchedulerName: probe}},
		{"priority class", resolver.Patch{PriorityClassName: probe}},
		{"image", resolver.Patch{Containers: map[string]resolver.ContainerPatch{"": {Image: probe}}}},
	}
	w.Walk(func(c *resolver.Component) bool {
		for i := range c.Instances {
			target := resolver.Target{Component: c.Name, Instance: c.Instances[i].ID}
			for _, each := range probes {
				if c.Logical {
					continue
				}
				f.role = roleName(target.Component, target.Instance)
				edit, err := r.Edit(ctx, object, target, each.patch)
				f.add(written(edit, err, false), "edits write the %s of %s to", each.what, f.role)
			}
		}
		f.role = ""
		return true
	})
}

// actions says what suspending and resuming would write.
func (f *facts) actions(ctx context.Context, r *resolver.Resolver, object map[string]any) {
	for _, action := range []struct {
		name string
		make func(context.Context, map[string]any) (*resolver.Edit, error)
	}{{"suspending", r.Suspend}, {"resuming", r.Resume}} {
		edit, err := action.make(ctx, object)
		if !errors.Is(err, resolver.ErrNoSuspend) {
			f.add(written(edit, err, true), "%s writes", action.name)
		}
	}
}

// written are the places that an edit changes, with the values if wanted.
func written(edit *resolver.Edit, err error, values bool) string {
	var refused *resolver.RefusedError
	switch {
	case errors.As(err, &refused):
		return "nowhere: " + refused.Refusals[0].Reason
	case err != nil:
		return "nowhere: " + err.Error()
	case len(edit.Changes) == 0:
		return "nothing"
	}
	places := make([]string, len(edit.Changes))
	for i, operation := range edit.JSONPatch() {
		places[i] = operation.Path
		if values {
			places[i] += fmt.Sprintf(" = %v", operation.Value)
		}
	}
	return strings.Join(places, ", ")
}

// difference are the facts that are not the same, in the order of both. Of a role
// that comes or goes the number says enough.
func difference(before, after *facts) []Fact {
	var found []Fact
	note := func(name string) {
		role := cmp.Or(after.roles[name], before.roles[name])
		comesOrGoes := role != "" && before.values["role "+role] != after.values["role "+role]
		if before.values[readable] != after.values[readable] && name != readable {
			return
		}
		if comesOrGoes && name != "role "+role && name != "replicas of "+role {
			return
		}
		if before.values[name] != after.values[name] {
			found = append(found, Fact{Name: name, Before: before.values[name], After: after.values[name]})
		}
	}
	next := 0
	for _, name := range after.names {
		// What only the old view has stands where it stood.
		for next < len(before.names) && before.names[next] != name {
			if _, kept := after.values[before.names[next]]; kept {
				break
			}
			note(before.names[next])
			next++
		}
		if next < len(before.names) && before.names[next] == name {
			next++
		}
		note(name)
	}
	for _, name := range before.names[next:] {
		if _, kept := after.values[name]; !kept {
			note(name)
		}
	}
	return found
}

func roleName(component, instance string) string {
	if instance == "" {
		return component
	}
	return component + "/" + instance
}

func keyText(key []*string) string {
	parts := make([]string, len(key))
	for i, part := range key {
		parts[i] = "?"
		if part != nil {
			parts[i] = *part
		}
	}
	return strings.Join(parts, ", ")
}

// counted writes a number that should be known.
func counted(n *int64) string {
	if n == nil {
		return "unknown"
	}
	return fmt.Sprint(*n)
}

// stated writes a number that need not be.
func stated(n *int64) string {
	if n == nil {
		return ""
	}
	return fmt.Sprint(*n)
}
