package resolver_test

import (
	"context"
	"encoding/json"
	"errors"
	"math/rand"
	"reflect"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/workloadmap/wm/resolver"
)

// TestProperties holds generated definitions, objects and pods to what must be
// true of every view and every edit.
func TestProperties(t *testing.T) {
	random := rand.New(rand.NewSource(7))
	count := 1500
	if testing.Short() {
		count = 300
	}
	seen := sightings{}
	for n := range count {
		w := generate(random)
		compiled := compile(t, w.definition)
		problem := func(format string, arguments ...any) {
			content, _ := json.MarshalIndent(map[string]any{"definition": w.definition, "object": w.object, "pods": w.pods}, "", " ")
			t.Logf("%s", content)
			t.Fatalf("world %d: "+format, append([]any{n}, arguments...)...)
		}
		objectBefore, podsBefore := deepCopy(t, w.object), deepCopy(t, w.pods)
		view, err := compiled.Resolve(context.Background(), w.object, resolver.WithPods(w.pods))
		if err != nil {
			problem("%v", err)
		}
		again, err := compile(t, w.definition).Resolve(context.Background(), w.object, resolver.WithPods(w.pods))
		if err != nil || !reflect.DeepEqual(deepCopy(t, view), deepCopy(t, again)) {
			problem("another view: %v\n%s", err, cmp.Diff(view, again))
		}
		checkPlaces(w, view, problem)
		checkGangs(view, seen, problem)
		checkTotals(view, problem)
		checkEdits(t, compiled, w, seen, problem)
		checkSuspend(t, compiled, w, seen, problem)
		if !reflect.DeepEqual(objectBefore, deepCopy(t, w.object)) || !reflect.DeepEqual(podsBefore, deepCopy(t, w.pods)) {
			problem("the input was changed")
		}
		seen.count("unattributed pods", len(view.Unattributed))
		seen.count("foreign pods", len(w.foreign))
	}
	for _, what := range []string{"unattributed pods", "foreign pods", "pods in gangs", "gangs of known size", "edits", "refused edits", "suspensions"} {
		if seen[what] < count/20 {
			t.Errorf("only %d %s in %d worlds: the generator does not reach them", seen[what], what, count)
		}
	}
}

type sightings map[string]int

func (s sightings) count(what string, n int) { s[what] += n }

// checkPlaces wants every pod in exactly one place, except foreign ones, which
// are in none.
func checkPlaces(w *world, view *resolver.Workload, problem func(string, ...any)) {
	places := map[string]int{}
	view.Walk(func(c *resolver.Component) bool {
		for _, instance := range c.Instances {
			for _, pod := range instance.Pods {
				places[pod.Name]++
			}
		}
		return true
	})
	for _, name := range slices.Concat(view.Unattributed, view.Ambiguous) {
		places[name]++
	}
	for _, pod := range w.pods {
		name := pod["metadata"].(map[string]any)["name"].(string)
		want := 1
		if w.foreign[name] {
			want = 0
		}
		if places[name] != want {
			problem("pod %s is in %d places, want %d", name, places[name], want)
		}
		delete(places, name)
	}
	if len(places) > 0 {
		problem("pods from nowhere: %v", places)
	}
}

