package v1alpha1

import "strings"

// Slug is the conventional name of the definition for a root kind: the group
// with dots as dashes, or "core", then the kind in lower case, then the version:
// "ray-io-raycluster-v1", "core-pod-v1".
func Slug(kind GroupVersionKind) string {
	group := "core"
	if kind.Group != "" {
		group = strings.ReplaceAll(kind.Group, ".", "-")
	}
	return group + "-" + strings.ToLower(kind.Kind) + "-" + kind.Version
}

// APIVersion is the kind's group and version as objects carry them: "ray.io/v1",
// or "v1" for the core group.
func (k GroupVersionKind) APIVersion() string {
	if k.Group == "" {
		return k.Version
	}
	return k.Group + "/" + k.Version
}
