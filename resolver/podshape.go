package resolver

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/workloadmap/wm/api/v1alpha1"
)

// podShape is the compiled specDefinition in one of its three forms: a whole
// template, a pod spec with optional metadata, or scattered fragments.
type podShape struct {
	template *expression
	spec     *expression
	metadata *expression
	fragment *fragments
}

// fragments are the places of a scattered pod spec; each may be nil.
type fragments struct {
	schedulerName, priorityClassName, image *expression
	labels, annotations                     *expression
	podAffinity, nodeAffinity               *expression
	resources, claims                       *expression
	containers, container                   *expression
}

// all lists the fragments that are there.
func (f *fragments) all() []*expression {
	return slices.DeleteFunc([]*expression{
		f.schedulerName, f.priorityClassName, f.image, f.labels, f.annotations, f.podAffinity,
		f.nodeAffinity, f.resources, f.claims, f.containers, f.container,
	}, func(x *expression) bool { return x == nil })
}

// podShape compiles a specDefinition; nil when it names no pods, as one with
// metadataPath alone does.
func (c *compiler) podShape(component string, d *v1alpha1.SpecDefinition) *podShape {
	field := func(name string, text *string) *expression {
		return c.optional(component, "specDefinition."+name, text)
	}
	shape := &podShape{
		template: field("podTemplateSpecPath", d.PodTemplateSpecPath),
		spec:     field("podSpecPath", d.PodSpecPath),
		metadata: field("metadataPath", d.MetadataPath),
	}
	shapes := 0
	for _, given := range []bool{d.PodTemplateSpecPath != nil, d.PodSpecPath != nil, d.FragmentedPodSpecDefinition != nil} {
		if given {
			shapes++
		}
	}
	if shapes > 1 {
		c.fault(component, "specDefinition holds more than one of podTemplateSpecPath, podSpecPath and fragmentedPodSpecDefinition: keep one")
	}
	if f := d.FragmentedPodSpecDefinition; f != nil {
		fragment := func(name string, text *string) *expression {
			return field("fragmentedPodSpecDefinition."+name, text)
		}
		shape.fragment = &fragments{
			schedulerName:     fragment("schedulerNamePath", f.SchedulerNamePath),
			priorityClassName: fragment("priorityClassNamePath", f.PriorityClassNamePath),
			image:             fragment("imagePath", f.ImagePath),
			labels:            fragment("labelsPath", f.LabelsPath),
			annotations:       fragment("annotationsPath", f.AnnotationsPath),
			podAffinity:       fragment("podAffinityPath", f.PodAffinityPath),
			nodeAffinity:      fragment("nodeAffinityPath", f.NodeAffinityPath),
			resources:         fragment("resourcesPath", f.ResourcesPath),
			claims:            fragment("resourceClaimsPath", f.ResourceClaimsPath),
			containers:        fragment("containersPath", f.ContainersPath),
			container:         fragment("containerPath", f.ContainerPath),
		}
	}
	if shapes == 0 {
		return nil
	}
	return shape
}

// podsOf reads what one pod of each instance requests; nil where the object
// holds no pod for that instance. read is false when reading failed, so that
// nil does not mean absence.
func (e *evaluation) podsOf(shape *podShape, in *instances) (perReplica []*Resources, read bool) {
	switch {
	case shape.template != nil:
		return e.eachPod(shape.template, in, e.templateResources)
	case shape.spec != nil:
		return e.eachPod(shape.spec, in, e.specResources)
	default:
		return e.fragmentPods(shape.fragment, in)
	}
}

func (e *evaluation) eachPod(x *expression, in *instances, read func(*expression, where, any) *Resources) ([]*Resources, bool) {
	values, ok := e.perInstance(x, in)
	if !ok {
		return make([]*Resources, len(in.ids)), false
	}
	pods := make([]*Resources, len(in.ids))
	allRead := true
	for i, value := range values {
		if value == nil {
			continue
		}
		pods[i] = read(x, where{in, i}, value)
		allRead = allRead && pods[i] != nil
	}
	return pods, allRead
}

