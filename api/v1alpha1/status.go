package v1alpha1

// StatusDefinition says how the framework's own status translates to a phase.
// All its expressions are evaluated on the workload root object.
type StatusDefinition struct {
	// Where the framework's own phase word is. Absent: the framework has none, and
	// byPhase matches nothing.
	//
	// +optional
	PhaseDefinition *PhaseDefinition `json:"phaseDefinition,omitempty"`
	// Where the framework's conditions are. Absent: the framework has none, and
	// byConditions matches nothing.
	//
	// +optional
	ConditionsDefinition *ConditionsDefinition `json:"conditionsDefinition,omitempty"`
	// Which framework status means which phase: a phase matches when any of its
	// matchers does, and several phases may match at once. When none matches, the
	// phase is Undefined.
	StatusMappings StatusMappings `json:"statusMappings"`
}

// PhaseDefinition says where the framework's own phase word is.
type PhaseDefinition struct {
	// Jq expression on the root object that yields the framework's phase, a
	// string. Shape: one; the first result counts. Null or no result: the
	// framework has not set a phase yet.
	//
	// +kubebuilder:validation:MinLength=1
	Path string `json:"path"`
}

// ConditionsDefinition says where the framework's conditions are and how their
// fields are named. The names default to those of Kubernetes conditions, however
// the definition was loaded; the first implementation applied them only to
// definitions that came from an API server.
type ConditionsDefinition struct {
	// Jq expression on the root object that yields the conditions. Shape: a list
	// of objects; several lists are joined. Null or no result: no conditions yet.
	//
	// +kubebuilder:validation:MinLength=1
	Path string `json:"path"`
	// Field of a condition that holds its type. Absent or empty: "type".
	//
	// +optional
	// +kubebuilder:default=type
	TypeFieldName string `json:"typeFieldName,omitempty"`
	// Field of a condition that holds its status. Absent or empty: "status".
	//
	// +optional
	// +kubebuilder:default=status
	StatusFieldName string `json:"statusFieldName,omitempty"`
	// Field of a condition that holds its message. Absent or empty: "message".
	//
	// +optional
	// +kubebuilder:default=message
	MessageFieldName string `json:"messageFieldName,omitempty"`
	// Field of a condition that holds its reason. Absent or empty: "reason".
	//
	// +optional
	// +kubebuilder:default=reason
	ReasonFieldName string `json:"reasonFieldName,omitempty"`
}

// StatusMappings gives, for each phase, the matchers that make it apply: a phase
// matches when any of its matchers does. Several phases may match at once; the
// headline is then the first of Failed, Completed, Suspending, Resuming,
// Suspended, Degraded, Running, Initializing. When none matches, the phase is
// Undefined, which has no key here.
type StatusMappings struct {
	// The workload exists but does not do its work yet: pods are pending, images
	// are pulled, a cluster is formed. Absent: never matches.
	//
	// +optional
	Initializing []StatusMatcher `json:"initializing,omitempty"`
	// The workload does its work. Absent: never matches.
	//
	// +optional
	Running []StatusMatcher `json:"running,omitempty"`
	// The workload has ended well and will not run again. Absent: never matches,
	// which is right for services.
	//
	// +optional
	Completed []StatusMatcher `json:"completed,omitempty"`
	// The workload has ended badly, or cannot go on without help. Absent: never
	// matches.
	//
	// +optional
	Failed []StatusMatcher `json:"failed,omitempty"`
	// The workload does its work with less than it should have. Absent: never
	// matches.
	//
	// +optional
	Degraded []StatusMatcher `json:"degraded,omitempty"`
	// The workload is paused and has no pods. Absent: never matches.
	// ResourceInterface definitions do not know this phase.
	//
	// +optional
	Suspended []StatusMatcher `json:"suspended,omitempty"`
	// The workload is about to be paused and still has pods. Absent: never
	// matches. ResourceInterface definitions do not know this phase.
	//
	// +optional
	Suspending []StatusMatcher `json:"suspending,omitempty"`
	// The workload comes back from a pause. Absent: never matches.
	// ResourceInterface definitions do not know this phase.
	//
	// +optional
	Resuming []StatusMatcher `json:"resuming,omitempty"`
}

// StatusMatcher is one way for a phase to apply. All that is set in it must hold;
// an empty matcher always matches.
type StatusMatcher struct {
	// The framework's own phase word, compared exactly and case-sensitively.
	// Absent or empty: not looked at. It needs phaseDefinition.
	//
	// +optional
	ByPhase string `json:"byPhase,omitempty"`
	// Conditions that must all hold. Absent or empty: not looked at. It needs
	// conditionsDefinition.
	//
	// +optional
	ByConditions []ConditionMatcher `json:"byConditions,omitempty"`
	// An expression on the root object that must have a given result. Absent: not
	// looked at.
	//
	// +optional
	ByExpression *ExpressionMatcher `json:"byExpression,omitempty"`
}

// ConditionMatcher asks for one condition. A condition that the object does not
// have never matches, not even a matcher for status "False".
type ConditionMatcher struct {
	// Type of the condition, compared exactly.
	//
	// +kubebuilder:validation:MinLength=1
	Type string `json:"type"`
	// Status that the condition must have, a string: "True", "False" or
	// "Unknown". Absent or empty: any.
	//
	// +optional
	Status string `json:"status,omitempty"`
	// Reason that the condition must have, compared exactly. Absent or empty: any.
	//
	// +optional
	Reason string `json:"reason,omitempty"`
}

// ExpressionMatcher compares the result of an expression with a text.
type ExpressionMatcher struct {
	// Jq expression on the root object. Shape: one; the first result is turned
	// into text as jq's tostring does (true, 3, null; strings stay as they are) and
	// compared. No result: no match.
	//
	// +kubebuilder:validation:MinLength=1
	Expression string `json:"expression"`
	// Text that the result must equal, a string; mostly "true".
	ExpectedResult string `json:"expectedResult"`
}
