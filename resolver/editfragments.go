package resolver

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
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
	switch {
	case err != nil:
	case len(path) == 0:
		err = fmt.Errorf("%s stands for the whole object", x.program)
	case changed == nil:
		removeAt(r.object, path)
	default:
		err = setAt(r.object, path, changed)
	}
	if err != nil {
		r.refuse(r.at, field, "%v", err)
	}
}

// replace puts a value in the place of another; null removes it.
func (r *fragmentRoute) replace(field string, x *expression, value any) {
	r.write(field, x, func(any) (any, error) { return value, nil })
}

// merge adds the entries of an object; null removes one, or all.
func (r *fragmentRoute) merge(field string, x *expression, value any) {
	r.write(field, x, func(held any) (any, error) {
		if value == nil {
			return nil, nil
		}
		merged := map[string]any{}
		mergeInto(merged, object(held))
		return merged, mergeFields(merged, object(value))
	})
}

// mergeFields merges objects; null removes a field.
func mergeFields(into, more map[string]any) error {
	for key, value := range more {
		held, isObject := into[key].(map[string]any)
		added, addsObject := value.(map[string]any)
		switch {
		case strings.HasPrefix(key, "$"):
			return fmt.Errorf("the directive %s is only possible where the object holds a whole pod template", key)
		case value == nil:
			delete(into, key)
		case isObject && addsObject:
			if err := mergeFields(held, added); err != nil {
				return err
			}
		default:
			into[key] = runtime.DeepCopyJSONValue(value)
		}
	}
	return nil
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
	patch = runtime.DeepCopyJSON(patch)
	if f.containers == nil && f.container == nil {
		r.mainContainer(f, patch)
		return
	}
	name := text(patch["name"])
	listed := containerNames(map[string]any{"containers": r.held(f.containers)})
	names := append(slices.Clone(listed), containerNames(map[string]any{"containers": r.held(f.container)})...)
	switch {
	case name == "" && len(names) == 1:
		name = names[0]
	case name == "":
		r.refuse(r.at, "containers", "the role has %s (%s): name one", count(len(names), "container"), strings.Join(names, ", "))
		return
	case !slices.Contains(names, name):
		r.refuse(r.at, "containers", "the role has no container %q, only %s", name, strings.Join(names, ", "))
		return
	}
	if slices.Contains(listed, name) {
		patch["name"] = name
		r.inSpec("containers", f.containers, "containers", []any{patch})
		return
	}
	// A single container needs no name, and gets none.
	delete(patch, "name")
	r.write("containers", f.container, func(held any) (any, error) {
		merged, err := strategicpatch.StrategicMergeMapPatch(object(held), patch, corev1.Container{})
		return map[string]any(merged), err
	})
}

// mainContainer writes what a definition knows of a container without having it.
func (r *fragmentRoute) mainContainer(f *fragments, patch map[string]any) {
	for _, field := range slices.Sorted(maps.Keys(patch)) {
		switch field {
		case "name":
			if text(patch[field]) != "" {
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
