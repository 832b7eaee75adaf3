package cluster

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/workloadmap/wm/api/v1alpha1"
)

// Verbs that wm uses on the kinds of workloads, and on those between a workload and its pods.
var (
	rootVerbs  = []string{"get", "list", "watch"}
	writeVerbs = []string{"patch"}
	childVerbs = []string{"get"}
)

// Role is the least ClusterRole for reading workloads with some definitions: of
// workloads, pods and events everything that can be read, of the kinds between
// a workload and its pods single objects, and the cluster's own definitions. With write it may also patch
// workloads. The resources follow from the kinds by Kubernetes' rule for
// plurals, which every framework of the catalog keeps to.
func Role(name string, definitions []*v1alpha1.WorkloadMap, write bool) *rbacv1.ClusterRole {
	grants := map[schema.GroupResource][]string{}
	grant := func(kind v1alpha1.GroupVersionKind, verbs []string) {
		if kind.Kind == "" {
			return
		}
		at := Plural(kind)
		grants[at] = append(grants[at], verbs...)
	}
	grant(v1alpha1.GroupVersionKind{Version: "v1", Kind: "Pod"}, rootVerbs)
	grant(v1alpha1.GroupVersionKind{Version: "v1", Kind: "Event"}, []string{"list"})
	for _, dialect := range heldDialects() {
		group, version, _ := strings.Cut(dialect.APIVersion, "/")
		grant(v1alpha1.GroupVersionKind{Group: group, Version: version, Kind: dialect.Kind}, []string{"list"})
	}
	for _, definition := range definitions {
		structure := definition.Spec.StructureDefinition
		if root := structure.RootComponent.Kind; root != nil {
			grant(*root, rootVerbs)
			if write {
				grant(*root, writeVerbs)
			}
		}
		for _, component := range structure.ChildComponents {
			if component.Kind != nil {
				grant(*component.Kind, childVerbs)
			}
		}
		for _, kind := range structure.AdditionalChildKinds {
			grant(kind, childVerbs)
		}
	}
	return &rbacv1.ClusterRole{
		TypeMeta:   metav1.TypeMeta{APIVersion: rbacv1.SchemeGroupVersion.String(), Kind: "ClusterRole"},
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Rules:      rules(grants),
	}
}

// Plural is the resource of a kind by Kubernetes' rule.
func Plural(kind v1alpha1.GroupVersionKind) schema.GroupResource {
	plural, _ := meta.UnsafeGuessKindToResource(schema.GroupVersionKind{Group: kind.Group, Version: kind.Version, Kind: kind.Kind})
	return plural.GroupResource()
}

// rules joins the resources of one group that have the same verbs.
func rules(grants map[schema.GroupResource][]string) []rbacv1.PolicyRule {
	joined := map[string]*rbacv1.PolicyRule{}
	for _, at := range slices.SortedFunc(maps.Keys(grants), func(a, b schema.GroupResource) int {
		return cmp.Or(cmp.Compare(a.Group, b.Group), cmp.Compare(a.Resource, b.Resource))
	}) {
		verbs := grants[at]
		slices.Sort(verbs)
		verbs = slices.Compact(verbs)
		key := at.Group + " " + strings.Join(verbs, ",")
		if joined[key] == nil {
			joined[key] = &rbacv1.PolicyRule{APIGroups: []string{at.Group}, Verbs: verbs}
		}
		joined[key].Resources = append(joined[key].Resources, at.Resource)
	}
	var all []rbacv1.PolicyRule
	for _, key := range slices.Sorted(maps.Keys(joined)) {
		all = append(all, *joined[key])
	}
	return all
}
