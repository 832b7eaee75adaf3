package cluster

import (
	"context"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// join gives each pod to the target that it belongs to.
func (r *reading) join(ctx context.Context) {
	starts := make([]*node, 0, len(r.pods)+len(r.targets))
	for _, p := range r.pods {
		starts = append(starts, &p.node)
	}
	if r.query.Roots {
		for _, t := range r.targets {
			starts = append(starts, &t.node)
		}
	}
	r.owners.complete(ctx, starts)
	if r.query.Roots {
		r.joinRoots(ctx)
	} else {
		r.joinNearest()
	}
}

// joinNearest gives each pod to the first of its owners that was asked for.
func (r *reading) joinNearest() {
	named := r.byNameLabel()
	for _, p := range r.pods {
		var path []*node
		var owner *target
		how, _, _ := r.owners.climb(&p.node, func(n *node) bool {
			owner = r.byUID[n.uid]
			path = append(path, n)
			return owner == nil
		})
		if owner == nil && (how == endBroken || len(p.owners) == 0) {
			owner = named.find(p)
		}
		if owner != nil {
			owner.take(p, path)
		}
	}
}

// joinRoots keeps the targets that no other target owns, and gives each pod to
// the one it hangs on. A pod that hangs on none is a workload of its own.
func (r *reading) joinRoots(ctx context.Context) {
	r.readAppeared(ctx)
	named := r.byNameLabel()
	roots := slices.DeleteFunc(slices.Clone(r.targets), func(t *target) bool {
		_, top, _ := r.top(&t.node)
		return top != &t.node
	})
	alone := map[string]*target{}
	var below []*pod
	for _, p := range r.pods {
		path, top, how := r.top(&p.node)
		owner := r.byUID[top.uid]
		if owner == nil && (how == endBroken || len(p.owners) == 0) {
			if owner = named.find(p); owner != nil {
				_, top, _ = r.top(&owner.node)
				owner = r.byUID[top.uid]
			}
		}
		switch {
		case owner != nil:
			owner.take(p, path)
		case top == &p.node:
			alone[p.uid] = &target{node: p.node, object: p.value(), pods: []*pod{p}}
		default:
			below = append(below, p)
		}
	}
	for _, p := range below {
		path, top, _ := r.top(&p.node)
		if owner := alone[top.uid]; owner != nil {
			owner.take(p, path)
		}
	}
	r.targets = slices.DeleteFunc(append(roots, r.podRoots(alone)...), func(t *target) bool {
		return r.chosen != nil && !r.chosen.Matches(labelsOf(t.object))
	})
}

// podRoots are the pods that are workloads of their own, if a definition reads pods.
func (r *reading) podRoots(alone map[string]*target) []*target {
	at := slices.IndexFunc(r.query.Types, Type.isPod)
	if at < 0 {
		return nil
	}
	var roots []*target
	for _, t := range alone {
		t.kind = r.query.Types[at]
		roots = append(roots, t)
	}
	return roots
}

// top is the highest object above an object that is a target or a pod; it may
// be the object itself, nil when there is none.
func (r *reading) top(from *node) (path []*node, top *node, how end) {
	how, _, _ = r.owners.climb(from, func(n *node) bool {
		if r.byUID[n.uid] != nil || n.isPod() {
			top = n
		}
		path = append(path, n)
		return true
	})
	return path, top, how
}

// readAppeared reads owners of the covered kinds that came into being after
// their kind was listed and before the pods were, or that a broken list left out.
func (r *reading) readAppeared(ctx context.Context) {
	kinds := map[schema.GroupKind]Type{}
	for _, kind := range r.query.Types {
		kinds[schema.GroupKind{Group: kind.Group, Kind: kind.Kind}] = kind
	}
	var appeared []*node
	seen := map[string]bool{}
	visit := func(n *node) bool {
		if _, covered := kinds[n.groupKind()]; covered && !n.isPod() && r.byUID[n.uid] == nil && !seen[n.uid] {
			seen[n.uid] = true
			appeared = append(appeared, n)
		}
		return true
	}
	for _, p := range r.pods {
		r.owners.climb(&p.node, visit)
	}
	for _, t := range r.targets {
		r.owners.climb(&t.node, visit)
	}
	failed := map[schema.GroupKind]bool{}
	for _, n := range appeared {
		kind := kinds[n.groupKind()]
		if failed[n.groupKind()] {
			continue
		}
		object, err := r.client.Get(ctx, kind.Resource, n.namespace, n.name)
		switch {
		case isNotFound(err):
		case err != nil:
			failed[n.groupKind()] = true
			r.note(err, false)
		default:
			t := newTarget(kind, object)
			r.targets = append(r.targets, t)
			r.byUID[t.uid] = t
			r.owners.add(&t.node)
		}
	}
}

// take gives a pod to a target, with the objects on the way to it.
func (t *target) take(p *pod, path []*node) {
	t.pods = append(t.pods, p)
	for _, n := range path {
		if n == &p.node || n.uid == t.uid || t.held[n.uid] {
			continue
		}
		if t.held == nil {
			t.held = map[string]bool{}
		}
		t.held[n.uid] = true
		t.between = append(t.between, n)
	}
}

// nameLabels finds targets by a label of their pods whose value is their name.
type nameLabels struct {
	keys    []string
	targets map[nameLabel]*target
}

type nameLabel struct{ namespace, key, name string }

// byNameLabel is for pods whose owner references do not lead to a workload. A
// label that stands for two targets says nothing.
func (r *reading) byNameLabel() nameLabels {
	named := nameLabels{targets: map[nameLabel]*target{}}
	keysOf := map[schema.GroupKind][]string{}
	twice := map[nameLabel]bool{}
	for _, t := range r.targets {
		kind := t.groupKind()
		if _, done := keysOf[kind]; !done {
			keysOf[kind] = t.kind.Resolver.NameLabels()
			named.keys = append(named.keys, keysOf[kind]...)
		}
		for _, key := range keysOf[kind] {
			label := nameLabel{t.namespace, key, t.name}
			twice[label] = named.targets[label] != nil
			named.targets[label] = t
		}
	}
	for label, isTwice := range twice {
		if isTwice {
			delete(named.targets, label)
		}
	}
	slices.Sort(named.keys)
	named.keys = slices.Compact(named.keys)
	return named
}

func (l nameLabels) find(p *pod) *target {
	for _, key := range l.keys {
		if value := p.label(key); value != "" {
			if t := l.targets[nameLabel{p.namespace, key, value}]; t != nil {
				return t
			}
		}
	}
	return nil
}

func (p *pod) label(key string) string {
	if p.cut != nil {
		return p.cut.labels[key]
	}
	metadata, _ := p.whole["metadata"].(map[string]any)
	held, _ := metadata["labels"].(map[string]any)
	return text(held[key])
}

// labelsOf are the labels of an object in JSON form.
func labelsOf(object map[string]any) labels.Set {
	metadata, _ := object["metadata"].(map[string]any)
	held, _ := metadata["labels"].(map[string]any)
	set := labels.Set{}
	for key, value := range held {
		set[key] = text(value)
	}
	return set
}

// inParallel calls work for 0 to n-1 on all processors.
func inParallel(n int, work func(int)) {
	var next atomic.Int64
	var group sync.WaitGroup
	for range min(n, runtime.GOMAXPROCS(0)) {
		group.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				work(i)
			}
		})
	}
	group.Wait()
}
