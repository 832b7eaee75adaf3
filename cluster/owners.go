package cluster

import (
	"context"
	"fmt"
	"slices"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// ownerReader reads the objects between workloads and their pods.
type ownerReader interface {
	Metadata(ctx context.Context, r Resource, namespace, name string) (*metav1.PartialObjectMetadata, error)
	MetadataList(ctx context.Context, r Resource, namespace string, maxPages int) (all []metav1.PartialObjectMetadata, complete bool, err error)
}

// listWorth is how many owners of one kind have to be read before a list of the
// kind is the cheaper question. A list may take one page for this many owners,
// so that it never costs more requests than reading each by itself.
const listWorth = 20

// maxDepth bounds how far owner references are followed; the longest known
// chain has seven objects.
const maxDepth = 16

// owners is the ownership graph, as far as it is known.
type owners struct {
	reader ownerReader
	served *Resources
	known  map[string]*node
	// missing are the UIDs of owners that are gone, or cannot be read.
	missing map[string]error
	// denied holds the kinds that may not be read, so that they are not asked for again.
	denied map[place]error
	// failed holds the kinds whose list could not be read: reading their objects
	// one by one would fail as often as there are owners.
	failed map[schema.GroupKind]error
	// last reports whether nothing above a reference matters.
	last func(reference) bool
	// matters reports whether objects of a kind can stand between a workload
	// that was asked for and its pods.
	matters func(schema.GroupKind) bool
}

// place is a kind in a namespace.
type place struct {
	kind      schema.GroupKind
	namespace string
}

func newOwners(reader ownerReader, served *Resources, last func(reference) bool, matters func(schema.GroupKind) bool) *owners {
	return &owners{
		reader: reader, served: served, last: last, matters: matters,
		known: map[string]*node{}, missing: map[string]error{}, denied: map[place]error{}, failed: map[schema.GroupKind]error{},
	}
}

func (o *owners) add(n *node) {
	if n.uid != "" {
		o.known[n.uid] = n
	}
}

// end says how climbing ended.
type end int

const (
	// endTop means that nothing owns the last object.
	endTop end = iota
	// endLast means that what is above the last object does not matter.
	endLast
	// endBroken means that the owner of the last object is gone or cannot be read.
	endBroken
	// endUnread means that the owner of the last object has not been read yet.
	endUnread
)

// climb visits an object and its owners upwards until visit returns false.
func (o *owners) climb(from *node, visit func(*node) bool) (how end, at *node, next reference) {
	at = from
	for range maxDepth {
		if !visit(at) {
			return endLast, at, reference{}
		}
		up, owned := at.owner(o.known)
		if !owned {
			return endTop, at, reference{}
		}
		owner := o.known[up.uid]
		switch {
		case owner != nil:
			at = owner
		case isNode(up):
			return endTop, at, reference{}
		case o.last(up):
			return endLast, at, up
		case o.missing[up.uid] != nil:
			return endBroken, at, up
		default:
			return endUnread, at, up
		}
	}
	return endTop, at, reference{}
}

// isNode reports whether an owner is a node: it owns the pods that a kubelet
// runs from files, and nothing owns a node.
func isNode(r reference) bool { return r.apiVersion == "v1" && r.kind == "Node" }

// wanted is one owner that has to be read.
type wanted struct {
	reference
	resource  Resource
	namespace string // of the object that refers to it
}

// complete reads the owners that are missing above some objects, round by
// round, until every chain ends. Each owner is read at most once.
func (o *owners) complete(ctx context.Context, from []*node) {
	for range maxDepth {
		round := o.unread(from)
		if len(round) == 0 || ctx.Err() != nil {
			return
		}
		o.fetch(ctx, round)
	}
}

// unread lists the distinct owners at which chains stop.
func (o *owners) unread(from []*node) []wanted {
	var round []wanted
	seen := map[string]bool{}
	for _, start := range from {
		how, at, next := o.climb(start, func(*node) bool { return true })
		if how != endUnread || seen[next.uid] {
			continue
		}
		seen[next.uid] = true
		kind := next.groupKind()
		if err := o.failed[kind]; err != nil {
			o.missing[next.uid] = err
			continue
		}
		versions := o.served.kind(kind.Group, kind.Kind)
		if len(versions) == 0 {
			o.missing[next.uid] = &Fault{What: fmt.Sprintf("read %s %s", kind, next.name), Reason: NotFound, Text: "the cluster does not serve its kind"}
			continue
		}
		if err := o.denied[place{kind, at.namespace}]; err != nil {
			o.missing[next.uid] = err
			continue
		}
		round = append(round, wanted{next, versions[0], at.namespace})
	}
	return round
}

// fetch reads one round of owners: kinds of which many are wanted as a list, the rest one by one.
func (o *owners) fetch(ctx context.Context, round []wanted) {
	var kinds []place
	byKind := map[place][]wanted{}
	for _, w := range round {
		at := place{w.groupKind(), w.namespace}
		if byKind[at] == nil {
			kinds = append(kinds, at)
		}
		byKind[at] = append(byKind[at], w)
	}
	var mutex sync.Mutex
	var group sync.WaitGroup
	for _, at := range kinds {
		group.Go(func() {
			rest := byKind[at]
			if len(rest) >= listWorth {
				rest = o.fetchList(ctx, &mutex, at, rest)
			}
			o.fetchEach(ctx, &mutex, at, rest)
		})
	}
	group.Wait()
}

// fetchList reads a kind as a list and returns the owners that were not in it.
// Whoever may read single objects may not always list them, so a list that
// fails is no fault.
func (o *owners) fetchList(ctx context.Context, mutex *sync.Mutex, at place, round []wanted) []wanted {
	resource := round[0].resource
	items, whole, _ := o.reader.MetadataList(ctx, resource, at.namespace, len(round)/listWorth)
	mutex.Lock()
	defer mutex.Unlock()
	for i := range items {
		found := nodeOfMeta(resource.apiVersion(), resource.Kind, &items[i].ObjectMeta)
		o.add(&found)
	}
	var rest []wanted
	for _, w := range round {
		switch {
		case o.known[w.uid] != nil:
		case whole:
			o.missing[w.uid] = gone(w)
		default:
			rest = append(rest, w)
		}
	}
	return rest
}

// fetchEach reads owners one by one. The first that may not be read stands for
// all of its kind in the namespace.
func (o *owners) fetchEach(ctx context.Context, mutex *sync.Mutex, at place, round []wanted) {
	if len(round) == 0 {
		return
	}
	o.fetchOne(ctx, mutex, round[0])
	mutex.Lock()
	refused := o.missing[round[0].uid]
	if ReasonOf(refused) == Forbidden {
		o.denied[at] = refused
		for _, w := range round[1:] {
			o.missing[w.uid] = refused
		}
		mutex.Unlock()
		return
	}
	mutex.Unlock()
	var group sync.WaitGroup
	for chunk := range slices.Chunk(round[1:], max(1, len(round)/parallelRequests)) {
		group.Go(func() {
			for _, w := range chunk {
				o.fetchOne(ctx, mutex, w)
			}
		})
	}
	group.Wait()
}

func (o *owners) fetchOne(ctx context.Context, mutex *sync.Mutex, w wanted) {
	found, err := o.reader.Metadata(ctx, w.resource, w.namespace, w.name)
	mutex.Lock()
	defer mutex.Unlock()
	switch {
	case err != nil:
		o.missing[w.uid] = err
	case string(found.UID) != w.uid:
		// Another object has taken the name since.
		o.missing[w.uid] = gone(w)
	default:
		n := nodeOfMeta(w.resource.apiVersion(), w.resource.Kind, &found.ObjectMeta)
		o.add(&n)
	}
}

func gone(w wanted) error {
	return &Fault{What: "read " + w.resource.String() + " " + w.name + whereIs(w.resource, w.namespace), Reason: NotFound, Text: "it is gone"}
}

// faults are the owners that could not be read, other than those that are
// gone, each once. Lists that failed are named by whoever asked for them, and
// other workloads' owners that may not be read are no affair of this reading.
func (o *owners) faults() []error {
	var texts []string
	byText := map[string]error{}
	for _, err := range o.missing {
		if ReasonOf(err) == NotFound || o.listed(err) || o.aside(err) {
			continue
		}
		if byText[err.Error()] == nil {
			texts = append(texts, err.Error())
		}
		byText[err.Error()] = err
	}
	slices.Sort(texts)
	faults := make([]error, len(texts))
	for i, text := range texts {
		faults[i] = byText[text]
	}
	return faults
}

// listed reports whether an owner is missing because the list of its kind failed.
func (o *owners) listed(err error) bool {
	for _, failed := range o.failed {
		if failed == err {
			return true
		}
	}
	return false
}

// aside reports whether an owner is missing because a kind was refused that does
// not matter.
func (o *owners) aside(err error) bool {
	for at, refused := range o.denied {
		if refused == err {
			return !o.matters(at.kind)
		}
	}
	return false
}
