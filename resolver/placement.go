package resolver

import (
	"slices"
	"sort"
	"strings"

	"github.com/workloadmap/wm/api/v1alpha1"
)

// placement says where the pods of a workload belong.
type placement struct {
	// byInstance holds the pods of each instance of each component.
	byInstance map[*component][][]*podInput
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
func (e *evaluation) place(r *Resolver, rootObject map[string]any, given *pods) (*placement, error) {
	p := &placement{byInstance: map[*component][][]*podInput{}, unattributed: []string{}, ambiguous: []string{}}
	for _, c := range r.components {
		if !c.logical() {
			p.byInstance[c] = make([][]*podInput, len(e.presence[c].in.ids))
		}
	}
	root := r.components[0]
	itself := r.root.Group == "" && r.root.Kind == "Pod" && !root.logical()
	owners := newOwnership(rootObject, given.between)
	for _, value := range given.pods {
		if owners.foreign(value) {
			continue
		}
		pod, err := newPodInput(value)
		if err != nil {
			return nil, err
		}
		if itself && uidOf(value) == uidOf(rootObject) {
			p.seat(root, 0, pod)
			continue
		}
		e.seatPod(p, r, owners, pod)
	}
	sort.Strings(p.unattributed)
	sort.Strings(p.ambiguous)
	return p, nil
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
		if at, ok := e.claim(r, c, owners, pod); ok {
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
// pods, else those below an object of its own kind.
func (e *evaluation) claim(r *Resolver, c *component, owners *ownership, pod *podInput) (instance int, ok bool) {
	presence := e.presence[c]
	if presence.absent {
		return 0, false
	}
	s := &c.selectors
	switch {
	case s.typed():
		if !e.matchesType(s, pod) {
			return 0, false
		}
	case s.instance == nil && !r.sole(c) && !owners.below(pod.value, c.kind):
		return 0, false
	}
	if !presence.in.repeated {
		return 0, true
	}
	if s.instance == nil {
		return 0, len(presence.in.ids) == 1
	}
	id, ok := e.podKey(s.instance, pod)
	if !ok {
		return 0, false
	}
	at, known := presence.index[id]
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
	return len(a) - len(b)
}

func leadingDigits(text string) string {
	end := 0
	for end < len(text) && text[end] >= '0' && text[end] <= '9' {
		end++
	}
	return text[:end]
}

// ownership follows owner references through the objects at hand.
type ownership struct {
	root  string
	known map[string]map[string]any
}

func newOwnership(root map[string]any, between []map[string]any) *ownership {
	o := &ownership{root: uidOf(root), known: map[string]map[string]any{}}
	for _, held := range append([]map[string]any{root}, between...) {
		if uid := uidOf(held); uid != "" {
			o.known[uid] = held
		}
	}
	return o
}

// climb calls visit for the owners of an object from the nearest upwards,
// controllers first, until visit returns false. complete is false when an
// owner is not among the objects at hand.
func (o *ownership) climb(start map[string]any, visit func(map[string]any) bool) (complete bool) {
	seen := map[string]bool{}
	for at := start; ; {
		references := list(child(at, "metadata")["ownerReferences"])
		var next map[string]any
		for _, entry := range references {
			reference := object(entry)
			if owner, ok := o.known[text(reference["uid"])]; ok && (next == nil || reference["controller"] == true) {
				next = owner
			}
		}
		if next == nil {
			return len(references) == 0
		}
		uid := uidOf(next)
		if seen[uid] || !visit(next) {
			return true
		}
		seen[uid] = true
		at = next
	}
}

// foreign reports whether a pod provably belongs to another root: its owners
// are all at hand and do not lead here.
func (o *ownership) foreign(pod map[string]any) bool {
	if o.root == "" || len(list(child(pod, "metadata")["ownerReferences"])) == 0 {
		return false
	}
	reached := false
	complete := o.climb(pod, func(owner map[string]any) bool {
		reached = uidOf(owner) == o.root
		return !reached
	})
	return complete && !reached
}

// below reports whether an object of a kind is among a pod's owners. The root's
// own kind and Pod say nothing about the role.
func (o *ownership) below(pod map[string]any, kind *v1alpha1.GroupVersionKind) bool {
	if kind == nil || kind.Group == "" && kind.Kind == "Pod" {
		return false
	}
	found := false
	o.climb(pod, func(owner map[string]any) bool {
		held := kindOf(newWorkload(owner))
		found = uidOf(owner) != o.root && held.Kind == kind.Kind && held.Group == kind.Group
		return !found
	})
	return found
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
