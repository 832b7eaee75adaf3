package resolver

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/workloadmap/wm/api/v1alpha1"
)

// Workload is what a definition says about one object: a tree of roles with
// replica counts, requests and one phase. Its JSON form is a contract (see
// docs/reference); a number that the object does not state is null, never 0.
type Workload struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Namespace  string `json:"namespace"`
	Name       string `json:"name"`
	UID        string `json:"uid"`
	// CreatedAt is metadata.creationTimestamp as the object states it, RFC 3339; null for an object that was never created.
	CreatedAt *string `json:"createdAt"`

	Definition DefinitionReference `json:"definition"`

	// Phase is the headline: the first of v1alpha1.HeadlinePhases that matched.
	Phase v1alpha1.Phase `json:"phase"`
	// MatchedPhases holds every phase that matched, in v1alpha1.MatchPhases order; [Undefined] when none did.
	MatchedPhases []v1alpha1.Phase `json:"matchedPhases"`
	// NativePhase is the framework's own word, null when the definition names none or the object has none yet.
	NativePhase *string     `json:"nativePhase"`
	Conditions  []Condition `json:"conditions"`

	// Replicas counts pods of all pod-bearing components.
	Replicas Replicas `json:"replicas"`
	// Resources is the sum over all pod-bearing components.
	Resources Resources `json:"resources"`

	// Components are the roles that this object has, in the definition's order;
	// a role that the object leaves out is not listed.
	Components []Component `json:"components"`

	// Gangs are the sets of pods that must be placed together.
	Gangs []Gang `json:"gangs"`

	// Unattributed and Ambiguous name pods of the workload that no component
	// claims, and that more than one claims. Both are empty when no pods were given.
	Unattributed []string `json:"unattributed"`
	Ambiguous    []string `json:"ambiguous"`

	// Problems lists what could not be read; everything else stays valid.
	Problems []Problem `json:"problems"`
}

// DefinitionReference says which definition read the object and where that definition came from.
type DefinitionReference struct {
	Name   string `json:"name"`
	Origin string `json:"origin"`
}

// Condition is one status condition of the object, read through the definition's field names.
type Condition struct {
	Type    string `json:"type"`
	Status  string `json:"status"`
	Reason  string `json:"reason"`
	Message string `json:"message"`
}

// Replicas counts pods. Current counts those that have neither finished nor
// begun to be deleted, Ready those of them whose Ready condition is True; both
// are null when no pods were given.
type Replicas struct {
	// Desired is null when some role's count cannot be known from the object.
	Desired *int64 `json:"desired"`
	Current *int64 `json:"current"`
	Ready   *int64 `json:"ready"`
}

// InstanceReplicas counts the pods of one instance over the whole workload, or
// the units of a logical component.
type InstanceReplicas struct {
	Desired *int64 `json:"desired"`
	Min     *int64 `json:"min"`
	Max     *int64 `json:"max"`
	Current *int64 `json:"current"`
	Ready   *int64 `json:"ready"`
}

// Resources are effective requests. Requests is never null.
type Resources struct {
	Requests corev1.ResourceList `json:"requests"`
	// GPUs is the number of whole accelerators among Requests (see Accelerator);
	// MIG slices and shared or virtual shares are listed in Requests and not counted here.
	GPUs int64 `json:"gpus"`
	// Claims are Dynamic Resource Allocation claims; how many devices a claim
	// holds is written in another object, so they are not part of GPUs.
	Claims []Claim `json:"claims,omitempty"`
}

// Claim counts the uses of one resource claim.
type Claim struct {
	// Name is the ResourceClaimTemplate's name, or the ResourceClaim's when Shared.
	Name string `json:"name"`
	// Shared means that all pods use one ResourceClaim, which is therefore counted once.
	Shared bool  `json:"shared,omitempty"`
	Count  int64 `json:"count"`
}

// Component is one role.
type Component struct {
	Name string                     `json:"name"`
	Kind *v1alpha1.GroupVersionKind `json:"kind"`
	// Logical components group others and have no pods of their own.
	Logical   bool       `json:"logical"`
	Instances []Instance `json:"instances"`
	// Components are the roles that this one owns.
	Components []Component `json:"components"`
}

// Instance is one named entry of a component that repeats, or the only one (ID "").
type Instance struct {
	ID       string           `json:"id"`
	Replicas InstanceReplicas `json:"replicas"`
	// PerReplica is what one pod requests; null for logical components and where the object holds no pod template.
	PerReplica *Resources `json:"perReplica"`
	// Total is PerReplica times Replicas.Desired; null when either is unknown.
	Total *Resources `json:"total"`
	// Pods are the instance's pods by name; empty when no pods were given.
	Pods []Pod `json:"pods"`
}

// Replicas adds up the instances of a component: pods, or units of a logical
// component. A sum of which one part is unknown is null.
func (c *Component) Replicas() Replicas {
	var counted tally
	counted.add(c)
	return counted.replicas()
}

// tally adds up counts, of which each is unknown as soon as one part of it is.
type tally struct {
	desired, current, ready                      int64
	unknownDesired, unknownCurrent, unknownReady bool
}

func (t *tally) add(c *Component) {
	count := func(n *int64, sum *int64, unknown *bool) {
		if n == nil {
			*unknown = true
			return
		}
		*sum += *n
	}
	for i := range c.Instances {
		replicas := &c.Instances[i].Replicas
		count(replicas.Desired, &t.desired, &t.unknownDesired)
		count(replicas.Current, &t.current, &t.unknownCurrent)
		count(replicas.Ready, &t.ready, &t.unknownReady)
	}
}

func (t *tally) replicas() Replicas {
	known := func(n int64, unknown bool) *int64 {
		if unknown {
			return nil
		}
		return &n
	}
	return Replicas{
		Desired: known(t.desired, t.unknownDesired),
		Current: known(t.current, t.unknownCurrent),
		Ready:   known(t.ready, t.unknownReady),
	}
}

// plus adds two counts; unknown when either is.
func plus(a, b *int64) *int64 {
	if a == nil || b == nil {
		return nil
	}
	sum := *a + *b
	return &sum
}

// Problem is one expression that could not be read as the definition needs it.
type Problem struct {
	Component string `json:"component"`
	// Field is the definition's field, such as scaleDefinition.replicasPath.
	Field      string `json:"field"`
	Expression string `json:"expression"`
	Message    string `json:"message"`
}

// Walk calls visit for every component of the tree, parents first, until visit returns false.
func (w *Workload) Walk(visit func(*Component) bool) {
	walk(w.Components, visit)
}

func walk(components []Component, visit func(*Component) bool) bool {
	for i := range components {
		if !visit(&components[i]) || !walk(components[i].Components, visit) {
			return false
		}
	}
	return true
}

// Component finds a role by name; nil when this object does not have it.
func (w *Workload) Component(name string) *Component {
	var found *Component
	w.Walk(func(c *Component) bool {
		if c.Name == name {
			found = c
		}
		return found == nil
	})
	return found
}
