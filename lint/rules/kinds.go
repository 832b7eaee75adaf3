package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/workloadmap/wm/api/v1alpha1"
	"github.com/workloadmap/wm/lint"
)

// kindFaults reports what a group, version and kind at a path lacks. coreKinds
// tells which kinds may have the empty group.
func kindFaults(d *lint.Definition, path []any, gvk v1alpha1.GroupVersionKind, coreKind func(string) bool, report lint.Report) {
	at := func(field string) []any { return slices.Concat(path, []any{field}) }
	var missing []string
	for _, field := range []string{"group", "version", "kind"} {
		if d.Lacks(at(field)) {
			missing = append(missing, "`"+field+"`")
		}
	}
	if len(missing) > 0 {
		report(d.Key(path), "this kind lacks "+enumerate(missing),
			"write all three of `group`, `version` and `kind`; the group of core kinds is \"\"")
	}
	empty := func(field string) bool {
		node := d.Node(at(field))
		return node.Tag() == "!!str" && node.Text() == ""
	}
	for _, field := range []string{"version", "kind"} {
		if empty(field) {
			report(d.Mark(at(field)), fmt.Sprintf("`%s` must not be empty", field), "")
		}
	}
	if empty("group") && gvk.Kind != "" && !coreKind(gvk.Kind) {
		report(d.Mark(at("group")), fmt.Sprintf("`%s` is not a kind of the core group", gvk.Kind),
			"write the API group, the part of apiVersion before the slash")
	}
}

// enumerate joins words as a sentence does: "a, b and c".
func enumerate(words []string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " and " + words[last]
}

// isCoreKind reports whether the Kubernetes API has a kind without a group. The
// list is that of the core/v1 API, which has been closed to new kinds for years.
func isCoreKind(kind string) bool {
	switch kind {
	case "Binding", "ComponentStatus", "ConfigMap", "Endpoints", "Event", "LimitRange", "Namespace", "Node",
		"PersistentVolume", "PersistentVolumeClaim", "Pod", "PodTemplate", "ReplicationController",
		"ResourceQuota", "Secret", "Service", "ServiceAccount":
		return true
	default:
		return false
	}
}
