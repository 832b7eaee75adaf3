package v1alpha1

// SuspendDefinition is the framework's native suspend and resume, as writes to
// the workload root object. Both directions are described, so that what is
// suspended can be brought back.
type SuspendDefinition struct {
	// Writes that suspend the workload, done in order, all or none.
	//
	// +listType=atomic
	// +kubebuilder:validation:MinItems=1
	SuspendActions []SuspendAction `json:"suspendActions"`
	// Writes that resume the workload, done in order, all or none.
	//
	// +listType=atomic
	// +kubebuilder:validation:MinItems=1
	ResumeActions []SuspendAction `json:"resumeActions"`
}

// SuspendAction writes one value to one place.
type SuspendAction struct {
	// Jq expression on the root object that selects the field to write. It reads
	// only (no assignment in it) and must be assignable. Shape: one or more
	// places, which all get the value.
	//
	// +kubebuilder:validation:MinLength=1
	Path string `json:"path"`
	// The value to write, as a string that holds a JSON document: 'true', '0',
	// '"paused"' with the inner quotes, 'null'. Writing null leaves a null in the
	// field, it does not remove the field.
	//
	// +kubebuilder:validation:MinLength=1
	Value string `json:"value"`
}
