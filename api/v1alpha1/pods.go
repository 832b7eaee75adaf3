package v1alpha1

// SpecDefinition says where the component's pods are described. Exactly one of
// podTemplateSpecPath, podSpecPath and fragmentedPodSpecDefinition is set.
//
// Every path in it is evaluated on the workload root object and yields one
// result per instance. Null means that this workload does not have the role.
// The same path is used to read and to edit, so a path that jq cannot assign to
// (a constructed object, for example) makes the field read-only.
type SpecDefinition struct {
	// Jq expression on the root object that yields the PodTemplateSpec (metadata
	// and spec) of the component. Shape: one per instance. Null: the workload
	// does not have this role.
	//
	// +optional
	// +kubebuilder:validation:MinLength=1
	PodTemplateSpecPath *string `json:"podTemplateSpecPath,omitempty"`
	// Jq expression on the root object that yields the bare PodSpec of the
	// component, for frameworks that keep no pod metadata beside it. Shape: one
	// per instance. Null: the workload does not have this role.
	//
	// +optional
	// +kubebuilder:validation:MinLength=1
	PodSpecPath *string `json:"podSpecPath,omitempty"`
	// Jq expression on the root object that yields the pod metadata (labels and
	// annotations) that goes with podSpecPath. Shape: one per instance. Null: no
	// metadata. On its own it does not make the component bear pods.
	//
	// +optional
	// +kubebuilder:validation:MinLength=1
	MetadataPath *string `json:"metadataPath,omitempty"`
	// Where the single parts of a pod are, for frameworks that have neither a pod
	// template nor a pod spec but fields of their own. Name only the parts that
	// exist. Null for an instance means that it lacks the part; a path must not
	// skip the instance instead, because then it cannot be paired with the others.
	//
	// +optional
	FragmentedPodSpecDefinition *FragmentedPodSpecDefinition `json:"fragmentedPodSpecDefinition,omitempty"`
}

// FragmentedPodSpecDefinition says where the parts of a pod are when the
// framework spreads them over fields of its own. Name only the parts that exist.
//
// Every path is evaluated on the workload root object and yields one result per
// instance. An instance that lacks the part yields null; a path that skips the
// instance instead cannot be paired with the others and is reported.
type FragmentedPodSpecDefinition struct {
	// Jq expression on the root object that yields the scheduler's name, a string.
	// Shape: one per instance. Absent or null: the cluster's default scheduler.
	//
	// +optional
	// +kubebuilder:validation:MinLength=1
	SchedulerNamePath *string `json:"schedulerNamePath,omitempty"`
	// Jq expression on the root object that yields the labels of the pods, an
	// object with string values. Shape: one per instance. Absent or null: none.
	//
	// +optional
	// +kubebuilder:validation:MinLength=1
	LabelsPath *string `json:"labelsPath,omitempty"`
	// Jq expression on the root object that yields the annotations of the pods, an
	// object with string values. Shape: one per instance. Absent or null: none.
	//
	// +optional
	// +kubebuilder:validation:MinLength=1
	AnnotationsPath *string `json:"annotationsPath,omitempty"`
	// Jq expression on the root object that yields the ResourceRequirements
	// (requests and limits) of the pod's only or main container. It counts when no
	// container is described. Shape: one per instance. Absent or null: the object
	// states no requests.
	//
	// +optional
	// +kubebuilder:validation:MinLength=1
	ResourcesPath *string `json:"resourcesPath,omitempty"`
	// Jq expression on the root object that yields the PodResourceClaims (DRA) of
	// the pods. Shape: one list per instance. Absent or null: none.
	//
	// +optional
	// +kubebuilder:validation:MinLength=1
	ResourceClaimsPath *string `json:"resourceClaimsPath,omitempty"`
	// Jq expression on the root object that yields the PodAffinity of the pods.
	// Shape: one per instance. Absent or null: none.
	//
	// +optional
	// +kubebuilder:validation:MinLength=1
	PodAffinityPath *string `json:"podAffinityPath,omitempty"`
	// Jq expression on the root object that yields the NodeAffinity of the pods.
	// Shape: one per instance. Absent or null: none.
	//
	// +optional
	// +kubebuilder:validation:MinLength=1
	NodeAffinityPath *string `json:"nodeAffinityPath,omitempty"`
	// Jq expression on the root object that yields the containers of the pods.
	// Shape: one list of Container per instance. Absent or null: not stated.
	//
	// +optional
	// +kubebuilder:validation:MinLength=1
	ContainersPath *string `json:"containersPath,omitempty"`
	// Jq expression on the root object that yields one Container, for frameworks
	// that describe a single one. Shape: one per instance. Absent or null: not
	// stated. Use either this or containersPath.
	//
	// +optional
	// +kubebuilder:validation:MinLength=1
	ContainerPath *string `json:"containerPath,omitempty"`
	// Jq expression on the root object that yields the priority class's name, a
	// string. Shape: one per instance. Absent or null: the cluster's default.
	//
	// +optional
	// +kubebuilder:validation:MinLength=1
	PriorityClassNamePath *string `json:"priorityClassNamePath,omitempty"`
	// Jq expression on the root object that yields the image of the main
	// container, a string. Shape: one per instance. Absent or null: not stated.
	//
	// +optional
	// +kubebuilder:validation:MinLength=1
	ImagePath *string `json:"imagePath,omitempty"`
}
