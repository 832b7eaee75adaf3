package v1alpha1

// ScaleDefinition says where the component's counts are.
//
// Every path is evaluated on the workload root object and yields one whole
// number per instance, or a string that holds one (the latter since Karta of
// September 2026). A literal such as "1" is a legal path.
type ScaleDefinition struct {
	// Jq expression on the root object that yields the desired count. Shape: one
	// per instance. Absent or null: the object does not state it, which is not the
	// same as 0.
	//
	// +optional
	// +kubebuilder:validation:MinLength=1
	ReplicasPath *string `json:"replicasPath,omitempty"`
	// Jq expression on the root object that yields the least count that an
	// elastic workload can run with. Shape: one per instance. Absent or null: no
	// lower bound of its own.
	//
	// +optional
	// +kubebuilder:validation:MinLength=1
	MinReplicasPath *string `json:"minReplicasPath,omitempty"`
	// Jq expression on the root object that yields the count that an autoscaler
	// may grow to. Shape: one per instance. Absent or null: no upper bound of its
	// own.
	//
	// +optional
	// +kubebuilder:validation:MinLength=1
	MaxReplicasPath *string `json:"maxReplicasPath,omitempty"`
}
