package v1alpha1

// Component is one role of the workload: master, worker, head, predictor. A
// component without specDefinition is logical: it groups other components (an
// LWS group) or stands for an object that has no pods of its own.
//
// All its expressions are evaluated on the workload root object, except those
// in podSelector.
type Component struct {
	// Name of the role, unique among the root and its children. ownerRef and
	// componentName refer to it, and users see it.
	//
	// +kubebuilder:validation:MinLength=1
	Name string `json:"name"`
	// Kind of the object that stands for the component in the cluster. The root
	// must have it: it decides which workloads the definition applies to. On a
	// child, absent means that no object stands for it; it is a purely logical
	// level or a part of its owner's object.
	//
	// +optional
	Kind *GroupVersionKind `json:"kind,omitempty"`
	// Name of the component directly above this one: a component name, not a
	// Kubernetes owner reference. Every child must have it; the root must not.
	//
	// +optional
	OwnerRef *string `json:"ownerRef,omitempty"`
	// Where the component's pods are described: exactly one of podTemplateSpecPath,
	// podSpecPath and fragmentedPodSpecDefinition is set in it. Absent means that
	// the component bears no pods of its own.
	//
	// +optional
	SpecDefinition *SpecDefinition `json:"specDefinition,omitempty"`
	// Where the component's counts are. A pod-bearing component counts pods of the
	// role over the whole workload, so a nested level already includes the factor
	// of the levels above it; a logical component counts its units. Leave it out
	// when the object states no count: an unknown number must stay unknown, not
	// become 1.
	//
	// +optional
	ScaleDefinition *ScaleDefinition `json:"scaleDefinition,omitempty"`
	// How the framework's own status translates to a phase. The root must have
	// it. A child may have it, but the phase of a workload comes from its root.
	//
	// +optional
	StatusDefinition *StatusDefinition `json:"statusDefinition,omitempty"`
	// How the framework itself suspends and resumes. Absent means that it cannot,
	// or that nobody has described it; a tool must then refuse to suspend.
	// ResourceInterface definitions do not know this field.
	//
	// +optional
	SuspendDefinition *SuspendDefinition `json:"suspendDefinition,omitempty"`
	// Jq expression on the root object that names the instances of a component
	// that repeats, such as the worker groups of a RayCluster. Shape: a stream of
	// unique, non-empty strings, one per instance; an empty stream means that
	// there are no instances. Absent means that the component does not repeat: it
	// has exactly one instance, whose id is the empty string. It goes together
	// with podSelector.componentInstanceSelector.
	//
	// +optional
	// +kubebuilder:validation:MinLength=1
	InstanceIDPath *string `json:"instanceIdPath,omitempty"`
	// How to tell that a pod belongs to this component. Absent is enough for the
	// only pod-bearing component of a workload, which owns every pod.
	//
	// +optional
	PodSelector *PodSelector `json:"podSelector,omitempty"`
}
