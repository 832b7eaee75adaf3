package resolver

import (
	"slices"

	"github.com/workloadmap/wm/api/v1alpha1"
)

// ownership follows owner references through the objects at hand.
type ownership struct {
	root     string
	rootKind v1alpha1.GroupVersionKind
	known    map[string]map[string]any
}

func newOwnership(root map[string]any, between []map[string]any) *ownership {
	o := &ownership{root: uidOf(root), rootKind: kindIn(root), known: make(map[string]map[string]any, 1+len(between))}
	for _, held := range between {
		if uid := uidOf(held); uid != "" {
			o.known[uid] = held
		}
	}
	if o.root != "" {
		o.known[o.root] = root
	}
	return o
}

// climb calls visit for the owner references of an object and of its owners,
// from the nearest upwards, until visit returns false. Of several owners it
// follows the controller, and of several others one that is at hand. complete
// is false when an owner is not among the objects at hand.
func (o *ownership) climb(start map[string]any, visit func(reference map[string]any) bool) (complete bool) {
	var seen []string
	for at := start; ; {
		var next map[string]any
		references := list(child(at, "metadata")["ownerReferences"])
		for _, entry := range references {
			reference := object(entry)
			switch {
			case next == nil, reference["controller"] == true:
				next = reference
			case next["controller"] != true && o.known[text(next["uid"])] == nil && o.known[text(reference["uid"])] != nil:
				next = reference
			}
		}
		if next == nil {
			return true
		}
		uid := text(next["uid"])
		if !visit(next) || slices.Contains(seen, uid) {
			return true
		}
		owner := o.known[uid]
		if owner == nil {
			return false
		}
		seen = append(seen, uid)
		at = owner
	}
}

// foreign reports whether a pod provably belongs to another root: its owners
// are all at hand and do not lead here, or lead to another object of the root's
// own kind.
func (o *ownership) foreign(pod map[string]any) bool {
	if o.root == "" || len(list(child(pod, "metadata")["ownerReferences"])) == 0 {
		return false
	}
	reached, sibling := false, false
	complete := o.climb(pod, func(reference map[string]any) bool {
		uid := text(reference["uid"])
		reached = uid == o.root
		sibling = !reached && uid != "" && o.ofKind(reference, o.rootKind)
		return !reached && !sibling
	})
	return sibling || complete && !reached
}

// below reports whether an object of a kind is among a pod's owners. The root's
// own kind and Pod say nothing about the role.
func (o *ownership) below(pod map[string]any, kind *v1alpha1.GroupVersionKind) bool {
	if kind == nil || kind.Group == "" && kind.Kind == "Pod" {
		return false
	}
	found := false
	o.climb(pod, func(reference map[string]any) bool {
		uid := text(reference["uid"])
		found = (uid == "" || uid != o.root) && o.ofKind(reference, *kind)
		return !found
	})
	return found
}

// ofKind compares group and kind; the version says nothing about what an object is.
func (o *ownership) ofKind(reference map[string]any, kind v1alpha1.GroupVersionKind) bool {
	held := kindIn(reference)
	return held.Group == kind.Group && held.Kind == kind.Kind
}
