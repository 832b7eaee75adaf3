package resolver

import (
	"fmt"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// Patch is a change to pods in terms that every framework shares. Zero fields
// leave things as they are. Maps set or replace the keys that they name;
// tolerations replace the whole list.
type Patch struct {
	SchedulerName     string
	PriorityClassName string
	Labels            map[string]string
	Annotations       map[string]string
	NodeSelector      map[string]string
	Tolerations       []corev1.Toleration
	Affinity          *corev1.Affinity
	// ResourceClaims are added, or replace those of the same name.
	ResourceClaims []corev1.PodResourceClaim
	// Containers holds changes by container name; "" means the only container.
	Containers map[string]ContainerPatch
	// Template is a strategic merge patch of a PodTemplateSpec ({metadata, spec}),
	// applied after the fields above. It cannot add containers.
	Template map[string]any
}

// ContainerPatch changes one container.
type ContainerPatch struct {
	Image    string
	Requests corev1.ResourceList
	Limits   corev1.ResourceList
}

// templatePatch renders the typed fields as a strategic merge patch of a
// PodTemplateSpec. Containers are kept apart, since the name "" is only known
// at the pod.
func (p *Patch) templatePatch() (map[string]any, error) {
	spec := map[string]any{}
	metadata := map[string]any{}
	setText(spec, "schedulerName", p.SchedulerName)
	setText(spec, "priorityClassName", p.PriorityClassName)
	setTexts(metadata, "labels", p.Labels)
	setTexts(metadata, "annotations", p.Annotations)
	setTexts(spec, "nodeSelector", p.NodeSelector)
	typed := corev1.PodSpec{Tolerations: p.Tolerations, Affinity: p.Affinity, ResourceClaims: p.ResourceClaims}
	rendered, err := runtime.DefaultUnstructuredConverter.ToUnstructured(&typed)
	if err != nil {
		return nil, fmt.Errorf("render the patch: %w", err)
	}
	for _, field := range []string{"tolerations", "affinity", "resourceClaims"} {
		if value := rendered[field]; value != nil {
			spec[field] = value
		}
	}
	patch := map[string]any{}
	if len(metadata) > 0 {
		patch["metadata"] = metadata
	}
	if len(spec) > 0 {
		patch["spec"] = spec
	}
	return patch, nil
}

// containerPatches renders the changes to containers, sorted by name.
func (p *Patch) containerPatches() []map[string]any {
	var patches []map[string]any
	for _, name := range slices.Sorted(maps.Keys(p.Containers)) {
		change := p.Containers[name]
		patch := map[string]any{"name": name}
		setText(patch, "image", change.Image)
		resources := map[string]any{}
		setQuantities(resources, "requests", change.Requests)
		setQuantities(resources, "limits", change.Limits)
		if len(resources) > 0 {
			patch["resources"] = resources
		}
		patches = append(patches, patch)
	}
	return patches
}

func setText(into map[string]any, field, value string) {
	if value != "" {
		into[field] = value
	}
}

func setTexts(into map[string]any, field string, values map[string]string) {
	if len(values) == 0 {
		return
	}
	texts := make(map[string]any, len(values))
	for key, value := range values {
		texts[key] = value
	}
	into[field] = texts
}

func setQuantities(into map[string]any, field string, list corev1.ResourceList) {
	if len(list) == 0 {
		return
	}
	quantities := make(map[string]any, len(list))
	for name, quantity := range list {
		quantities[string(name)] = quantity.String()
	}
	into[field] = quantities
}
