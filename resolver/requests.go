package resolver

import (
	"fmt"
	"math"
	"sort"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// requestReader computes what one pod requests from its spec in JSON form. It
// reads untyped values so that one malformed field costs that field alone, and
// collects what it could not read in faults.
type requestReader struct {
	faults []string
}

func (r *requestReader) fault(format string, arguments ...any) {
	r.faults = append(r.faults, fmt.Sprintf(format, arguments...))
}

// pod returns the effective requests of a PodSpec, by the rule that the
// scheduler uses: the larger of all containers together and the hungriest
// moment of the init sequence, where restartable init containers (sidecars)
// keep running; pod-level resources override that sum; overhead comes on top.
// A limit stands in for a missing request, as the API server's defaulting does.
func (r *requestReader) pod(spec map[string]any) corev1.ResourceList {
	running := corev1.ResourceList{}
	for i, container := range r.list(spec, "containers") {
		addAll(running, r.container(container, fmt.Sprintf("containers[%d]", i)))
	}
	sidecars, hungriest := corev1.ResourceList{}, corev1.ResourceList{}
	for i, container := range r.list(spec, "initContainers") {
		requests := r.container(container, fmt.Sprintf("initContainers[%d]", i))
		if container["restartPolicy"] == "Always" {
			addAll(running, requests)
			addAll(sidecars, requests)
			maxAll(hungriest, sidecars)
			continue
		}
		addAll(requests, sidecars)
		maxAll(hungriest, requests)
	}
	maxAll(running, hungriest)
	r.podLevel(running, spec)
	addAll(running, r.quantities(spec, "overhead", "overhead"))
	return running
}

// podLevel applies spec.resources: its requests replace the containers' sum
// for the resources that Kubernetes supports there, its limits only fill in
// what neither the pod nor any container requests.
func (r *requestReader) podLevel(requests corev1.ResourceList, spec map[string]any) {
	resources := r.object(spec, "resources", "resources")
	for name, quantity := range r.quantities(resources, "limits", "resources.limits") {
		if _, stated := requests[name]; podLevelSupported(name) && !stated {
			requests[name] = quantity
		}
	}
	for name, quantity := range r.quantities(resources, "requests", "resources.requests") {
		if podLevelSupported(name) {
			requests[name] = quantity
		}
	}
}

func podLevelSupported(name corev1.ResourceName) bool {
	return name == corev1.ResourceCPU || name == corev1.ResourceMemory ||
		strings.HasPrefix(string(name), corev1.ResourceHugePagesPrefix)
}

// container returns one container's requests with limits standing in.
func (r *requestReader) container(container map[string]any, where string) corev1.ResourceList {
	return r.resources(r.object(container, "resources", where+".resources"), where+".resources")
}

// resources reads a ResourceRequirements value.
func (r *requestReader) resources(resources map[string]any, where string) corev1.ResourceList {
	requests := r.quantities(resources, "limits", where+".limits")
	for name, quantity := range r.quantities(resources, "requests", where+".requests") {
		requests[name] = quantity
	}
	return requests
}

func (r *requestReader) quantities(parent map[string]any, field, where string) corev1.ResourceList {
	values := r.object(parent, field, where)
	list := make(corev1.ResourceList, len(values))
	for _, name := range sortedKeys(values) {
		quantity, err := quantityOf(values[name])
		if err != nil {
			r.fault("%s[%q]: %v", where, name, err)
			continue
		}
		list[corev1.ResourceName(name)] = quantity
	}
	return list
}

// list returns the objects of a list field; null and absent are empty.
func (r *requestReader) list(parent map[string]any, field string) []map[string]any {
	value := parent[field]
	if value == nil {
		return nil
	}
	items, ok := value.([]any)
	if !ok {
		r.fault("%s is %s, a list is needed", field, describe(value))
		return nil
	}
	objects := make([]map[string]any, len(items))
	for i, item := range items {
		object, ok := item.(map[string]any)
		if !ok {
			r.fault("%s[%d] is %s, an object is needed", field, i, describe(item))
		}
		objects[i] = object
	}
	return objects
}

// object returns an object field; null and absent are the nil map.
func (r *requestReader) object(parent map[string]any, field, where string) map[string]any {
	value := parent[field]
	if value == nil {
		return nil
	}
	object, ok := value.(map[string]any)
	if !ok {
		r.fault("%s is %s, an object is needed", where, describe(value))
	}
	return object
}

// quantityOf reads a Kubernetes quantity: manifests write both "2" and 2.
func quantityOf(value any) (resource.Quantity, error) {
	var text string
	switch value := value.(type) {
	case string:
		text = value
	case int:
		text = strconv.Itoa(value)
	case int64:
		text = strconv.FormatInt(value, 10)
	case float64:
		if math.IsNaN(value) || math.IsInf(value, 0) {
			return resource.Quantity{}, fmt.Errorf("%v is not a Kubernetes quantity", value)
		}
		text = strconv.FormatFloat(value, 'f', -1, 64)
	default:
		return resource.Quantity{}, fmt.Errorf("%s is not a Kubernetes quantity", describe(value))
	}
	quantity, err := resource.ParseQuantity(text)
	if err != nil {
		return resource.Quantity{}, fmt.Errorf("%q is not a Kubernetes quantity", text)
	}
	if quantity.Sign() < 0 {
		return resource.Quantity{}, fmt.Errorf("%q is negative", text)
	}
	return quantity, nil
}

func addAll(into, more corev1.ResourceList) {
	for name, quantity := range more {
		sum, ok := into[name]
		if !ok {
			into[name] = quantity.DeepCopy()
			continue
		}
		sum.Add(quantity)
		into[name] = sum
	}
}

func maxAll(into, other corev1.ResourceList) {
	for name, quantity := range other {
		if held, ok := into[name]; !ok || quantity.Cmp(held) > 0 {
			into[name] = quantity.DeepCopy()
		}
	}
}

// times multiplies every quantity by a count of pods.
func times(list corev1.ResourceList, count int64) corev1.ResourceList {
	product := make(corev1.ResourceList, len(list))
	for name, quantity := range list {
		multiplied := quantity.DeepCopy()
		multiplied.Mul(count)
		product[name] = multiplied
	}
	return product
}

// gpusOf sums the whole accelerators of a request list.
func gpusOf(list corev1.ResourceList) int64 {
	var gpus int64
	for name, quantity := range list {
		if Accelerator(string(name)) {
			gpus += quantity.Value()
		}
	}
	return gpus
}

func sortedKeys[V any](values map[string]V) []string {
	keys := make([]string, 0, len(values))
	for key := range values {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	return keys
}

// describe names a JSON value's type in the words of a person who writes YAML.
func describe(value any) string {
	switch value := value.(type) {
	case nil:
		return "null"
	case bool:
		return "a boolean"
	case string:
		return "a string"
	case []any:
		return "a list"
	case map[string]any:
		return "an object"
	default:
		return fmt.Sprintf("the number %v", value)
	}
}
