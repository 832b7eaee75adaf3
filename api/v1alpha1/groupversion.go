package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

const (
	// Group is the API group of the canonical dialect.
	Group = "workloadmap.dev"
	// Version is the only version of the format so far.
	Version = "v1alpha1"
	// Kind is the kind of one definition.
	Kind = "WorkloadMap"
	// Resource is the plural name that the API server serves definitions under.
	Resource = "workloadmaps"
)

// GroupVersion identifies these types in a runtime.Scheme. It is never changed.
var GroupVersion = schema.GroupVersion{Group: Group, Version: Version}

// AddToScheme makes the types known to a typed Kubernetes client. It returns no
// error today; the result keeps the signature that client libraries expect.
func AddToScheme(scheme *runtime.Scheme) error {
	scheme.AddKnownTypes(GroupVersion, &WorkloadMap{}, &WorkloadMapList{})
	metav1.AddToGroupVersion(scheme, GroupVersion)
	return nil
}
