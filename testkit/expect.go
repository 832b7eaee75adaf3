package testkit

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/workloadmap/wm/api/v1alpha1"
	"github.com/workloadmap/wm/resolver"
	"github.com/workloadmap/wm/source"
)

func (r *caseReader) expect(node source.Node, value any, e *Expect) {
	e.where = map[string]string{}
	noted := func(field string, read func(source.Node, any)) func(source.Node, any) {
		return func(n source.Node, v any) {
			start := n.Range().Start
			e.where[field] = fmt.Sprintf("%s:%d:%d", r.file.Name(), start.Line, start.Column)
			read(n, v)
		}
	}
	known := map[string]func(source.Node, any){
		"phase":         func(n source.Node, v any) { e.Phase = r.phase(n, v) },
		"matchedPhases": func(n source.Node, v any) { e.MatchedPhases = r.phases(n, v) },
		"gpus":          func(n source.Node, v any) { e.GPUs = r.integer(n, v) },
		"replicas":      func(n source.Node, v any) { e.Replicas = r.counts(n, v) },
		"min":           func(n source.Node, v any) { e.Min = r.counts(n, v) },
		"max":           func(n source.Node, v any) { e.Max = r.counts(n, v) },
		"gangs":         func(n source.Node, v any) { e.Gangs = r.gangs(n, v) },
		"unattributed":  func(n source.Node, v any) { e.Unattributed = r.texts(n, v) },
		"ambiguous":     func(n source.Node, v any) { e.Ambiguous = r.texts(n, v) },
		"absent":        func(n source.Node, v any) { e.Absent = r.texts(n, v) },
		"requests":      func(n source.Node, v any) { e.Requests = r.quantities(n, v) },
		"problems":      func(n source.Node, v any) { e.Problems = r.texts(n, v) },
		"edits":         func(n source.Node, v any) { e.Edits = r.edits(n, v) },
		"suspend":       func(n source.Node, v any) { e.Suspend = r.suspension(n, v) },
		"resume":        func(n source.Node, v any) { e.Resume = r.suspension(n, v) },
	}
	for field, read := range known {
		known[field] = noted(field, read)
	}
	r.fields(node, known, value)
}

func (r *caseReader) phase(node source.Node, value any) v1alpha1.Phase {
	words := make([]string, 0, len(v1alpha1.HeadlinePhases()))
	for _, phase := range v1alpha1.HeadlinePhases() {
		words = append(words, string(phase))
	}
	return v1alpha1.Phase(r.word(node, value, words...))
}

func (r *caseReader) phases(node source.Node, value any) []v1alpha1.Phase {
	phases := []v1alpha1.Phase{}
	for i, text := range r.texts(node, value) {
		child, _ := node.Find(i)
		phases = append(phases, r.phase(child, text))
	}
	return phases
}

func (r *caseReader) counts(node source.Node, value any) map[string]*int64 {
	object, ok := value.(map[string]any)
	if !ok {
		r.fail(node, "a mapping of component to replicas is needed here")
		return nil
	}
	counts := make(map[string]*int64, len(object))
	for key, child := range node.Fields() {
		counts[key.Text()] = r.integer(child, object[key.Text()])
	}
	return counts
}

func (r *caseReader) quantities(node source.Node, value any) map[string]resource.Quantity {
	object, ok := value.(map[string]any)
	if !ok {
		r.fail(node, "a mapping of resource to quantity is needed here")
		return nil
	}
	quantities := make(map[string]resource.Quantity, len(object))
	for key, child := range node.Fields() {
		quantity, err := resource.ParseQuantity(fmt.Sprint(object[key.Text()]))
		if err != nil {
			r.fail(child, "%v is not a Kubernetes quantity", object[key.Text()])
		}
		quantities[key.Text()] = quantity
	}
	return quantities
}

// failFunc notes a value that is not as expected. About names what the value is
// of, so that the expression behind it can be found: a component, an instance
// as component/id, or a resource.
type failFunc func(field, expected, actual string, about ...string)

// check compares a resolved workload with the expectation.
func (e *Expect) check(w *resolver.Workload, components []string) []Failure {
	var failures []Failure
	fail := func(field, expected, actual string, about ...string) {
		failures = append(failures, Failure{Check: "expect." + field, Where: e.where[field], Expected: expected, Actual: actual,
			about: strings.Join(about, "")})
	}
	if w.Phase != e.Phase {
		fail("phase", string(e.Phase), string(w.Phase))
	}
	if e.MatchedPhases != nil && !samePhases(e.MatchedPhases, w.MatchedPhases) {
		fail("matchedPhases", joinPhases(e.MatchedPhases), joinPhases(w.MatchedPhases))
	}
	if e.GPUs != nil && *e.GPUs != w.Resources.GPUs {
		fail("gpus", fmt.Sprint(*e.GPUs), fmt.Sprint(w.Resources.GPUs))
	}
	e.checkReplicas(w, components, fail)
	for _, name := range e.Absent {
		switch {
		case !known(components, name):
			fail("absent", "a component of the definition", unknownText(name))
		case w.Component(name) != nil:
			fail("absent", "no "+name, name+" is there", name)
		}
	}
	e.checkBounds(w, components, fail)
	e.checkGangs(w.Gangs, fail)
	checkNames("unattributed", e.Unattributed, w.Unattributed, fail)
	checkNames("ambiguous", e.Ambiguous, w.Ambiguous, fail)
	e.checkRequests(w.Resources.Requests, fail)
	e.checkProblems(w.Problems, components, fail)
	return failures
}

