package review

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/workloadmap/wm/api/v1alpha1"
	"github.com/workloadmap/wm/jq"
)

// phrase says in words what becomes of an expression of the role {role}.
type phrase struct{ changed, gone, added string }

// phrases are those of expressions that a role has once.
func phrases(role v1alpha1.Role) phrase {
	switch role {
	case v1alpha1.RolePodTemplate, v1alpha1.RolePodSpec:
		return phrase{
			"the pods of {role} are read from another place of the object: requests, GPUs and edits follow it",
			"the pods of {role} are no longer read from there: requests and GPUs are not counted, edits have no place",
			"the pods of {role} are read from there",
		}
	case v1alpha1.RoleMetadata:
		return phrase{
			"labels and annotations of {role} pods are read from another place of the object",
			"labels and annotations of {role} pods are no longer read",
			"labels and annotations of {role} pods are read",
		}
	case v1alpha1.RoleReplicas:
		return phrase{
			"the number of replicas of {role} is read differently",
			"the number of replicas of {role} is no longer known, nor are sums over it",
			"the number of replicas of {role} is known",
		}
	case v1alpha1.RoleMinReplicas:
		return phrase{
			"the minimum replicas of {role} are read differently, and with them what a gang waits for",
			"the minimum replicas of {role} are no longer known: a gang waits for all",
			"the minimum replicas of {role} are known",
		}
	case v1alpha1.RoleMaxReplicas:
		return phrase{
			"the maximum replicas of {role} are read differently",
			"the maximum replicas of {role} are no longer known",
			"the maximum replicas of {role} are known",
		}
	case v1alpha1.RolePhase:
		return phrase{
			"the framework's own phase is read from another place",
			"the framework's own phase is no longer read: nothing matches by it",
			"the framework's own phase is read",
		}
	case v1alpha1.RoleConditions:
		return phrase{
			"the framework's conditions are read from another place",
			"the framework's conditions are no longer read: nothing matches by them",
			"the framework's conditions are read",
		}
	case v1alpha1.RoleTypeSelector:
		return phrase{
			"pods of {role} are told by another expression",
			"pods of {role} are no longer told by an expression",
			"pods of {role} are told by an expression",
		}
	case v1alpha1.RoleInstanceSelector:
		return phrase{
			"the instance of {role} that a pod belongs to is told by another expression",
			"the instance of {role} that a pod belongs to is no longer told",
			"the instance of {role} that a pod belongs to is told",
		}
	case v1alpha1.RoleReplicaSelector:
		return phrase{
			"the unit of {role} that a pod belongs to is told by another expression",
			"the units of {role} are no longer told apart",
			"the units of {role} are told apart",
		}
	default:
		is := "is"
		if strings.HasSuffix(string(role), "s") {
			is = "are"
		}
		return phrase{
			fmt.Sprintf("the %s of {role} pods %s read from another place of the object", role, is),
			fmt.Sprintf("the %s of {role} pods %s no longer read", role, is),
			fmt.Sprintf("the %s of {role} pods %s read", role, is),
		}
	}
}

// expressions compares those expressions of a role that it has at most once.
func (c *comparison) expressions(old, now *v1alpha1.Component) {
	before, after := single(c.before, old.Name), single(c.after, now.Name)
	fields := slices.AppendSeq(slices.Collect(maps.Keys(before)), maps.Keys(after))
	slices.Sort(fields)
	for _, field := range slices.Compact(fields) {
		was, had := before[field]
		is, has := after[field]
		switch {
		case had && !has:
			c.say(was.Text, "", "%s", about(phrases(was.Role).gone, now.Name))
		case !had && has:
			c.say("", is.Text, "%s", about(phrases(is.Role).added, now.Name))
		case was.Text != is.Text:
			c.say(was.Text, is.Text, "%s", about(phrases(is.Role).changed, now.Name))
		}
	}
}

func about(phrase, role string) string { return strings.ReplaceAll(phrase, "{role}", role) }

// single are the expressions of a role that are no items of a list, by field.
// How instances are named is told apart, since it breaks more.
func single(definition *v1alpha1.WorkloadMap, component string) map[string]v1alpha1.Expression {
	found := map[string]v1alpha1.Expression{}
	for _, x := range definition.Expressions() {
		listed := x.Role == v1alpha1.RoleStatusExpression || x.Role == v1alpha1.RoleSuspendPath ||
			x.Role == v1alpha1.RoleGroupKey || x.Role == v1alpha1.RoleFilter
		if x.Component == component && !listed && x.Role != v1alpha1.RoleInstanceID {
			found[x.Field] = x
		}
	}
	return found
}

// editable are the parts of a pod that can be written through the expression of
// a role, in the order in which they are told.
func editable(role v1alpha1.Role) []string {
	metadata := []string{"labels", "annotations"}
	spec := []string{"scheduler name", "priority class", "image", "resources", "resource claims", "pod affinity", "node affinity"}
	switch role {
	case v1alpha1.RolePodTemplate:
		return slices.Concat(metadata, spec)
	case v1alpha1.RolePodSpec:
		return spec
	case v1alpha1.RoleMetadata:
		return metadata
	case v1alpha1.RoleFragmentContainers, v1alpha1.RoleFragmentContainer:
		return []string{"image", "resources"}
	case v1alpha1.RoleFragmentPriorityClassName:
		return []string{"priority class"}
	case v1alpha1.RoleFragmentSchedulerName, v1alpha1.RoleFragmentLabels, v1alpha1.RoleFragmentAnnotations,
		v1alpha1.RoleFragmentResources, v1alpha1.RoleFragmentResourceClaims, v1alpha1.RoleFragmentPodAffinity,
		v1alpha1.RoleFragmentNodeAffinity, v1alpha1.RoleFragmentImage:
		return []string{string(role)}
	default:
		return nil
	}
}

// writable compares what of a role's pods can be edited.
func (c *comparison) writable(old, now *v1alpha1.Component) {
	before, after := writables(c.before, old.Name), writables(c.after, now.Name)
	var lost, won []string
	for _, part := range editable(v1alpha1.RolePodTemplate) {
		switch {
		case before[part] && !after[part]:
			lost = append(lost, part)
		case !before[part] && after[part]:
			won = append(won, part)
		}
	}
	if len(lost) > 0 {
		c.breaking(NotWritable, "", "", "%s of %s pods can no longer be written", list(lost, "and"), now.Name)
	}
	if len(won) > 0 {
		c.say("", "", "%s of %s pods can be written", list(won, "and"), now.Name)
	}
}

func writables(definition *v1alpha1.WorkloadMap, component string) map[string]bool {
	parts := map[string]bool{}
	for _, x := range definition.Expressions() {
		if x.Component != component || x.On != v1alpha1.OnRoot {
			continue
		}
		if program, err := jq.Compile(x.Text); err == nil && program.Assignable() {
			for _, part := range editable(x.Role) {
				parts[part] = true
			}
		}
	}
	return parts
}

// escapePercent makes a name safe inside a format.
func escapePercent(name string) string { return strings.ReplaceAll(name, "%", "%%") }
