package resolver

import (
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
)

// editFragments routes each part of the patch to the fragment that holds it. A
// part without a fragment is refused by its place in the pod template.
func (w *editor) editFragments(at writable, shared map[string]writable) {
	f := at.component.pods.fragment
	route := &fragmentRoute{editor: w, at: at, shared: shared}
	metadata := w.patchPart("metadata")
	for _, field := range slices.Sorted(maps.Keys(metadata)) {
		switch field {
		case "labels":
			route.merge("metadata.labels", f.labels, metadata[field])
		case "annotations":
			route.merge("metadata.annotations", f.annotations, metadata[field])
		default:
			route.none("metadata." + field)
		}
	}
	spec := w.patchPart("spec")
	for _, field := range slices.Sorted(maps.Keys(spec)) {
		switch field {
		case "schedulerName":
			route.replace("spec.schedulerName", f.schedulerName, spec[field])
		case "priorityClassName":
			route.replace("spec.priorityClassName", f.priorityClassName, spec[field])
		case "affinity":
			route.affinity(f, object(spec[field]))
		case "resourceClaims":
			route.inSpec("spec.resourceClaims", f.claims, "resourceClaims", list(spec[field]))
		case "containers":
			for _, patch := range list(spec[field]) {
				route.container(f, object(patch))
			}
		default:
			route.none("spec." + field)
		}
	}
	for _, patch := range w.containers {
		route.container(f, patch)
	}
}

// fragmentRoute writes parts of a patch into the fragments of one role instance.
type fragmentRoute struct {
	*editor
	at     writable
	shared map[string]writable
}

func (r *fragmentRoute) none(field string) {
	r.refuse(r.at, field, "the definition has no path for it in this role")
}

// write replaces what is at a fragment by what change makes of it.
func (r *fragmentRoute) write(field string, x *expression, change func(held any) (any, error)) {
	if x == nil {
		r.none(field)
		return
	}
	path, ok := r.owned(x, r.at, field, r.shared)
	if !ok {
		return
	}
	held, _ := valueAt(r.object, path)
	changed, err := change(held)
	if err == nil {
		err = setAt(r.object, path, changed)
	}
	if err != nil {
		r.refuse(r.at, field, "%v", err)
	}
}

func (r *fragmentRoute) replace(field string, x *expression, value any) {
	r.write(field, x, func(any) (any, error) { return value, nil })
}

func (r *fragmentRoute) merge(field string, x *expression, value any) {
	r.write(field, x, func(held any) (any, error) {
		merged := map[string]any{}
		mergeInto(merged, object(held))
		mergeInto(merged, object(value))
		return merged, nil
	})
}

func (r *fragmentRoute) affinity(f *fragments, affinity map[string]any) {
	for _, kind := range slices.Sorted(maps.Keys(affinity)) {
		switch kind {
		case "podAffinity":
			r.merge("spec.affinity.podAffinity", f.podAffinity, affinity[kind])
		case "nodeAffinity":
			r.merge("spec.affinity.nodeAffinity", f.nodeAffinity, affinity[kind])
		default:
			r.none("spec.affinity." + kind)
		}
	}
}

// inSpec merges a list of the pod spec into the fragment that holds the list,
// entries of the same name into each other.
func (r *fragmentRoute) inSpec(field string, x *expression, name string, patch []any) {
	r.write(field, x, func(held any) (any, error) {
		merged, err := strategicpatch.StrategicMergeMapPatch(
			map[string]any{name: list(held)}, map[string]any{name: patch}, corev1.PodSpec{})
		return merged[name], err
	})
}

// container routes the change of one container: to the list of containers, to
// the single one, or, where the definition knows neither, to the image and
// resources of the main container, which has no name there.
func (r *fragmentRoute) container(f *fragments, patch map[string]any) {
	name := text(patch["name"])
	spec := map[string]any{"containers": append(slices.Clone(r.held(f.containers)), r.held(f.container)...)}
	names := containerNames(spec)
	if f.containers != nil || f.container != nil {
		switch {
		case name == "" && len(names) == 1:
			patch = maps.Clone(patch)
			patch["name"] = names[0]
		case !slices.Contains(names, name) || name == "":
			r.refuse(r.at, "containers", "the role has no container %q, only %v", name, names)
			return
		}
		if slices.Contains(containerNames(map[string]any{"containers": r.held(f.containers)}), text(patch["name"])) {
			r.inSpec("containers", f.containers, "containers", []any{patch})
			return
		}
		r.write("containers", f.container, func(held any) (any, error) {
			merged, err := strategicpatch.StrategicMergeMapPatch(object(held), patch, corev1.Container{})
			return merged, err
		})
		return
	}
	for _, field := range slices.Sorted(maps.Keys(patch)) {
		switch field {
		case "name":
			if name != "" {
				r.refuse(r.at, "containers", "the definition knows this role's containers by no name")
			}
		case "image":
			r.replace("image", f.image, patch[field])
		case "resources":
			r.merge("resources", f.resources, patch[field])
		default:
			r.none("containers." + field)
		}
	}
}

// held are the containers at a fragment, none when there is no such fragment.
func (r *fragmentRoute) held(x *expression) []any {
	if x == nil {
		return nil
	}
	path, err := r.locate(x, r.at)
	if err != nil {
		return nil
	}
	value, _ := valueAt(r.object, path)
	if single, ok := value.(map[string]any); ok {
		return []any{single}
	}
	return list(value)
}
