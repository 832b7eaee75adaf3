package resolver

import (
	"fmt"
	"slices"
	"sort"
	"strings"
)

// placement says where the pods of a workload belong.
type placement struct {
	// byInstance holds the pods of each instance of each component.
	byInstance map[*component][][]*podInput
	// instances finds the instances of a component by their IDs.
	instances map[*component]map[string]int
	// seats tells for each placed pod its component and instance.
	seats        []seat
	unattributed []string
	ambiguous    []string
}

// seat is one pod in its place.
type seat struct {
	pod       *podInput
	component *component
	instance  int
}

// place puts every candidate pod into exactly one of: an instance,
// unattributed, ambiguous. Pods that provably belong to another root are left out.
func (e *evaluation) place(r *Resolver, given *pods) (*placement, error) {
	p := &placement{byInstance: map[*component][][]*podInput{}, instances: map[*component]map[string]int{}, unattributed: []string{}, ambiguous: []string{}}
	for _, c := range r.components {
		if !c.logical() {
			ids := e.presence[c.index].in.ids
			p.byInstance[c] = make([][]*podInput, len(ids))
			p.instances[c] = make(map[string]int, len(ids))
			for i, id := range ids {
				p.instances[c][id] = i
			}
		}
	}
	root := object(e.root.Value())
	// A pod can own what other pods hang on: an LWS leader owns its workers' StatefulSet.
	owners := newOwnership(root, slices.Concat(given.between, given.pods))
	itself := r.readsPod()
	if itself {
		pod, err := newPodInput(root)
		if err != nil {
			return nil, err
		}
		p.seat(r.components[0], 0, pod)
	}
	for _, value := range given.pods {
		if owners.foreign(value) || itself && samePod(value, root) {
			continue
		}
		pod, err := newPodInput(value)
		if err != nil {
			return nil, err
		}
		e.seatPod(p, r, owners, pod)
		if pod.err != nil {
			return nil, fmt.Errorf("read pod %q: %w", pod.state.Name, pod.err)
		}
	}
	sort.Strings(p.unattributed)
	sort.Strings(p.ambiguous)
	return p, nil
}

// readsPod reports whether the workload is a Pod that is its own pod.
func (r *Resolver) readsPod() bool {
	root := r.components[0]
	return r.root.Group == "" && r.root.Kind == "Pod" && !root.logical() && root.instanceIDs == nil
}

// samePod compares by UID or, where one of the two has none, by name.
func samePod(a, b map[string]any) bool {
	if first, second := uidOf(a), uidOf(b); first != "" && second != "" {
		return first == second
	}
	x, y := child(a, "metadata"), child(b, "metadata")
	return text(x["name"]) != "" && text(x["name"]) == text(y["name"]) && text(x["namespace"]) == text(y["namespace"])
}

func (p *placement) seat(c *component, instance int, pod *podInput) {
	p.byInstance[c][instance] = append(p.byInstance[c][instance], pod)
	p.seats = append(p.seats, seat{pod: pod, component: c, instance: instance})
}

// seatPod asks every component whether the pod is its own.
func (e *evaluation) seatPod(p *placement, r *Resolver, owners *ownership, pod *podInput) {
	var claimant *component
	instance, claims := 0, 0
	for _, c := range r.components {
		if c.logical() {
			continue
		}
		if at, ok := e.claim(p, r, c, owners, pod); ok {
			claimant, instance = c, at
			claims++
		}
	}
	switch claims {
	case 0:
		p.unattributed = append(p.unattributed, pod.state.Name)
	case 1:
		if unit := claimant.selectors.unit; unit != nil {
			pod.state.Unit, _ = e.podKey(unit, pod)
		}
		p.seat(claimant, instance, pod)
	default:
		p.ambiguous = append(p.ambiguous, pod.state.Name)
	}
}

// claim decides whether a pod belongs to a component, and to which instance. A
// component without any selector claims all pods when it is the only one with
// pods, else those below an object of its own kind; a root that is a Pod claims
// no other pod.
func (e *evaluation) claim(p *placement, r *Resolver, c *component, owners *ownership, pod *podInput) (instance int, ok bool) {
	presence := e.presence[c.index]
	if presence.absent || c.parent == nil && r.readsPod() {
		return 0, false
	}
	s := &c.selectors
	byInstance := s.instance != nil && presence.in.repeated
	switch {
	case s.typed():
		if !e.matchesType(s, pod) {
			return 0, false
		}
	case !byInstance && !r.sole(c) && !owners.below(pod.value, c.kind):
		return 0, false
	}
	if !presence.in.repeated {
		return 0, true
	}
	if !byInstance {
		return 0, len(presence.in.ids) == 1
	}
	id, ok := e.podKey(s.instance, pod)
	if !ok {
		return 0, false
	}
	at, known := p.instances[c][id]
	return at, known
}

// sole reports whether a component is the only one with pods.
func (r *Resolver) sole(c *component) bool {
	for _, other := range r.components {
		if other != c && !other.logical() {
			return false
		}
	}
	return true
}

// podsIn returns the pods of one instance by name, and counts them.
func (p *placement) podsIn(c *component, instance int) (pods []Pod, current, ready int64) {
	pods = []Pod{}
	for _, pod := range p.byInstance[c][instance] {
		pods = append(pods, pod.state)
		if pod.counts {
			current++
			if pod.state.Ready {
				ready++
			}
		}
	}
	slices.SortStableFunc(pods, func(a, b Pod) int { return compareNatural(a.Name, b.Name) })
	return pods, current, ready
}

// compareNatural orders worker-2 before worker-10.
func compareNatural(a, b string) int {
	wholeA, wholeB := a, b
	for a != "" && b != "" {
		digitsA, digitsB := leadingDigits(a), leadingDigits(b)
		if digitsA != "" && digitsB != "" {
			trimmedA, trimmedB := strings.TrimLeft(digitsA, "0"), strings.TrimLeft(digitsB, "0")
			if order := len(trimmedA) - len(trimmedB); order != 0 {
				return order
			}
			if order := strings.Compare(trimmedA, trimmedB); order != 0 {
				return order
			}
			a, b = a[len(digitsA):], b[len(digitsB):]
			continue
		}
		if a[0] != b[0] {
			return int(a[0]) - int(b[0])
		}
		a, b = a[1:], b[1:]
	}
	if order := len(a) - len(b); order != 0 {
		return order
	}
	return strings.Compare(wholeA, wholeB)
}

func leadingDigits(text string) string {
	end := 0
	for end < len(text) && text[end] >= '0' && text[end] <= '9' {
		end++
	}
	return text[:end]
}

// pods are the candidates given to Resolve.
type pods struct {
	pods    []map[string]any
	between []map[string]any
}

// ResolveOption changes one call of Resolve.
type ResolveOption func(*resolveOptions)

type resolveOptions struct {
	given *pods
}

// WithPods gives the pods of the workload, in JSON form, and where they are
// known the objects between root and pods (Jobs, ReplicaSets), through which
// owner references are followed. Every pod ends up in an instance, in
// Unattributed or in Ambiguous; a pod whose owners are all at hand and lead to
// another root is left out.
func WithPods(candidates []map[string]any, between ...map[string]any) ResolveOption {
	return func(o *resolveOptions) { o.given = &pods{pods: candidates, between: between} }
}
