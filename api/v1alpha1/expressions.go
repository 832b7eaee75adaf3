package v1alpha1

import (
	"fmt"
	"slices"
	"strings"
)

// Target says which object an expression is evaluated on.
type Target string

const (
	// OnRoot is the workload root object.
	OnRoot Target = "root"
	// OnPod is one Pod of the workload.
	OnPod Target = "pod"
)

// Role says what the result of an expression is used for, and so which shape and
// type it must have.
type Role string

// The roles, one for each jq field of the format.
const (
	RolePodTemplate               Role = "pod template"
	RolePodSpec                   Role = "pod spec"
	RoleMetadata                  Role = "pod metadata"
	RoleFragmentSchedulerName     Role = "scheduler name"
	RoleFragmentLabels            Role = "labels"
	RoleFragmentAnnotations       Role = "annotations"
	RoleFragmentResources         Role = "resources"
	RoleFragmentResourceClaims    Role = "resource claims"
	RoleFragmentPodAffinity       Role = "pod affinity"
	RoleFragmentNodeAffinity      Role = "node affinity"
	RoleFragmentContainers        Role = "containers"
	RoleFragmentContainer         Role = "container"
	RoleFragmentPriorityClassName Role = "priority class name"
	RoleFragmentImage             Role = "image"
	RoleReplicas                  Role = "replicas"
	RoleMinReplicas               Role = "minimum replicas"
	RoleMaxReplicas               Role = "maximum replicas"
	RolePhase                     Role = "phase"
	RoleConditions                Role = "conditions"
	RoleStatusExpression          Role = "status expression"
	// RoleSuspendPath is a path that suspending or resuming writes to.
	RoleSuspendPath Role = "suspend path"
	RoleInstanceID  Role = "instance id"
	// RoleTypeSelector, RoleInstanceSelector and RoleReplicaSelector tell which
	// component, instance and replica unit a pod belongs to.
	RoleTypeSelector     Role = "component type selector"
	RoleInstanceSelector Role = "component instance selector"
	RoleReplicaSelector  Role = "replica selector"
	RoleGroupKey         Role = "gang key"
	RoleFilter           Role = "gang filter"
)

// Expression is one jq expression of a definition and what must be known to
// judge it.
//
// +kubebuilder:object:generate=false
type Expression struct {
	// Path leads to the string from the document's root: field names as strings,
	// list indexes as ints, counted from 0.
	Path []any
	// Component is the name of the component that the expression belongs to; for a
	// gang key or filter, of the member component. It is what the definition says,
	// so it may name no component.
	Component string
	// Field is the last part of Path as text: below the component for components
	// ("scaleDefinition.replicasPath"), below gangScheduling for gangs
	// ("podGroups[0].members[1].filters[0]").
	Field string
	// On is the object that it is evaluated on.
	On Target
	// Role is what its result is used for.
	Role Role
	// Text is the expression, never empty.
	Text string
}

// Expressions lists every jq expression of the definition in the order of the
// format's fields: the root component, its children as declared, the gangs.
// Empty strings are left out: they are not expressions.
func (w *WorkloadMap) Expressions() []Expression {
	var list expressionList
	for _, c := range w.Components() {
		at := place{component: c.Name, base: c.Path, on: OnRoot}
		list.spec(at.in("specDefinition"), c.SpecDefinition)
		list.scale(at.in("scaleDefinition"), c.ScaleDefinition)
		list.status(at.in("statusDefinition"), c.StatusDefinition)
		list.suspend(at.in("suspendDefinition"), c.SuspendDefinition)
		list.optional(at.in("instanceIdPath"), RoleInstanceID, c.InstanceIDPath)
		at.on = OnPod
		list.podSelector(at.in("podSelector"), c.PodSelector)
	}
	if hints := w.Spec.OptimizationInstructions; hints != nil {
		list.gangs(hints.GangScheduling)
	}
	return list
}

// place is a position in the document: base leads to the component or the gang
// instruction, below leads on from there.
//
// +kubebuilder:object:generate=false
type place struct {
	component string
	base      []any
	below     []any
	on        Target
}

// in returns the place further down, without touching p: siblings share it.
func (p place) in(segments ...any) place {
	p.below = slices.Concat(p.below, segments)
	return p
}

// field renders segments as a.b[0].c.
func field(segments []any) string {
	var text strings.Builder
	for _, s := range segments {
		switch s := s.(type) {
		case int:
			fmt.Fprintf(&text, "[%d]", s)
		default:
			if text.Len() > 0 {
				text.WriteByte('.')
			}
			fmt.Fprint(&text, s)
		}
	}
	return text.String()
}

// expressionList collects expressions; each method walks one type of the format
// in the order of its fields.
//
// +kubebuilder:object:generate=false
type expressionList []Expression

