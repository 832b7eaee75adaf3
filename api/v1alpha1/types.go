package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// WorkloadMap is one definition: it says where a framework keeps its pod
// templates, replica counts, status and gang groups.
type WorkloadMap struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   WorkloadMapSpec   `json:"spec,omitempty"`
	Status WorkloadMapStatus `json:"status,omitempty"`
}

// WorkloadMapList is a list of definitions.
type WorkloadMapList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []WorkloadMap `json:"items"`
}

type WorkloadMapSpec struct {
	StructureDefinition      StructureDefinition       `json:"structureDefinition"`
	OptimizationInstructions *OptimizationInstructions `json:"optimizationInstructions,omitempty"`
}

type WorkloadMapStatus struct {
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

type StructureDefinition struct {
	RootComponent        Component          `json:"rootComponent"`
	ChildComponents      []Component        `json:"childComponents,omitempty"`
	AdditionalChildKinds []GroupVersionKind `json:"additionalChildKinds,omitempty"`
}

type GroupVersionKind struct {
	Group   string `json:"group"`
	Version string `json:"version"`
	Kind    string `json:"kind"`
}

type Component struct {
	Name              string             `json:"name"`
	Kind              *GroupVersionKind  `json:"kind,omitempty"`
	OwnerRef          *string            `json:"ownerRef,omitempty"`
	SpecDefinition    *SpecDefinition    `json:"specDefinition,omitempty"`
	ScaleDefinition   *ScaleDefinition   `json:"scaleDefinition,omitempty"`
	StatusDefinition  *StatusDefinition  `json:"statusDefinition,omitempty"`
	SuspendDefinition *SuspendDefinition `json:"suspendDefinition,omitempty"`
	InstanceIDPath    *string            `json:"instanceIdPath,omitempty"`
	PodSelector       *PodSelector       `json:"podSelector,omitempty"`
}

type SpecDefinition struct {
	PodTemplateSpecPath         *string                      `json:"podTemplateSpecPath,omitempty"`
	PodSpecPath                 *string                      `json:"podSpecPath,omitempty"`
	MetadataPath                *string                      `json:"metadataPath,omitempty"`
	FragmentedPodSpecDefinition *FragmentedPodSpecDefinition `json:"fragmentedPodSpecDefinition,omitempty"`
}

type FragmentedPodSpecDefinition struct {
	SchedulerNamePath     *string `json:"schedulerNamePath,omitempty"`
	LabelsPath            *string `json:"labelsPath,omitempty"`
	AnnotationsPath       *string `json:"annotationsPath,omitempty"`
	ResourcesPath         *string `json:"resourcesPath,omitempty"`
	ResourceClaimsPath    *string `json:"resourceClaimsPath,omitempty"`
	PodAffinityPath       *string `json:"podAffinityPath,omitempty"`
	NodeAffinityPath      *string `json:"nodeAffinityPath,omitempty"`
	ContainersPath        *string `json:"containersPath,omitempty"`
	ContainerPath         *string `json:"containerPath,omitempty"`
	PriorityClassNamePath *string `json:"priorityClassNamePath,omitempty"`
	ImagePath             *string `json:"imagePath,omitempty"`
}

type ScaleDefinition struct {
	ReplicasPath    *string `json:"replicasPath,omitempty"`
	MinReplicasPath *string `json:"minReplicasPath,omitempty"`
	MaxReplicasPath *string `json:"maxReplicasPath,omitempty"`
}

type StatusDefinition struct {
	PhaseDefinition      *PhaseDefinition      `json:"phaseDefinition,omitempty"`
	ConditionsDefinition *ConditionsDefinition `json:"conditionsDefinition,omitempty"`
	StatusMappings       StatusMappings        `json:"statusMappings"`
}

type PhaseDefinition struct {
	Path string `json:"path"`
}

type ConditionsDefinition struct {
	Path             string `json:"path"`
	TypeFieldName    string `json:"typeFieldName,omitempty"`
	StatusFieldName  string `json:"statusFieldName,omitempty"`
	MessageFieldName string `json:"messageFieldName,omitempty"`
	ReasonFieldName  string `json:"reasonFieldName,omitempty"`
}

type StatusMappings struct {
	Initializing []StatusMatcher `json:"initializing,omitempty"`
	Running      []StatusMatcher `json:"running,omitempty"`
	Completed    []StatusMatcher `json:"completed,omitempty"`
	Failed       []StatusMatcher `json:"failed,omitempty"`
	Degraded     []StatusMatcher `json:"degraded,omitempty"`
	Suspended    []StatusMatcher `json:"suspended,omitempty"`
	Suspending   []StatusMatcher `json:"suspending,omitempty"`
	Resuming     []StatusMatcher `json:"resuming,omitempty"`
}

type StatusMatcher struct {
	ByPhase      string             `json:"byPhase,omitempty"`
	ByConditions []ConditionMatcher `json:"byConditions,omitempty"`
	ByExpression *ExpressionMatcher `json:"byExpression,omitempty"`
}

type ConditionMatcher struct {
	Type   string `json:"type"`
	Status string `json:"status,omitempty"`
	Reason string `json:"reason,omitempty"`
}

type ExpressionMatcher struct {
	Expression     string `json:"expression"`
	ExpectedResult string `json:"expectedResult"`
}

type SuspendDefinition struct {
	SuspendActions []SuspendAction `json:"suspendActions"`
	ResumeActions  []SuspendAction `json:"resumeActions"`
}

type SuspendAction struct {
	Path  string `json:"path"`
	Value string `json:"value"`
}

type PodSelector struct {
	ComponentTypeSelector     *ComponentTypeSelector     `json:"componentTypeSelector,omitempty"`
	ComponentInstanceSelector *ComponentInstanceSelector `json:"componentInstanceSelector,omitempty"`
	ReplicaSelector           *ReplicaSelector           `json:"replicaSelector,omitempty"`
}

type ComponentTypeSelector struct {
	KeyPath     *string           `json:"keyPath,omitempty"`
	Value       *string           `json:"value,omitempty"`
	MatchLabels map[string]string `json:"matchLabels,omitempty"`
}

type ComponentInstanceSelector struct {
	IDPath string `json:"idPath"`
}

type ReplicaSelector struct {
	KeyPath string `json:"keyPath"`
}

type OptimizationInstructions struct {
	GangScheduling *GangSchedulingInstruction `json:"gangScheduling,omitempty"`
}

type GangSchedulingInstruction struct {
	PodGroups []PodGroup         `json:"podGroups,omitempty"`
	PodGroup  *PodGroupStructure `json:"podGroup,omitempty"`
}

type PodGroup struct {
	Name    string           `json:"name"`
	Members []PodGroupMember `json:"members,omitempty"`
}

type PodGroupMember struct {
	ComponentName   string   `json:"componentName"`
	GroupByKeyPaths []string `json:"groupByKeyPaths,omitempty"`
	Filters         []string `json:"filters,omitempty"`
}

type PodGroupStructure struct {
	Name      string              `json:"name"`
	SubGroups []SubGroup          `json:"subGroups,omitempty"`
	Topology  *TopologyConstraint `json:"topology,omitempty"`
}

type SubGroup struct {
	ComponentName string              `json:"componentName"`
	Topology      *TopologyConstraint `json:"topology,omitempty"`
}

type TopologyConstraint struct {
	TopologyName           string `json:"topologyName"`
	PreferredTopologyLevel string `json:"preferredTopologyLevel"`
	RequiredTopologyLevel  string `json:"requiredTopologyLevel"`
}