// checkReplicas compares every instance that has or should have a count.
func (e *Expect) checkReplicas(w *resolver.Workload, components []string, fail failFunc) {
	if e.Replicas == nil {
		return
	}
	actual := map[string]*int64{}
	eachInstance(w, func(key string, c *resolver.Component, instance *resolver.Instance) {
		if !c.Logical || instance.Replicas.Desired != nil {
			actual[key] = instance.Replicas.Desired
		}
	})
	// A name that is no component's leaves the one that was meant unnamed.
	misnamed := false
	for key := range e.Replicas {
		misnamed = misnamed || !known(components, key)
	}
	for _, key := range sortedKeys(actual, e.Replicas) {
		want, expected := e.Replicas[key]
		got, present := actual[key]
		switch {
		case !known(components, key):
			fail("replicas", "components of the definition", unknownText(key), key)
		case misnamed && !expected:
		case !present:
			fail("replicas", key+": "+countText(want), key+" is not there", key)
		case !expected:
			fail("replicas", "no "+key, key+": "+countText(got), key)
		case countText(want) != countText(got):
			fail("replicas", key+": "+countText(want), key+": "+countText(got), key)
		}
	}
}

// eachInstance visits the instances under the key that cases name them by.
func eachInstance(w *resolver.Workload, visit func(key string, c *resolver.Component, instance *resolver.Instance)) {
	w.Walk(func(c *resolver.Component) bool {
		for i := range c.Instances {
			key := c.Name
			if c.Instances[i].ID != "" {
				key += "/" + c.Instances[i].ID
			}
			visit(key, c, &c.Instances[i])
		}
		return true
	})
}

// known reports whether a key, component or component/instance, is of a
// component that the definition has.
func known(components []string, key string) bool {
	name, _, _ := strings.Cut(key, "/")
	return slices.Contains(components, name)
}

func unknownText(key string) string {
	name, _, _ := strings.Cut(key, "/")
	return name + ", which the definition does not have"
}

func (e *Expect) checkBounds(w *resolver.Workload, components []string, fail failFunc) {
	replicas := map[string]resolver.InstanceReplicas{}
	eachInstance(w, func(key string, _ *resolver.Component, instance *resolver.Instance) {
		replicas[key] = instance.Replicas
	})
	check := func(field string, wanted map[string]*int64, of func(resolver.InstanceReplicas) *int64) {
		for _, key := range slices.Sorted(maps.Keys(wanted)) {
			held, present := replicas[key]
			switch got := of(held); {
			case !known(components, key):
				fail(field, "components of the definition", unknownText(key), key)
			case !present:
				fail(field, key+": "+countText(wanted[key]), key+" is not there", key)
			case countText(got) != countText(wanted[key]):
				fail(field, key+": "+countText(wanted[key]), key+": "+countText(got), key)
			}
		}
	}
	check("min", e.Min, func(r resolver.InstanceReplicas) *int64 { return r.Min })
	check("max", e.Max, func(r resolver.InstanceReplicas) *int64 { return r.Max })
}

func checkNames(field string, wanted, actual []string, fail failFunc) {
	expected := slices.Sorted(slices.Values(wanted))
	if !slices.Equal(expected, actual) {
		fail(field, namesText(expected), namesText(actual))
	}
}

func namesText(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}

func (e *Expect) checkRequests(actual corev1.ResourceList, fail failFunc) {
	if e.Requests == nil {
		return
	}
	requested := make(map[string]resource.Quantity, len(actual))
	for name, quantity := range actual {
		requested[string(name)] = quantity
	}
	for _, name := range sortedKeys(requested, e.Requests) {
		want, expected := e.Requests[name]
		got, present := requested[name]
		switch {
		case !present:
			fail("requests", name+": "+want.String(), "no "+name, name)
		case !expected:
			fail("requests", "no "+name, name+": "+got.String(), name)
		case want.Cmp(got) != 0:
			fail("requests", name+": "+want.String(), name+": "+got.String(), name)
		}
	}
}

// checkProblems wants exactly the problems that the case announces, so that an
// unreadable expression never hides behind correct numbers.
func (e *Expect) checkProblems(actual []resolver.Problem, components []string, fail failFunc) {
	wanted := slices.Clone(e.Problems)
	for _, problem := range actual {
		key := problem.Component + "/" + problem.Field
		if at := slices.Index(wanted, key); at >= 0 {
			wanted = slices.Delete(wanted, at, at+1)
			continue
		}
		fail("problems", "no problem in "+key, problem.Message, key)
	}
	for _, key := range wanted {
		if known(components, key) || strings.HasPrefix(key, "/") {
			fail("problems", "a problem in "+key, "none", key)
		} else {
			fail("problems", "component/field of the definition's components", unknownText(key), key)
		}
	}
}

func samePhases(a, b []v1alpha1.Phase) bool {
	sorted := func(phases []v1alpha1.Phase) []v1alpha1.Phase {
		clone := slices.Clone(phases)
		slices.Sort(clone)
		return clone
	}
	return slices.Equal(sorted(a), sorted(b))
}

func joinPhases(phases []v1alpha1.Phase) string {
	words := make([]string, len(phases))
	for i, phase := range phases {
		words[i] = string(phase)
	}
	return strings.Join(words, ", ")
}

func countText(n *int64) string {
	if n == nil {
		return "unknown"
	}
	return fmt.Sprint(*n)
}

// sortedKeys are the keys that either map has.
func sortedKeys[V any](a, b map[string]V) []string {
	keys := slices.AppendSeq(slices.Collect(maps.Keys(a)), maps.Keys(b))
	slices.Sort(keys)
	return slices.Compact(keys)
}
