package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// WorkloadMap is one definition. It says where one kind of workload keeps its
// pod templates, replica counts, status and gangs.
//
// It is cluster-scoped. By convention its name is the slug of the root kind:
// the group with dots as dashes (or "core"), the kind in lower case, the
// version, as in ray-io-raycluster-v1.
//
// +kubebuilder:object:root=true
// +kubebuilder:resource:path=workloadmaps,singular=workloadmap,scope=Cluster,shortName=wm
// +kubebuilder:subresource:status
// +kubebuilder:printcolumn:name="Framework",type=string,JSONPath=`.spec.structureDefinition.rootComponent.kind.kind`
// +kubebuilder:printcolumn:name="Root Component",type=string,JSONPath=`.spec.structureDefinition.rootComponent.name`
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`
type WorkloadMap struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// What the definition says about the workload.
	//
	// +required
	Spec WorkloadMapSpec `json:"spec,omitempty"`
	// What a controller in the cluster found out about the definition. Authors
	// leave it out and nothing in this project reads it.
	//
	// +optional
	Status WorkloadMapStatus `json:"status,omitempty"`
}

// WorkloadMapList is a list of definitions, as an API server returns it.
//
// +kubebuilder:object:root=true
type WorkloadMapList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	// The definitions, in the order of the API server.
	Items []WorkloadMap `json:"items"`
}

// WorkloadMapSpec is what a definition says about one kind of workload.
type WorkloadMapSpec struct {
	// The components of the workload and how they hang together.
	StructureDefinition StructureDefinition `json:"structureDefinition"`
	// Hints for schedulers. Absent, or an empty object, means that no gang is
	// known: pods are scheduled one by one.
	//
	// +optional
	OptimizationInstructions *OptimizationInstructions `json:"optimizationInstructions,omitempty"`
}

// WorkloadMapStatus is what a controller in the cluster reports about a definition.
type WorkloadMapStatus struct {
	// Conditions by type: whether the definition is valid, whether the root kind
	// is served by the cluster, whether it is ready for use.
	//
	// +optional
	// +listType=map
	// +listMapKey=type
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

// StructureDefinition names the components of a workload. They are listed flat;
// ownerRef makes them a tree.
type StructureDefinition struct {
	// The workload's own object, at the top of the tree. It needs kind and
	// statusDefinition and has no ownerRef.
	RootComponent Component `json:"rootComponent"`
	// All other components, each with an ownerRef to the component above it.
	// Absent means that the root is the only component.
	//
	// +optional
	// +listType=map
	// +listMapKey=name
	ChildComponents []Component `json:"childComponents,omitempty"`
	// Kinds that the workload creates, or that stand between it and its pods in
	// the owner chain, without being components. They tell a reader which objects
	// it needs permission to read, and let it walk from a pod to the workload. A
	// kind name occurs once in the list, whatever its group.
	//
	// +optional
	// +listType=map
	// +listMapKey=kind
	AdditionalChildKinds []GroupVersionKind `json:"additionalChildKinds,omitempty"`
}

// GroupVersionKind names a kind of Kubernetes object. All three fields are
// written out; the core group is an empty string.
type GroupVersionKind struct {
	// API group, without the version: "ray.io", or "" for the core group.
	Group string `json:"group"`
	// API version, without the group: "v1".
	//
	// +kubebuilder:validation:MinLength=1
	Version string `json:"version"`
	// Kind in the singular and in camel case: "RayCluster".
	//
	// +kubebuilder:validation:MinLength=1
	Kind string `json:"kind"`
}
