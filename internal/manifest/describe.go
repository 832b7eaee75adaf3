package manifest

import (
	"context"

	"github.com/workloadmap/wm/resolver"
)

// Description is what was found in a stream.
type Description struct {
	// Workloads are the resolved roots, in stream order.
	Workloads []*resolver.Workload
	// Notes tell what was passed over or read with a stand-in, one line each.
	Notes []string
}

// Describe resolves every workload among the objects. Objects owned by another
// of the list belong to that workload and are not described themselves. The
// error joins one line for each root that could not be resolved; a
// *resolver.NoDefinitionError is among them when a kind has no definition.
func Describe(ctx context.Context, objects []Object, set *resolver.Set) (Description, error) {
	var description Description
	var err error
	description.Notes, err = eachRoot(objects, set, func(r root) error {
		workload, err := r.resolver.Resolve(ctx, r.Value, r.pods()...)
		if err == nil {
			description.Workloads = append(description.Workloads, workload)
		}
		return err
	})
	return description, err
}

// pods gives the pods that a root owns to the resolver. A stream without pods
// says nothing about how many there are.
func (r root) pods() []resolver.ResolveOption {
	var pods, between []map[string]any
	for _, object := range r.owned {
		if object["apiVersion"] == "v1" && object["kind"] == "Pod" {
			pods = append(pods, object)
		} else {
			between = append(between, object)
		}
	}
	if len(pods) == 0 {
		return nil
	}
	return []resolver.ResolveOption{resolver.WithPods(pods, between...)}
}
