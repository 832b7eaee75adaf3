package resolver

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation"

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
	if err := p.checkNames(); err != nil {
		return nil, err
	}
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
		return nil, misfit(fields)
	}
	return raw, nil
}

// misfit names the field of a patch whose value is of another type than that of
// a pod template, which the converter tells only in Go's words.
func misfit(fields map[string]any) error {
	content, err := json.Marshal(fields)
	if err != nil {
		return fmt.Errorf("read the patch: %w", err)
	}
	var mismatch *json.UnmarshalTypeError
	if errors.As(json.Unmarshal(content, &corev1.PodTemplateSpec{}), &mismatch) {
		return fmt.Errorf("the patch does not fit a pod template: %s cannot be a %s", mismatch.Field, mismatch.Value)
	}
	return errors.New("the patch does not fit a pod template: it has a value of the wrong type")
}

// checkNames refuses label and annotation names and label values that the API
// server would refuse, so that the edit is not made in vain.
func (p *Patch) checkNames() error {
	var faults []error
	check := func(kind, text string, reasons []string) {
		if len(reasons) > 0 {
			faults = append(faults, fmt.Errorf("%s %q: %s", kind, text, reasons[0]))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(p.Labels)) {
		check("label", name, validation.IsQualifiedName(name))
		check("value of label "+name, p.Labels[name], validation.IsValidLabelValue(p.Labels[name]))
	}
	for _, name := range slices.Sorted(maps.Keys(p.NodeSelector)) {
		check("node selector", name, validation.IsQualifiedName(name))
		check("value of node selector "+name, p.NodeSelector[name], validation.IsValidLabelValue(p.NodeSelector[name]))
	}
	for _, name := range slices.Sorted(maps.Keys(p.Annotations)) {
		check("annotation", name, validation.IsQualifiedName(strings.ToLower(name)))
	}
	return errors.Join(faults...)
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
