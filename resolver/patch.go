package resolver

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/workloadmap/wm/jq"
)

// Patch is a change to pods in terms that every framework shares. Zero fields
// leave things as they are. Maps set or replace the keys that they name;
// tolerations replace the whole list.
//
// A patch of types that JSON does not have, or a Template with a field that no
// pod template has, is an error of Edit.
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
	// Image is left alone when "".
	Image string
	// Requests and Limits set or replace the resources that they name.
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

// rawPatch checks the caller's own part of the patch: every field must be one
// of a pod template, since a misspelt one would be written and do nothing.
// Directives of strategic merge patches ($patch, $setElementOrder/...) and
// nulls, which remove fields, are let through.
func (p *Patch) rawPatch() (map[string]any, error) {
	if len(p.Template) == 0 {
		return nil, nil
	}
	input, err := jq.NewInput(p.Template)
	if err != nil {
		return nil, fmt.Errorf("read the patch: %w", err)
	}
	raw := object(jsonForm(input.Value()))
	fields := object(withoutDirectives(raw))
	err = runtime.DefaultUnstructuredConverter.FromUnstructuredWithValidation(fields, &corev1.PodTemplateSpec{}, true)
	if strict, ok := runtime.AsStrictDecodingError(err); ok {
		return nil, fmt.Errorf("the patch does not fit a pod template: %w", errors.Join(strict.Errors()...))
	}
	if err != nil {
		return nil, fmt.Errorf("the patch does not fit a pod template: %w", err)
	}
	return raw, nil
}

// withoutDirectives leaves out what only a patch has.
func withoutDirectives(value any) any {
	switch value := value.(type) {
	case map[string]any:
		plain := make(map[string]any, len(value))
		for key, held := range value {
			if !strings.HasPrefix(key, "$") && held != nil {
				plain[key] = withoutDirectives(held)
			}
		}
		return plain
	case []any:
		plain := make([]any, 0, len(value))
		for _, held := range value {
			plain = append(plain, withoutDirectives(held))
		}
		return plain
	default:
		return value
	}
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
