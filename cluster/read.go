package cluster

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"

	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/workloadmap/wm/catalog"
	"github.com/workloadmap/wm/resolver"
)

// Query says which workloads to read.
type Query struct {
	// Types are the kinds of workload.
	Types []Type
	// Names are the objects of the only type; none means all.
	Names []string
	// Namespace is "" for all namespaces.
	Namespace string
	// Labels and Fields are selectors on the workload objects, as kubectl takes
	// them. Fields cannot be combined with Roots.
	Labels, Fields string
	// Roots leaves out objects that another object of the types owns, so that
	// each pod counts once.
	Roots bool
	// KeepPods also gives the pods of each workload.
	KeepPods bool
}

// Found is one workload of a cluster.
type Found struct {
	Type   Type
	Object map[string]any
	// Workload is the view of the object, with its pods unless these could not be read.
	Workload *resolver.Workload
	// Pods and Between are the workload's pods and the objects between it and
	// them, in JSON form; nil unless the Query keeps them. Pods hold what decides
	// their state, role and requests, see KeptOfPods; of the objects between only
	// the metadata that tells who owns them.
	Pods, Between []map[string]any
}

// Result is what could be read.
type Result struct {
	// Found is sorted by namespace, kind and name.
	Found []Found
	// Faults name what could not be read. Missing are named objects that are not there.
	Faults, Missing []error
	// Answered counts the lists and objects that the server gave: with none and a
	// fault, nothing at all could be read.
	Answered int
}

// Read reads workloads with their pods. It never fails as a whole.
func (c *Client) Read(ctx context.Context, query Query) *Result {
	served, err := c.Resources(ctx)
	if err != nil {
		return &Result{Faults: []error{err}}
	}
	r := &reading{client: c, query: query, podsIn: map[string]bool{}}
	if query.Labels != "" && query.Roots {
		// An owner that the selector leaves out still owns: all are read, and chosen from afterwards.
		if r.chosen, err = labels.Parse(query.Labels); err != nil {
			return &Result{Faults: []error{fmt.Errorf("read the label selector: %w", err)}}
		}
	}
	r.owners = newOwners(c, served, r.aside, r.matters)
	r.read(ctx)
	r.result.Faults = append(r.result.Faults, r.owners.faults()...)
	slices.SortStableFunc(r.result.Found, func(a, b Found) int {
		return cmp.Or(cmp.Compare(a.Workload.Namespace, b.Workload.Namespace),
			cmp.Compare(a.Type.Resource.String(), b.Type.Resource.String()), cmp.Compare(a.Workload.Name, b.Workload.Name))
	})
	return &r.result
}

// reading is the state of one Read.
type reading struct {
	client *Client
	query  Query
	chosen labels.Selector // nil chooses all
	owners *owners

	mutex   sync.Mutex
	targets []*target
	byUID   map[string]*target
	pods    []*pod
	// podsIn tells the namespaces whose pods are known, "" standing for all.
	podsIn map[string]bool
	result Result
}

// target is one object of the types asked for.
type target struct {
	node
	kind    Type
	object  map[string]any
	pods    []*pod
	between []*node
	held    map[string]bool // UIDs of between
}

func (r *reading) read(ctx context.Context) {
	if r.query.Roots {
		var group sync.WaitGroup
		group.Go(func() { r.readPods(ctx, []string{r.query.Namespace}) })
		group.Go(func() { r.readTargets(ctx) })
		group.Wait()
	} else {
		r.readTargets(ctx)
		if len(r.targets) == 0 {
			return
		}
		if !r.query.Types[0].isPod() {
			r.readPods(ctx, r.namespaces())
		}
	}
	r.index()
	r.join(ctx)
	// What is not needed any more is let go before views are made: of many pods it is most of the memory.
	r.pods, r.owners.known, r.byUID = nil, nil, nil
	r.resolve(ctx)
}

// note keeps what went wrong, and counts what was answered.
func (r *reading) note(err error, partly bool) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if err == nil || partly {
		r.result.Answered++
	}
	if err != nil {
		r.result.Faults = append(r.result.Faults, err)
	}
}

func (r *reading) readTargets(ctx context.Context) {
	if len(r.query.Names) > 0 {
		for _, name := range r.query.Names {
			object, err := r.client.Get(ctx, r.query.Types[0].Resource, r.query.Namespace, name)
			if isNotFound(err) {
				r.result.Missing = append(r.result.Missing, err)
				continue
			}
			r.note(err, false)
			if err == nil {
				r.targets = append(r.targets, newTarget(r.query.Types[0], object))
			}
		}
		return
	}
	lists := make([][]*target, len(r.query.Types))
	var keep func(map[string]any)
	if r.query.Roots {
		keep = r.cutOwned
	}
	var group sync.WaitGroup
	for i, kind := range r.query.Types {
		if r.query.Roots && kind.isPod() {
			continue
		}
		group.Go(func() {
			selection := Selection{Namespace: r.query.Namespace, Labels: r.query.Labels, Fields: r.query.Fields}
			if r.query.Roots {
				selection.Labels = ""
			}
			objects, err := r.client.objects(ctx, kind.Resource, selection, keep)
			r.note(err, len(objects) > 0)
			if err != nil {
				r.mutex.Lock()
				r.owners.failed[schema.GroupKind{Group: kind.Group, Kind: kind.Kind}] = err
				r.mutex.Unlock()
			}
			for _, object := range objects {
				lists[i] = append(lists[i], newTarget(kind, object))
			}
		})
	}
	group.Wait()
	r.targets = slices.Concat(lists...)
}

