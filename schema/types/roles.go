package types

import (
	"fmt"

	"github.com/workloadmap/wm/api/v1alpha1"
)

// Misfit says why results are not what a field of a definition needs.
type Misfit struct{ Message, Help string }

// need is what a role takes: kinds of values, and of objects one of some
// fields, by which the parts of a pod are told apart.
type need struct {
	what   string
	kinds  Kinds
	fields []string
}

func needOf(role v1alpha1.Role) (need, bool) {
	affinity := []string{"requiredDuringSchedulingIgnoredDuringExecution", "preferredDuringSchedulingIgnoredDuringExecution"}
	switch role {
	case v1alpha1.RolePodTemplate:
		return need{"a pod template", Object, []string{"spec"}}, true
	case v1alpha1.RolePodSpec:
		return need{"a pod spec", Object, []string{"containers"}}, true
	case v1alpha1.RoleMetadata:
		return need{"the metadata of pods", Object, []string{"labels", "annotations"}}, true
	case v1alpha1.RoleFragmentLabels, v1alpha1.RoleFragmentAnnotations:
		return need{"a map of texts", Object, nil}, true
	case v1alpha1.RoleFragmentResources:
		return need{"resource requirements", Object, []string{"requests", "limits"}}, true
	case v1alpha1.RoleFragmentPodAffinity, v1alpha1.RoleFragmentNodeAffinity:
		return need{"an affinity", Object, affinity}, true
	case v1alpha1.RoleFragmentContainer:
		return need{"a container", Object, []string{"image", "resources"}}, true
	case v1alpha1.RoleFragmentContainers:
		return need{"a list of containers", Array, nil}, true
	case v1alpha1.RoleFragmentResourceClaims:
		return need{"a list of resource claims", Array, nil}, true
	case v1alpha1.RoleConditions:
		return need{"a list of conditions", Array, nil}, true
	case v1alpha1.RoleReplicas, v1alpha1.RoleMinReplicas, v1alpha1.RoleMaxReplicas:
		return need{"a number", Number | String, nil}, true
	case v1alpha1.RoleFragmentSchedulerName, v1alpha1.RoleFragmentPriorityClassName, v1alpha1.RoleFragmentImage,
		v1alpha1.RolePhase, v1alpha1.RoleInstanceID:
		return need{"a text", String, nil}, true
	case v1alpha1.RoleInstanceSelector, v1alpha1.RoleReplicaSelector, v1alpha1.RoleGroupKey:
		return need{"a text or number", Boolean | Number | String, nil}, true
	case v1alpha1.RoleFilter:
		return need{"true or false", Boolean, nil}, true
	default:
		return need{}, false
	}
}

// Fits tells whether some result can be what a role needs; null is left out,
// as in most places it says that the part is absent. An unknown result fits.
func (r Result) Fits(role v1alpha1.Role) (Misfit, bool) {
	need, ok := needOf(role)
	v := r.Value.without(Null)
	if !ok || v.unknown || v.kinds == 0 {
		return Misfit{}, true
	}
	if v.kinds&need.kinds == 0 {
		return Misfit{Message: fmt.Sprintf("gives %s where %s is needed", v.kinds.withArticle(), need.what)}, false
	}
	if v.kinds != Object || len(need.fields) == 0 || v.schema == nil || !v.schema.Closed() {
		return Misfit{}, true
	}
	for _, name := range need.fields {
		if _, has := v.schema.Field(name); has {
			return Misfit{}, true
		}
	}
	return Misfit{
		Message: fmt.Sprintf("gives an object without `%s`, which is not %s", need.fields[0], need.what),
		Help:    v.whatItIs(role),
	}, false
}

// whatItIs helps those who took a pod spec for a template, or the reverse.
func (v Value) whatItIs(role v1alpha1.Role) string {
	has := func(name string) bool {
		_, ok := v.schema.Field(name)
		return ok
	}
	switch {
	case role == v1alpha1.RolePodTemplate && has("containers"):
		return "this is a pod spec: use `podSpecPath`, or the path of the template above it"
	case role == v1alpha1.RolePodTemplate && has("template"):
		return "the template is in its field `template`"
	case role == v1alpha1.RolePodSpec && has("spec"):
		return "this is a pod template: use `podTemplateSpecPath`, or add `.spec`"
	default:
		return ""
	}
}

// CanGive tells whether some result, written as text as tostring does, can be
// the expected one. It is false only when that is certain.
func (r Result) CanGive(expected string) bool {
	v := r.Value
	if v.unknown || v.kinds&(Number|Array|Object) != 0 {
		return true
	}
	switch {
	case expected == "null" && v.kinds&Null != 0,
		expected == "true" && v.kinds&True != 0,
		expected == "false" && v.kinds&False != 0:
		return true
	}
	return v.only(String).Contains(expected)
}

// Takes tells whether a place can hold a JSON value, as far as its own kind and
// its allowed texts say. It is false only when that is certain.
func (r Result) Takes(value any) bool {
	v := r.Value
	return v.unknown || v.kinds == 0 || v.Contains(value)
}
