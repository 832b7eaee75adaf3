package cluster

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// node is what is known of one object's place in the ownership graph.
type node struct {
	apiVersion, kind     string
	namespace, name, uid string
	owners               []reference
}

// reference is an owner reference.
type reference struct {
	apiVersion, kind, name, uid string
	controller                  bool
}

func (r reference) groupKind() schema.GroupKind {
	return schema.FromAPIVersionAndKind(r.apiVersion, r.kind).GroupKind()
}

func (n *node) groupKind() schema.GroupKind {
	return schema.FromAPIVersionAndKind(n.apiVersion, n.kind).GroupKind()
}

func (n *node) isPod() bool { return n.kind == "Pod" && n.apiVersion == "v1" }

// owner is the reference to follow upwards: the controller's, else the first to
// an object at hand, else the first.
func (n *node) owner(known map[string]*node) (reference, bool) {
	if len(n.owners) == 0 {
		return reference{}, false
	}
	if at := slices.IndexFunc(n.owners, func(r reference) bool { return r.controller }); at >= 0 {
		return n.owners[at], true
	}
	at := slices.IndexFunc(n.owners, func(r reference) bool { return known[r.uid] != nil })
	return n.owners[max(at, 0)], true
}

// value is what the resolver needs of an object between a workload and its pods.
func (n *node) value() map[string]any {
	metadata := map[string]any{"name": n.name, "uid": n.uid}
	set(metadata, "namespace", n.namespace)
	if len(n.owners) > 0 {
		metadata["ownerReferences"] = n.ownersValue()
	}
	return map[string]any{"apiVersion": n.apiVersion, "kind": n.kind, "metadata": metadata}
}

func (n *node) ownersValue() []any {
	owners := make([]any, len(n.owners))
	for i, owner := range n.owners {
		owners[i] = owner.value()
	}
	return owners
}

func (r reference) value() map[string]any {
	value := map[string]any{"apiVersion": r.apiVersion, "kind": r.kind, "name": r.name, "uid": r.uid}
	if r.controller {
		value["controller"] = true
	}
	return value
}

// nodeOf reads an object in JSON form.
func nodeOf(object map[string]any) node {
	metadata, _ := object["metadata"].(map[string]any)
	n := node{
		apiVersion: text(object["apiVersion"]), kind: text(object["kind"]),
		namespace: text(metadata["namespace"]), name: text(metadata["name"]), uid: text(metadata["uid"]),
	}
	references, _ := metadata["ownerReferences"].([]any)
	for _, entry := range references {
		held, _ := entry.(map[string]any)
		n.owners = append(n.owners, reference{
			apiVersion: text(held["apiVersion"]), kind: text(held["kind"]), name: text(held["name"]), uid: text(held["uid"]),
			controller: held["controller"] == true,
		})
	}
	return n
}

// nodeOfMeta reads typed metadata.
func nodeOfMeta(apiVersion, kind string, metadata *metav1.ObjectMeta) node {
	n := node{
		apiVersion: apiVersion, kind: kind,
		namespace: metadata.Namespace, name: metadata.Name, uid: string(metadata.UID),
	}
	for _, held := range metadata.OwnerReferences {
		n.owners = append(n.owners, reference{
			apiVersion: held.APIVersion, kind: held.Kind, name: held.Name, uid: string(held.UID),
			controller: held.Controller != nil && *held.Controller,
		})
	}
	return n
}

func text(value any) string {
	held, _ := value.(string)
	return held
}
