package resolver

import (
	"context"
	"fmt"
	"strings"

	"github.com/workloadmap/wm/api/v1alpha1"
)

// KindError says that an object is not of the kind that a definition reads.
type KindError struct {
	// Definition is the definition's name, Want what it reads, Got what the object is.
	Definition string
	Want, Got  v1alpha1.GroupVersionKind
}

func (e *KindError) Error() string {
	return fmt.Sprintf("definition %s reads %s, this object is %s", e.Definition, kindText(e.Want), kindText(e.Got))
}

func kindText(k v1alpha1.GroupVersionKind) string {
	if k.Group == "" {
		return k.Version + " " + k.Kind
	}
	return k.Group + "/" + k.Version + " " + k.Kind
}

// Resolve reads one object, given in JSON form as unstructured.Unstructured
// holds it. The object is not changed, and the result does not share memory
// with it. Its version may differ from the definition's, its group and kind
// may not: that is a *KindError. Everything else that goes wrong is a Problem
// of the workload. Other errors are an object that is not JSON and a context
// that is done.
func (r *Resolver) Resolve(ctx context.Context, object map[string]any, options ...ResolveOption) (*Workload, error) {
	var chosen resolveOptions
	for _, option := range options {
		option(&chosen)
	}
	w := newWorkload(object)
	e, err := r.evaluate(ctx, object, r.apart)
	if err != nil {
		return nil, err
	}
	w.Definition = r.definition
	e.statusOf(r.status, w)
	if chosen.given == nil && r.readsPod() && w.UID != "" {
		chosen.given = &pods{}
	}
	if chosen.given != nil {
		if e.placed, err = e.place(r, chosen.given); err != nil {
			return nil, fmt.Errorf("resolve %s %q: %w", w.Kind, w.Name, err)
		}
		w.Unattributed, w.Ambiguous = e.placed.unattributed, e.placed.ambiguous
	}
	w.Components = e.tree(r.components[0])
	w.Replicas, w.Resources = sum(w.Components)
	if e.placed == nil {
		// Without a single role the sums are 0, but nobody has looked at pods.
		w.Replicas.Current, w.Replicas.Ready = nil, nil
	}
	w.Gangs = e.gangsOf(r)
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("resolve %s %q: %w", w.Kind, w.Name, err)
	}
	w.Problems = append([]Problem{}, e.problems...)
	return w, nil
}

func newWorkload(object map[string]any) *Workload {
	w := &Workload{
		APIVersion:   text(object["apiVersion"]),
		Kind:         text(object["kind"]),
		Unattributed: []string{},
		Ambiguous:    []string{},
	}
	metadata, _ := object["metadata"].(map[string]any)
	w.Namespace = text(metadata["namespace"])
	w.Name = text(metadata["name"])
	if w.Name == "" {
		w.Name = text(metadata["generateName"])
	}
	w.UID = text(metadata["uid"])
	if created := text(metadata["creationTimestamp"]); created != "" {
		w.CreatedAt = &created
	}
	return w
}

func text(value any) string {
	s, _ := value.(string)
	return s
}

// kindIn reads apiVersion and kind of an object, or of a reference to one.
func kindIn(value map[string]any) v1alpha1.GroupVersionKind {
	group, version, found := strings.Cut(text(value["apiVersion"]), "/")
	if !found {
		group, version = "", group
	}
	return v1alpha1.GroupVersionKind{Group: group, Version: version, Kind: text(value["kind"])}
}

// tree builds the components below the root; a root that has pods of its own
// is the first of them.
func (e *evaluation) tree(root *component) []Component {
	if root.logical() {
		return e.componentsOf(root.children)
	}
	return e.componentsOf([]*component{root})
}

// componentsOf resolves sibling components and leaves out those that the object does not have.
func (e *evaluation) componentsOf(siblings []*component) []Component {
	present := make([]Component, 0, len(siblings))
	for _, c := range siblings {
		if resolved, ok := e.componentOf(c); ok {
			present = append(present, resolved)
		}
	}
	return present
}

// presence is what one object has of a component.
type presence struct {
	in *instances
	// perReplica has one element for each instance, nil for logical components
	// and where the object holds no pod for that instance.
	perReplica []*Resources
	// replicas has one element for each instance.
	replicas []InstanceReplicas
	// absent is set when the object has no instance of the component, or its
	// pod template is null.
	absent bool
}

func (e *evaluation) presenceOf(c *component, held *presence) {
	held.in = e.instancesOf(c)
	held.absent = len(held.in.ids) == 0
	if !held.absent && !c.logical() {
		pods, read := e.podsOf(c.pods, held.in)
		held.perReplica = pods
		// The root is the object itself: without a template it is there all the same.
		held.absent = read && !held.in.repeated && pods[0] == nil && c.parent != nil
	}
	if held.perReplica == nil {
		held.perReplica = make([]*Resources, len(held.in.ids))
	}
	if !held.absent {
		held.replicas = e.replicasOf(c.scale, held.in)
		e.unknownCounts(c, held)
	}
}

// componentOf builds one component and those it owns. A role that the object
// does not have is left out, unless roles that it owns are there and need it to
// hang on; so is a logical component with neither a count nor components below it.
func (e *evaluation) componentOf(c *component) (Component, bool) {
	resolved := Component{Name: c.name, Kind: c.kind, Logical: c.logical(), Instances: []Instance{}}
	held := e.presence[c.index]
	if held.absent {
		resolved.Components = e.componentsOf(c.children)
		return resolved, len(resolved.Components) > 0
	}
	resolved.Instances = make([]Instance, 0, len(held.replicas))
	for i, replicas := range held.replicas {
		instance := Instance{ID: held.in.ids[i], Replicas: replicas, PerReplica: held.perReplica[i], Pods: []Pod{}}
		instance.Total = total(instance.PerReplica, replicas.Desired)
		if e.placed != nil && !c.logical() {
			pods, current, ready := e.placed.podsIn(c, i)
			instance.Pods, instance.Replicas.Current, instance.Replicas.Ready = pods, &current, &ready
		}
		resolved.Instances = append(resolved.Instances, instance)
	}
	resolved.Components = e.componentsOf(c.children)
	return resolved, !c.logical() || c.scale.stated() || len(resolved.Components) > 0
}

// unknownCounts reports pod-bearing instances whose number of pods the object
// does not tell, because the totals leave them out.
func (e *evaluation) unknownCounts(c *component, held *presence) {
	if c.logical() {
		return
	}
	for i, replicas := range held.replicas {
		if replicas.Desired != nil {
			continue
		}
		problem := Problem{Component: c.name, Field: "scaleDefinition",
			Message: where{held.in, i}.String() + "the number of pods is not known, so the totals leave them out"}
		if x := c.scale.replicas; x != nil {
			problem.Field, problem.Expression = x.field, x.program.String()
		}
		e.problems = append(e.problems, problem)
	}
}