// checkGangs wants no pod in two gangs, only current pods of roles in them, and
// minMember to be the sum of its members.
func checkGangs(view *resolver.Workload, seen sightings, problem func(string, ...any)) {
	current := map[string]bool{}
	view.Walk(func(c *resolver.Component) bool {
		for _, instance := range c.Instances {
			for _, pod := range instance.Pods {
				current[pod.Name] = pod.Phase != "Succeeded" && pod.Reason != "Terminating"
			}
		}
		return true
	})
	gangOf := map[string]string{}
	ids := map[string]bool{}
	for _, gang := range view.Gangs {
		content, _ := json.Marshal([]any{gang.Name, gang.Key})
		if ids[string(content)] {
			problem("two gangs are %s", content)
		}
		ids[string(content)] = true
		for _, pod := range gang.Pods {
			if other, twice := gangOf[pod]; twice || !current[pod] {
				problem("pod %s of gang %s is in %q too, or is not current", pod, content, other)
			}
			gangOf[pod] = string(content)
		}
		seen.count("pods in gangs", len(gang.Pods))
		sum, known := int64(0), true
		for _, member := range gang.Members {
			if known = known && member.Min != nil; known {
				sum += *member.Min
			}
		}
		switch {
		case len(gang.Members) == 0:
			problem("gang %s has no members", content)
		case known != (gang.MinMember != nil), known && *gang.MinMember != sum:
			problem("gang %s: minMember %v is not the sum of its members", content, gang.MinMember)
		case known:
			seen.count("gangs of known size", 1)
		}
	}
}

// checkTotals adds up the roles again.
func checkTotals(view *resolver.Workload, problem func(string, ...any)) {
	var desired, current, ready, gpus int64
	known := true
	cpu := corev1.ResourceList{}
	view.Walk(func(c *resolver.Component) bool {
		for _, instance := range c.Instances {
			if c.Logical {
				if instance.Total != nil || instance.PerReplica != nil || len(instance.Pods) > 0 {
					problem("logical %s has pods", c.Name)
				}
				continue
			}
			if known = known && instance.Replicas.Desired != nil; known {
				desired += *instance.Replicas.Desired
			}
			current += *instance.Replicas.Current
			ready += *instance.Replicas.Ready
			if instance.Total == nil {
				continue
			}
			gpus += instance.Total.GPUs
			if instance.Total.GPUs != instance.PerReplica.GPUs**instance.Replicas.Desired {
				problem("%s: total is not replicas times one", c.Name)
			}
			quantity := cpu["cpu"]
			quantity.Add(instance.Total.Requests["cpu"])
			cpu["cpu"] = quantity
		}
		return true
	})
	if known != (view.Replicas.Desired != nil) || known && *view.Replicas.Desired != desired ||
		*view.Replicas.Current != current || *view.Replicas.Ready != ready || ready > current {
		problem("replicas %+v, want %d (%v), %d, %d", view.Replicas, desired, known, current, ready)
	}
	whole, sum := view.Resources.Requests["cpu"], cpu["cpu"]
	if view.Resources.GPUs != gpus || whole.Cmp(sum) != 0 {
		problem("resources %+v, want %d GPUs, %v", view.Resources, gpus, cpu)
	}
}

// checkEdits sets a label and a scheduler name, reads them back where the
// definition says they are, and finds everything else as it was.
func checkEdits(t *testing.T, compiled *resolver.Resolver, w *world, seen sightings, problem func(string, ...any)) {
	patch := resolver.Patch{SchedulerName: "kai", Labels: map[string]string{"new": "label"}, Containers: map[string]resolver.ContainerPatch{
		"main": {Limits: corev1.ResourceList{"nvidia.com/gpu": quantity("7")}},
	}}
	targets := []resolver.Target{{}}
	if len(w.roles) > 0 {
		targets = append(targets, resolver.Target{Component: w.roles[0]}, resolver.Target{Component: w.roles[0], Instance: "a"})
	}
	for _, target := range targets {
		edit, err := compiled.Edit(context.Background(), w.object, target, patch)
		var refused *resolver.RefusedError
		switch {
		case errors.As(err, &refused), errors.Is(err, resolver.ErrNothingTargeted):
			seen.count("refused edits", 1)
			continue
		case err != nil:
			problem("edit %+v: %v", target, err)
		}
		seen.count("edits", 1)
		patched, err := applyJSONPatch(w.object, deepCopy(t, edit.JSONPatch()).([]any))
		if diff := cmp.Diff(patched, deepCopy(t, edit.Object)); diff != "" || err != nil {
			problem("the JSON patch gives another object: %v %s", err, diff)
		}
		view, err := compiled.Resolve(context.Background(), edit.Object)
		if err != nil {
			problem("%v", err)
		}
		original, err := compiled.Resolve(context.Background(), w.object)
		if err != nil {
			problem("%v", err)
		}
		checkReadsBack(target, original, view, problem)
		for name, value := range edit.Object["spec"].(map[string]any) {
			old := w.object["spec"].(map[string]any)[name]
			if target.Component != "" && name != target.Component && !reflect.DeepEqual(deepCopy(t, old), deepCopy(t, value)) {
				problem("edit %+v changed %s", target, name)
			}
		}
		bare := strip(deepCopy(t, edit.Object))
		if diff := cmp.Diff(strip(deepCopy(t, w.object)), bare); diff != "" {
			problem("edit %+v changed more than was asked: %s", target, diff)
		}
	}
}

