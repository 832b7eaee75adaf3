package resolver

import (
	"fmt"
	"slices"

	"github.com/workloadmap/wm/api/v1alpha1"
	"github.com/workloadmap/wm/jq"
)

// Kinds lists the root kinds that the definitions of the Set read, by group,
// kind and version.
func (s *Set) Kinds() []v1alpha1.GroupVersionKind {
	var kinds []v1alpha1.GroupVersionKind
	for _, slots := range s.byKind {
		for _, slot := range slots {
			kinds = append(kinds, slot.candidate.Kind)
		}
	}
	slices.SortFunc(kinds, func(a, b v1alpha1.GroupVersionKind) int {
		return slices.Compare([]string{a.Group, a.Kind, a.Version}, []string{b.Group, b.Kind, b.Version})
	})
	return kinds
}

// Names reports whether the definition names a kind, of whatever version, as its
// root, as a component or among the other kinds below the root: only these stand
// between a workload and its pods.
func (r *Resolver) Names(group, kind string) bool {
	return r.root.Group == group && r.root.Kind == kind ||
		slices.ContainsFunc(r.children, func(k v1alpha1.GroupVersionKind) bool { return k.Group == group && k.Kind == kind })
}

// ReadsOfPods reports whether the definition looks at nothing of a workload's
// pods but the given places, plain jq paths such as .metadata.labels. Pods cut
// down to them, and to what [Pod] tells, give the same view. It says nothing
// about a workload that is a Pod itself.
func (r *Resolver) ReadsOfPods(within ...string) (bool, error) {
	places := make([]jq.Path, 0, len(within))
	for _, text := range within {
		program, err := jq.Compile(text)
		if err != nil {
			return false, err
		}
		path, plain := program.Path()
		if !plain {
			return false, fmt.Errorf("%s is not a plain path", text)
		}
		places = append(places, path)
	}
	for _, x := range r.podExpressions() {
		if !x.program.ReadsOnly(places...) {
			return false, nil
		}
	}
	return true, nil
}

// NameLabels lists the pod labels by which a gang tells its pods: those whose
// value is the workload's name say which workload a pod belongs to.
func (r *Resolver) NameLabels() []string {
	var labels []string
	for _, c := range r.components {
		for _, member := range c.members {
			for _, key := range member.keys {
				path, plain := key.program.Path()
				if plain && len(path) == 3 && path[0].Field == "metadata" && path[1].Field == "labels" && path[2].Kind == jq.StepField {
					labels = append(labels, path[2].Field)
				}
			}
		}
	}
	slices.Sort(labels)
	return slices.Compact(labels)
}

// podExpressions lists everything that is evaluated on pods.
func (r *Resolver) podExpressions() []*expression {
	var all []*expression
	for _, c := range r.components {
		all = append(all, c.selectors.key, c.selectors.instance, c.selectors.unit)
		for _, member := range c.members {
			all = append(all, member.keys...)
			all = append(all, member.filters...)
		}
	}
	return slices.DeleteFunc(all, func(x *expression) bool { return x == nil })
}
