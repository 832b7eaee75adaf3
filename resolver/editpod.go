package resolver

import (
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
)

// expressions are all places of a role's pods.
func (s *podShape) expressions() []*expression {
	var all []*expression
	add := func(x *expression) {
		if x != nil {
			all = append(all, x)
		}
	}
	add(s.template)
	add(s.spec)
	add(s.metadata)
	if s.fragment != nil {
		for _, x := range s.fragment.all() {
			add(x)
		}
	}
	return all
}

// editPod writes the patch into one role instance. A place that an earlier
// instance shares and that is already written is left as it is.
func (w *editor) editPod(at writable, shared map[string]writable, done map[string]bool) {
	shape := at.component.pods
	switch {
	case shape.template != nil:
		w.patchPlace(shape.template, at, "", shared, done, func(value map[string]any) (map[string]any, bool) {
			return w.patchTemplate(at, value)
		})
	case shape.spec != nil:
		w.editSpecAndMetadata(at, shared, done)
	default:
		w.editFragments(at, shared)
	}
}

func (w *editor) patchPlace(x *expression, at writable, field string, shared map[string]writable, done map[string]bool,
	patch func(map[string]any) (map[string]any, bool)) {
	path, ok := w.owned(x, at, field, shared)
	// Spec and metadata of a pod can lie in one object.
	place := field + jsonPointer(path)
	if !ok || done[place] {
		return
	}
	done[place] = true
	held, _ := valueAt(w.object, path)
	value, isObject := held.(map[string]any)
	if !isObject && held != nil {
		w.refuse(at, field, "%s is %s, an object is needed", x.program, describe(held))
		return
	}
	if held == nil && field == "" {
		w.refuse(at, field, "the object has no pod template at %s", x.program)
		return
	}
	if value == nil {
		value = map[string]any{}
	}
	patched, ok := patch(value)
	if !ok {
		return
	}
	if err := w.set(path, patched); err != nil {
		w.refuse(at, field, "%v", err)
	}
}

// patchTemplate merges the patch into a pod template, or into a whole Pod.
func (w *editor) patchTemplate(at writable, template map[string]any) (map[string]any, bool) {
	full := runtime.DeepCopyJSON(w.template)
	spec := object(template["spec"])
	containers, ok := w.containerList(at, spec)
	if !ok {
		return nil, false
	}
	if len(containers) > 0 {
		patchSpec := object(full["spec"])
		if patchSpec == nil {
			patchSpec = map[string]any{}
			full["spec"] = patchSpec
		}
		patchSpec["containers"] = containers
	}
	merged := template
	for _, patch := range []map[string]any{full, w.raw} {
		if len(patch) == 0 {
			continue
		}
		if !w.knownContainers(at, spec, object(patch["spec"])) {
			return nil, false
		}
		next, err := strategicpatch.StrategicMergeMapPatch(merged, runtime.DeepCopyJSON(patch), corev1.PodTemplateSpec{})
		if err != nil {
			w.refuse(at, "", "the patch does not fit a pod template: %v", err)
			return nil, false
		}
		merged = next
	}
	return merged, true
}

// containerList renders the container patches with the name that "" stands for.
func (w *editor) containerList(at writable, spec map[string]any) ([]any, bool) {
	var patches []any
	for _, patch := range w.containers {
		patch = runtime.DeepCopyJSON(patch)
		if patch["name"] == "" {
			names := containerNames(spec)
			if len(names) != 1 {
				w.refuse(at, "containers", "the pod has %s (%s): name one", count(len(names), "container"), strings.Join(names, ", "))
				return nil, false
			}
			patch["name"] = names[0]
		}
		patches = append(patches, patch)
	}
	return patches, true
}

func containerNames(spec map[string]any) []string {
	var names []string
	for _, entry := range list(spec["containers"]) {
		names = append(names, text(object(entry)["name"]))
	}
	return names
}

// knownContainers refuses container names that the pod does not have, which a
// merge would add as new containers.
func (w *editor) knownContainers(at writable, spec, patch map[string]any) bool {
	known := containerNames(spec)
	ok := true
	for _, entry := range list(patch["containers"]) {
		if name := text(object(entry)["name"]); !slices.Contains(known, name) {
			w.refuse(at, "containers", "the pod has no container %q, only %s", name, strings.Join(known, ", "))
			ok = false
		}
	}
	return ok
}

// editSpecAndMetadata writes into a pod spec and, for labels and annotations,
// into the metadata beside it.
func (w *editor) editSpecAndMetadata(at writable, shared map[string]writable, done map[string]bool) {
	shape := at.component.pods
	metadata := w.patchPart("metadata")
	if len(metadata) > 0 && shape.metadata == nil {
		for _, field := range slices.Sorted(maps.Keys(metadata)) {
			w.refuse(at, "metadata."+field, "the definition has no metadataPath for this role")
		}
	}
	if len(metadata) > 0 && shape.metadata != nil {
		w.patchPlace(shape.metadata, at, "metadata", shared, done, func(value map[string]any) (map[string]any, bool) {
			merged, err := strategicpatch.StrategicMergeMapPatch(value, metadata, metav1.ObjectMeta{})
			if err != nil {
				w.refuse(at, "metadata", "the patch does not fit pod metadata: %v", err)
			}
			return merged, err == nil
		})
	}
	if len(w.patchPart("spec")) == 0 && len(w.containers) == 0 {
		return
	}
	w.patchPlace(shape.spec, at, "", shared, done, func(value map[string]any) (map[string]any, bool) {
		merged, ok := w.patchTemplate(at, map[string]any{"spec": value, "metadata": map[string]any{}})
		return object(merged["spec"]), ok
	})
}

// patchPart is one half of the typed and the raw patch together.
func (w *editor) patchPart(half string) map[string]any {
	part := map[string]any{}
	for _, patch := range []map[string]any{w.template, w.raw} {
		mergeInto(part, object(patch[half]))
	}
	return part
}

func mergeInto(into, more map[string]any) {
	for key, value := range more {
		held, isObject := into[key].(map[string]any)
		added, addsObject := value.(map[string]any)
		if isObject && addsObject {
			mergeInto(held, added)
			continue
		}
		into[key] = runtime.DeepCopyJSONValue(value)
	}
}

// set writes a value into the edited object, making the objects on the way.
func (w *editor) set(path []any, value map[string]any) error {
	if len(path) == 0 {
		w.object = value
		return nil
	}
	return setAt(w.object, path, value)
}