func (e *evaluation) templateResources(x *expression, at where, value any) *Resources {
	template, ok := value.(map[string]any)
	if !ok {
		e.problem(x, "%sgives %s, a pod template is needed", at, describe(value))
		return nil
	}
	if _, bare := template["containers"]; bare && template["spec"] == nil {
		e.problem(x, "%sgives a pod spec, a pod template (with spec inside) is needed; use podSpecPath", at)
		return nil
	}
	spec := template["spec"]
	if spec == nil {
		spec = map[string]any{}
	}
	return e.specResources(x, at, spec)
}

func (e *evaluation) specResources(x *expression, at where, value any) *Resources {
	spec, ok := value.(map[string]any)
	if !ok {
		e.problem(x, "%sgives %s where a pod spec is needed", at, describe(value))
		return nil
	}
	if inner, ok := spec["spec"].(map[string]any); ok && spec["containers"] == nil && inner["containers"] != nil {
		e.problem(x, "%sgives a pod template, a pod spec is needed; use podTemplateSpecPath", at)
		return nil
	}
	reader := &requestReader{}
	requests := reader.pod(spec)
	claims := reader.claims(spec)
	e.faults(x, at, reader)
	return newResources(requests, claims)
}

func (e *evaluation) faults(x *expression, at where, reader *requestReader) {
	for _, fault := range reader.faults {
		e.problem(x, "%s%s", at, fault)
	}
}

// fragmentPods sums what the fragments of a scattered pod spec request: the
// containers when there are any, else the resources of the one main container.
func (e *evaluation) fragmentPods(f *fragments, in *instances) ([]*Resources, bool) {
	n := len(in.ids)
	present := make([]bool, n)
	pods := make([]corev1.ResourceList, n)
	claims := make([][]Claim, n)
	allRead := true
	each := func(x *expression, read func(i int, value any) []string) {
		if x == nil {
			return
		}
		values, ok := e.perInstance(x, in)
		allRead = allRead && ok
		for i, value := range values {
			if value == nil {
				continue
			}
			present[i] = true
			for _, fault := range read(i, value) {
				e.problem(x, "%s%s", where{in, i}, fault)
			}
		}
	}
	fromSpec := func(i int, spec map[string]any) []string {
		reader := &requestReader{}
		if pods[i] == nil {
			pods[i] = corev1.ResourceList{}
		}
		addAll(pods[i], reader.pod(spec))
		return reader.faults
	}
	each(f.containers, func(i int, value any) []string {
		return fromSpec(i, map[string]any{"containers": value})
	})
	each(f.container, func(i int, value any) []string {
		return fromSpec(i, map[string]any{"containers": []any{value}})
	})
	each(f.resources, func(i int, value any) []string {
		if pods[i] != nil {
			return nil
		}
		return fromSpec(i, map[string]any{"containers": []any{map[string]any{"resources": value}}})
	})
	each(f.claims, func(i int, value any) []string {
		reader := &requestReader{}
		claims[i] = reader.claims(map[string]any{"resourceClaims": value})
		return reader.faults
	})
	// The other fragments request nothing, but a role that has one is there.
	for _, x := range []*expression{f.schedulerName, f.priorityClassName, f.image, f.labels, f.annotations, f.podAffinity, f.nodeAffinity} {
		each(x, func(int, any) []string { return nil })
	}
	perReplica := make([]*Resources, n)
	for i := range perReplica {
		if present[i] {
			perReplica[i] = newResources(pods[i], claims[i])
		}
	}
	return perReplica, allRead
}

func newResources(requests corev1.ResourceList, claims []Claim) *Resources {
	if requests == nil {
		requests = corev1.ResourceList{}
	}
	return &Resources{Requests: requests, GPUs: gpusOf(requests), Claims: claims}
}

// claims lists the resource claims of a pod spec, each once per pod.
func (r *requestReader) claims(spec map[string]any) []Claim {
	var claims []Claim
	for i, item := range r.list(spec, "resourceClaims") {
		entry := object(item)
		if name, ok := entry["resourceClaimTemplateName"].(string); ok && name != "" {
			claims = addClaims(claims, Claim{Name: name, Count: 1})
			continue
		}
		if name, ok := entry["resourceClaimName"].(string); ok && name != "" {
			claims = addClaims(claims, Claim{Name: name, Shared: true, Count: 1})
			continue
		}
		if entry != nil {
			r.fault("%s", fmt.Sprintf("resourceClaims[%d] names neither a claim nor a claim template", i))
		}
	}
	return claims
}
