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
		r.container(running, object(container), place{list: "containers", index: i})
	}
	if init := r.list(spec, "initContainers"); len(init) > 0 {
		r.initSequence(running, init)
	}
	r.podLevel(running, spec)
	r.each(r.object(spec, "overhead", place{}), place{field: "overhead"}, func(name corev1.ResourceName, quantity resource.Quantity) {
		add(running, name, quantity)
	})
	return running
}

// initSequence raises what the containers request to what the init sequence
// needs at its hungriest, and adds the sidecars, which keep running beside them.
func (r *requestReader) initSequence(running corev1.ResourceList, init []any) {
	sidecars, hungriest := corev1.ResourceList{}, corev1.ResourceList{}
	for i, item := range init {
		container := object(item)
		requests := corev1.ResourceList{}
		r.container(requests, container, place{list: "initContainers", index: i})
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
}

// podLevel applies spec.resources: its requests replace the containers' sum
// for the resources that Kubernetes supports there, its limits only fill in
// what neither the pod nor any container requests.
func (r *requestReader) podLevel(requests corev1.ResourceList, spec map[string]any) {
	resources := r.object(spec, "resources", place{})
	if resources == nil {
		return
	}
	r.each(r.object(resources, "limits", place{field: "resources"}), place{field: "resources.limits"},
		func(name corev1.ResourceName, quantity resource.Quantity) {
			if _, stated := requests[name]; podLevelSupported(name) && !stated {
				requests[name] = quantity
			}
		})
	r.each(r.object(resources, "requests", place{field: "resources"}), place{field: "resources.requests"},
		func(name corev1.ResourceName, quantity resource.Quantity) {
			if podLevelSupported(name) {
				requests[name] = quantity
			}
		})
}

func podLevelSupported(name corev1.ResourceName) bool {
	return name == corev1.ResourceCPU || name == corev1.ResourceMemory ||
		strings.HasPrefix(string(name), corev1.ResourceHugePagesPrefix)
}

// container adds one container's requests to a sum. A limit stands in for a
// request that is missing or cannot be read.
func (r *requestReader) container(sum corev1.ResourceList, container map[string]any, at place) {
	resources := r.object(container, "resources", at)
	if resources == nil {
		return
	}
	at.field = "resources"
	limits, requests := r.object(resources, "limits", at), r.object(resources, "requests", at)
	at.field = "resources.limits"
	r.each(limits, at, func(name corev1.ResourceName, quantity resource.Quantity) {
		if request, stated := requests[string(name)]; stated {
			if _, err := quantityOf(request); err == nil {
				return
			}
		}
		add(sum, name, quantity)
	})
	at.field = "resources.requests"
	r.each(requests, at, func(name corev1.ResourceName, quantity resource.Quantity) { add(sum, name, quantity) })
}

// each reads the quantities of a resource list, in no order.
func (r *requestReader) each(values map[string]any, at place, use func(corev1.ResourceName, resource.Quantity)) {
	before := len(r.faults)
	for name, value := range values {
		quantity, err := quantityOf(value)
		if err != nil {
			r.fault("%s[%q]: %v", at, name, err)
			continue
		}
		use(corev1.ResourceName(name), quantity)
	}
	sort.Strings(r.faults[before:])
}

// place is where in a pod spec something is, put into words only for a fault.
type place struct {
	// list and index are an element of a list; "" for a place outside of lists.
	list  string
	index int
	field string
}

func (p place) String() string {
	switch {
	case p.list == "":
		return p.field
	case p.field == "":
		return fmt.Sprintf("%s[%d]", p.list, p.index)
	default:
		return fmt.Sprintf("%s[%d].%s", p.list, p.index, p.field)
	}
}

// below is the place of a field.
func (p place) below(field string) place {
	if p.field != "" {
		field = p.field + "." + field
	}
	p.field = field
	return p
}

// list returns the elements of a list field; null and absent are empty. Those
// that are not objects are faults, and hold nothing for whoever reads them.
func (r *requestReader) list(parent map[string]any, field string) []any {
	value := parent[field]
	if value == nil {
		return nil
	}
	items, ok := value.([]any)
	if !ok {
		r.fault("%s is %s, a list is needed", field, describe(value))
		return nil
	}
	for i, item := range items {
		if _, ok := item.(map[string]any); !ok {
			r.fault("%s[%d] is %s, an object is needed", field, i, describe(item))
		}
	}
	return items
}

// object returns an object field of what is at a place; null and absent are the nil map.
func (r *requestReader) object(parent map[string]any, field string, at place) map[string]any {
	value := parent[field]
	if value == nil {
		return nil
	}
	object, ok := value.(map[string]any)
	if !ok {
		r.fault("%s is %s, an object is needed", at.below(field), describe(value))
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
		add(into, name, quantity)
	}
}

func add(into corev1.ResourceList, name corev1.ResourceName, quantity resource.Quantity) {
	sum, ok := into[name]
	if !ok {
		into[name] = quantity.DeepCopy()
		return
	}
	sum.Add(quantity)
	into[name] = sum
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