func (l *expressionList) add(at place, role Role, text string) {
	if text == "" {
		return
	}
	*l = append(*l, Expression{
		Path:      slices.Concat(at.base, at.below),
		Component: at.component,
		Field:     field(at.below),
		On:        at.on,
		Role:      role,
		Text:      text,
	})
}

func (l *expressionList) optional(at place, role Role, text *string) {
	if text != nil {
		l.add(at, role, *text)
	}
}

func (l *expressionList) spec(at place, d *SpecDefinition) {
	if d == nil {
		return
	}
	l.optional(at.in("podTemplateSpecPath"), RolePodTemplate, d.PodTemplateSpecPath)
	l.optional(at.in("podSpecPath"), RolePodSpec, d.PodSpecPath)
	l.optional(at.in("metadataPath"), RoleMetadata, d.MetadataPath)
	f := d.FragmentedPodSpecDefinition
	if f == nil {
		return
	}
	at = at.in("fragmentedPodSpecDefinition")
	l.optional(at.in("schedulerNamePath"), RoleFragmentSchedulerName, f.SchedulerNamePath)
	l.optional(at.in("labelsPath"), RoleFragmentLabels, f.LabelsPath)
	l.optional(at.in("annotationsPath"), RoleFragmentAnnotations, f.AnnotationsPath)
	l.optional(at.in("resourcesPath"), RoleFragmentResources, f.ResourcesPath)
	l.optional(at.in("resourceClaimsPath"), RoleFragmentResourceClaims, f.ResourceClaimsPath)
	l.optional(at.in("podAffinityPath"), RoleFragmentPodAffinity, f.PodAffinityPath)
	l.optional(at.in("nodeAffinityPath"), RoleFragmentNodeAffinity, f.NodeAffinityPath)
	l.optional(at.in("containersPath"), RoleFragmentContainers, f.ContainersPath)
	l.optional(at.in("containerPath"), RoleFragmentContainer, f.ContainerPath)
	l.optional(at.in("priorityClassNamePath"), RoleFragmentPriorityClassName, f.PriorityClassNamePath)
	l.optional(at.in("imagePath"), RoleFragmentImage, f.ImagePath)
}

func (l *expressionList) scale(at place, d *ScaleDefinition) {
	if d == nil {
		return
	}
	l.optional(at.in("replicasPath"), RoleReplicas, d.ReplicasPath)
	l.optional(at.in("minReplicasPath"), RoleMinReplicas, d.MinReplicasPath)
	l.optional(at.in("maxReplicasPath"), RoleMaxReplicas, d.MaxReplicasPath)
}

func (l *expressionList) status(at place, d *StatusDefinition) {
	if d == nil {
		return
	}
	if d.PhaseDefinition != nil {
		l.add(at.in("phaseDefinition", "path"), RolePhase, d.PhaseDefinition.Path)
	}
	if d.ConditionsDefinition != nil {
		l.add(at.in("conditionsDefinition", "path"), RoleConditions, d.ConditionsDefinition.Path)
	}
	for _, phase := range Phases() {
		for i, m := range d.StatusMappings.For(phase) {
			if m.ByExpression != nil {
				l.add(at.in("statusMappings", phase.Key(), i, "byExpression", "expression"), RoleStatusExpression, m.ByExpression.Expression)
			}
		}
	}
}

func (l *expressionList) suspend(at place, d *SuspendDefinition) {
	if d == nil {
		return
	}
	for i, action := range d.SuspendActions {
		l.add(at.in("suspendActions", i, "path"), RoleSuspendPath, action.Path)
	}
	for i, action := range d.ResumeActions {
		l.add(at.in("resumeActions", i, "path"), RoleSuspendPath, action.Path)
	}
}

func (l *expressionList) podSelector(at place, d *PodSelector) {
	if d == nil {
		return
	}
	if d.ComponentTypeSelector != nil {
		l.optional(at.in("componentTypeSelector", "keyPath"), RoleTypeSelector, d.ComponentTypeSelector.KeyPath)
	}
	if d.ComponentInstanceSelector != nil {
		l.add(at.in("componentInstanceSelector", "idPath"), RoleInstanceSelector, d.ComponentInstanceSelector.IDPath)
	}
	if d.ReplicaSelector != nil {
		l.add(at.in("replicaSelector", "keyPath"), RoleReplicaSelector, d.ReplicaSelector.KeyPath)
	}
}

func (l *expressionList) gangs(d *GangSchedulingInstruction) {
	if d == nil {
		return
	}
	for g, group := range d.PodGroups {
		for m, member := range group.Members {
			at := place{
				component: member.ComponentName,
				base:      []any{"spec", "optimizationInstructions", "gangScheduling"},
				below:     []any{"podGroups", g, "members", m},
				on:        OnPod,
			}
			for i, key := range member.GroupByKeyPaths {
				l.add(at.in("groupByKeyPaths", i), RoleGroupKey, key)
			}
			for i, filter := range member.Filters {
				l.add(at.in("filters", i), RoleFilter, filter)
			}
		}
	}
}
