package v1alpha1

// OptimizationInstructions are hints that a scheduler may use.
type OptimizationInstructions struct {
	// Which pods must be placed together. Absent: none.
	//
	// +optional
	GangScheduling *GangSchedulingInstruction `json:"gangScheduling,omitempty"`
}

// GangSchedulingInstruction describes the gangs of the workload in one of two
// forms, which say different things: podGroups knows keys and filters, podGroup
// knows subgroups and topology. When both are given, the KAI scheduler reads
// podGroup only.
type GangSchedulingInstruction struct {
	// Gangs by member component and key; upstream calls this form deprecated.
	// Absent: see podGroup.
	//
	// +optional
	// +listType=map
	// +listMapKey=name
	PodGroups []PodGroup `json:"podGroups,omitempty"`
	// One gang for the whole workload, with subgroups and topology. Known since
	// Karta 0.2.0. Absent: see podGroups.
	//
	// +optional
	PodGroup *PodGroupStructure `json:"podGroup,omitempty"`
}

// PodGroup describes gangs by their members. One PodGroup becomes as many gangs
// as its keys have values.
type PodGroup struct {
	// Name of the group, unique in the definition.
	//
	// +kubebuilder:validation:MinLength=1
	Name string `json:"name"`
	// The components whose pods are in the gang, each at most once.
	//
	// +listType=map
	// +listMapKey=componentName
	// +required
	Members []PodGroupMember `json:"members,omitempty"`
}

// PodGroupMember puts the pods of a component, and of the components below it,
// into a gang.
type PodGroupMember struct {
	// Name of a component; it may be the root and need not bear pods itself.
	//
	// +kubebuilder:validation:MinLength=1
	ComponentName string `json:"componentName"`
	// Jq expressions on the pod whose results, in order, are the gang's key: pods
	// with equal keys are in one gang. Shape of each: one, not null and not
	// empty. Absent: the whole workload is one gang.
	//
	// +optional
	// +listType=set
	// +kubebuilder:validation:items:MinLength=1
	GroupByKeyPaths []string `json:"groupByKeyPaths,omitempty"`
	// Jq expressions on the pod that must all yield the boolean true for the pod
	// to be a member. Shape of each: one boolean; give a default for labels that a
	// pod may lack, because null is not a "no". Absent: every pod is a member.
	//
	// +optional
	// +listType=set
	// +kubebuilder:validation:items:MinLength=1
	Filters []string `json:"filters,omitempty"`
}

// PodGroupStructure is one gang for the whole workload. Known since Karta 0.2.0.
type PodGroupStructure struct {
	// Name of the gang.
	//
	// +kubebuilder:validation:MinLength=1
	Name string `json:"name"`
	// Parts of the gang that are placed as units of their own, at most one per
	// component. Absent: the gang has no parts. The KAI scheduler finds a pod's
	// subgroup through the component's componentTypeSelector only.
	//
	// +optional
	// +listType=map
	// +listMapKey=componentName
	SubGroups []SubGroup `json:"subGroups,omitempty"`
	// Where in the cluster the whole gang may be placed. Absent: anywhere.
	//
	// +optional
	Topology *TopologyConstraint `json:"topology,omitempty"`
}

// SubGroup is the part of a gang that one component makes up.
type SubGroup struct {
	// Name of the component whose pods, and those of the components below it, are
	// the subgroup.
	//
	// +kubebuilder:validation:MinLength=1
	ComponentName string `json:"componentName"`
	// Where in the cluster the subgroup may be placed. Absent: as the whole gang.
	//
	// +optional
	Topology *TopologyConstraint `json:"topology,omitempty"`
}

// TopologyConstraint keeps pods near each other. All three fields are written
// out; one of the two levels may be an empty string, which means that there is
// no such constraint.
type TopologyConstraint struct {
	// Name of the cluster's topology object that defines the levels.
	//
	// +kubebuilder:validation:MinLength=1
	TopologyName string `json:"topologyName"`
	// Level to keep the pods within if possible: "rack". Empty: no preference.
	PreferredTopologyLevel string `json:"preferredTopologyLevel"`
	// Level that the pods must be kept within: "zone". Empty: no requirement.
	RequiredTopologyLevel string `json:"requiredTopologyLevel"`
}
