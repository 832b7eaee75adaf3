package manifest

import "github.com/workloadmap/wm/api/v1alpha1"

// auxiliaryGroups are built-in API groups none of whose kinds runs pods. They
// stand beside workloads in most manifests.
var auxiliaryGroups = map[string]bool{
	"admissionregistration.k8s.io": true,
	"apiextensions.k8s.io":         true,
	"apiregistration.k8s.io":       true,
	"autoscaling":                  true,
	"certificates.k8s.io":          true,
	"coordination.k8s.io":          true,
	"discovery.k8s.io":             true,
	"events.k8s.io":                true,
	"flowcontrol.apiserver.k8s.io": true,
	"gateway.networking.k8s.io":    true,
	"networking.k8s.io":            true,
	"node.k8s.io":                  true,
	"policy":                       true,
	"rbac.authorization.k8s.io":    true,
	"resource.k8s.io":              true,
	"scheduling.k8s.io":            true,
	"storage.k8s.io":               true,
}

// runsNoPods reports whether objects of a kind certainly have no pods, so that
// passing over one hides nothing.
func runsNoPods(kind v1alpha1.GroupVersionKind) bool {
	if kind.Group != "" {
		return auxiliaryGroups[kind.Group]
	}
	return kind.Kind != "Pod" && kind.Kind != "ReplicationController" && kind.Kind != "PodTemplate"
}