func checkReadsBack(target resolver.Target, original, view *resolver.Workload, problem func(string, ...any)) {
	view.Walk(func(c *resolver.Component) bool {
		for i, instance := range c.Instances {
			if c.Logical || instance.PerReplica == nil {
				continue
			}
			want := int64(7)
			outside := target.Component != "" && (target.Component != c.Name || target.Instance != "" && target.Instance != instance.ID)
			if outside {
				want = original.Component(c.Name).Instances[i].PerReplica.GPUs
			}
			if instance.PerReplica.GPUs != want {
				problem("edit %+v: %s/%s has %d GPUs, want %d", target, c.Name, instance.ID, instance.PerReplica.GPUs, want)
			}
		}
		return true
	})
}

// strip takes out what checkEdits sets.
func strip(value any) any {
	switch value := value.(type) {
	case map[string]any:
		for _, key := range []string{"schedulerName", "new", "nvidia.com/gpu"} {
			delete(value, key)
		}
		for _, held := range value {
			strip(held)
		}
	case []any:
		for _, held := range value {
			strip(held)
		}
	}
	return value
}

// checkSuspend wants suspend then resume to give the object back.
func checkSuspend(t *testing.T, compiled *resolver.Resolver, w *world, seen sightings, problem func(string, ...any)) {
	suspended, err := compiled.Suspend(context.Background(), w.object)
	if !w.suspendable {
		if !errors.Is(err, resolver.ErrNoSuspend) {
			problem("suspend: %v", err)
		}
		return
	}
	if err != nil || len(suspended.Changes) != 1 {
		problem("suspend: %v %v", suspended, err)
	}
	resumed, err := compiled.Resume(context.Background(), suspended.Object)
	if err != nil || !reflect.DeepEqual(deepCopy(t, resumed.Object), deepCopy(t, w.object)) {
		problem("resume: %v %v", resumed, err)
	}
	seen.count("suspensions", 1)
}

// TestSharedByGoroutines runs everything at once on one Resolver; the race
// detector does the rest.
func TestSharedByGoroutines(t *testing.T) {
	random := rand.New(rand.NewSource(3))
	w := generate(random)
	for len(w.roles) < 2 || !w.suspendable {
		w = generate(random)
	}
	compiled := compile(t, w.definition)
	reference, err := compiled.Resolve(context.Background(), w.object, resolver.WithPods(w.pods))
	if err != nil {
		t.Fatal(err)
	}
	want := deepCopy(t, reference)
	var all sync.WaitGroup
	for range 16 {
		all.Go(func() {
			for range 20 {
				view, err := compiled.Resolve(context.Background(), w.object, resolver.WithPods(w.pods))
				if err != nil || !reflect.DeepEqual(want, deepCopy(t, view)) {
					t.Error("another view", err)
				}
				if _, err := compiled.Suspend(context.Background(), w.object); err != nil {
					t.Error(err)
				}
				if _, err := compiled.AsKAI(context.Background(), w.object); err != nil {
					t.Error(err)
				}
				_, err = compiled.Edit(context.Background(), w.object, resolver.Target{}, resolver.Patch{SchedulerName: "kai"})
				if refused := (*resolver.RefusedError)(nil); err != nil && !errors.As(err, &refused) {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
}
