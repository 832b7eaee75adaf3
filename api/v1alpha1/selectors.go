package v1alpha1

// PodSelector says how a pod is told to belong to the component. All its
// expressions are evaluated on one Pod.
type PodSelector struct {
	// Tells the component's pods from the pods of other components, by an
	// expression, by labels, or by both; all that is given must match. Absent is
	// right only when the component is the only one that bears pods.
	//
	// +optional
	ComponentTypeSelector *ComponentTypeSelector `json:"componentTypeSelector,omitempty"`
	// Tells to which instance of the component a pod belongs. It goes together
	// with instanceIdPath: one without the other is an error.
	//
	// +optional
	ComponentInstanceSelector *ComponentInstanceSelector `json:"componentInstanceSelector,omitempty"`
	// Tells to which copy of a replicated level a pod belongs. Declared once, at
	// the component that is replicated; the components below inherit it. Absent:
	// nothing is replicated as a unit.
	//
	// +optional
	ReplicaSelector *ReplicaSelector `json:"replicaSelector,omitempty"`
}

// ComponentTypeSelector selects the pods of a component, by an expression, by
// labels, or by both; all that is given must match.
//
// +kubebuilder:validation:XValidation:rule="has(self.keyPath) || has(self.matchLabels)",message="give keyPath, matchLabels or both"
// +kubebuilder:validation:XValidation:rule="!has(self.value) || has(self.keyPath)",message="value is compared with the result of keyPath, so keyPath is needed too"
type ComponentTypeSelector struct {
	// Jq expression on the pod. With value, its result must equal that value;
	// without, any result that is not null selects the pod. Shape: one. A pod for
	// which it yields null is not selected. Absent: labels alone decide.
	// ResourceInterface definitions always have it.
	//
	// +optional
	// +kubebuilder:validation:MinLength=1
	KeyPath *string `json:"keyPath,omitempty"`
	// String that the result of keyPath must equal; not an expression. Absent:
	// any result that is not null selects the pod. The whole of keyPath is
	// compared, also when it ends in an alternative (a // b).
	//
	// +optional
	Value *string `json:"value,omitempty"`
	// Labels that the pod must have, with these values. Absent: keyPath alone
	// decides. ResourceInterface definitions do not know this field.
	//
	// +optional
	// +kubebuilder:validation:MinProperties=1
	MatchLabels map[string]string `json:"matchLabels,omitempty"`
}

// ComponentInstanceSelector tells the instance of a pod.
type ComponentInstanceSelector struct {
	// Jq expression on the pod that yields the id of its instance, as
	// instanceIdPath names it. Shape: one, not null and not empty.
	//
	// +kubebuilder:validation:MinLength=1
	IDPath string `json:"idPath"`
}

// ReplicaSelector tells the replica unit of a pod.
type ReplicaSelector struct {
	// Jq expression on the pod that yields the id of its replica unit, such as
	// the index of an LWS group. Shape: one, not null and not empty.
	//
	// +kubebuilder:validation:MinLength=1
	KeyPath string `json:"keyPath"`
}