// cutOwned keeps of an object its metadata alone when an object of the types
// owns it: it is no root then, and of a large cluster most objects are none.
func (r *reading) cutOwned(object map[string]any) {
	n := nodeOf(object)
	for _, owner := range n.owners {
		kind := owner.groupKind()
		if !owner.controller || !slices.ContainsFunc(r.query.Types, func(t Type) bool { return t.Group == kind.Group && t.Kind == kind.Kind }) {
			continue
		}
		delete(object, "spec")
		delete(object, "status")
		object[cutMark] = true
		return
	}
}

// cutMark is a field of objects that have only their metadata, which no object
// of a server has.
const cutMark = "\x00cut"

func newTarget(kind Type, object map[string]any) *target {
	return &target{node: nodeOf(object), kind: kind, object: object}
}

// manyNamespaces is when one list over all namespaces is kinder to the server
// than one for each.
const manyNamespaces = 10

// namespaces are those in which the targets can have pods.
func (r *reading) namespaces() []string {
	var all []string
	for _, t := range r.targets {
		if t.namespace == "" {
			return []string{""}
		}
		all = append(all, t.namespace)
	}
	slices.Sort(all)
	all = slices.Compact(all)
	if len(all) > manyNamespaces {
		return []string{""}
	}
	return all
}

func (r *reading) readPods(ctx context.Context, namespaces []string) {
	whole := r.needsWhole()
	lists := make([][]*pod, len(namespaces))
	var group sync.WaitGroup
	for i, namespace := range namespaces {
		group.Go(func() {
			pods, err := r.client.pods(ctx, Selection{Namespace: namespace}, whole)
			r.note(err, false)
			if err != nil {
				// Some of the pods would give counts that look right and are not.
				r.mutex.Lock()
				r.owners.failed[schema.GroupKind{Kind: "Pod"}] = err
				r.mutex.Unlock()
				return
			}
			lists[i] = pods
			r.mutex.Lock()
			r.podsIn[namespace] = true
			r.mutex.Unlock()
		})
	}
	group.Wait()
	r.pods = slices.Concat(lists...)
}

// needsWhole reports whether a definition looks at more of a pod than is kept
// of many.
func (r *reading) needsWhole() bool {
	for _, kind := range r.query.Types {
		if kind.isPod() && kind.Resolver.Definition().Origin != catalog.Origin {
			return true
		}
		if enough, err := kind.Resolver.ReadsOfPods(KeptOfPods()...); err != nil || !enough {
			return true
		}
	}
	return false
}

// podsKnown reports whether the pods of a namespace have been read.
func (r *reading) podsKnown(namespace string) bool { return r.podsIn[""] || r.podsIn[namespace] }

// index puts what was read into the ownership graph.
func (r *reading) index() {
	r.byUID = make(map[string]*target, len(r.targets))
	for _, t := range r.targets {
		r.owners.add(&t.node)
		r.byUID[t.uid] = t
	}
	for _, p := range r.pods {
		r.owners.add(&p.node)
	}
}

// aside reports whether a reference leads to an object of the type asked for
// that is not among those asked for: its pods are not wanted.
func (r *reading) aside(up reference) bool {
	if r.query.Roots {
		return false
	}
	kind := up.groupKind()
	return kind.Group == r.query.Types[0].Group && kind.Kind == r.query.Types[0].Kind
}

// matters reports whether a kind can stand between a workload that was asked for
// and its pods: all can when the roots are looked for.
func (r *reading) matters(kind schema.GroupKind) bool {
	return r.query.Roots || slices.ContainsFunc(r.query.Types, func(t Type) bool { return t.Resolver.Names(kind.Group, kind.Kind) })
}

// resolve makes the view of each target on all processors.
func (r *reading) resolve(ctx context.Context) {
	found := make([]*Found, len(r.targets))
	inParallel(len(r.targets), func(i int) {
		t := r.targets[i]
		view, err := r.view(ctx, t)
		r.targets[i] = nil
		if err != nil {
			r.note(fmt.Errorf("read %s %s%s: %w", t.kind.Resource, t.name, whereIs(t.kind.Resource, t.namespace), err), false)
			return
		}
		found[i] = view
	})
	for _, view := range found {
		if view != nil {
			r.result.Found = append(r.result.Found, *view)
		}
	}
}

func (r *reading) view(ctx context.Context, t *target) (*Found, error) {
	if t.object[cutMark] != nil {
		// Its owner has gone between the two lists.
		whole, err := r.client.Get(ctx, t.kind.Resource, t.namespace, t.name)
		if err != nil {
			return nil, err
		}
		t.object = whole
	}
	found := &Found{Type: t.kind, Object: t.object}
	pods := make([]map[string]any, len(t.pods))
	for i, p := range t.pods {
		pods[i] = p.value()
	}
	between := make([]map[string]any, len(t.between))
	for i, n := range t.between {
		between[i] = n.value()
	}
	var options []resolver.ResolveOption
	if r.podsKnown(t.namespace) {
		options = append(options, resolver.WithPods(pods, between...))
	}
	if r.query.KeepPods {
		found.Pods, found.Between = pods, between
	}
	var err error
	found.Workload, err = t.kind.Resolver.Resolve(ctx, t.object, options...)
	return found, err
}
