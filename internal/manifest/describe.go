package manifest

import (
	"context"
	"errors"
	"fmt"

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
	var faults []error
	values := make([]map[string]any, len(objects))
	for i, object := range objects {
		values[i] = object.Value
	}
	for _, family := range familiesOf(objects) {
		root := objects[family.Root]
		match, err := set.FindObject(root.Value)
		var missing *resolver.NoDefinitionError
		if errors.As(err, &missing) && runsNoPods(missing.Kind) {
			description.Notes = append(description.Notes, fmt.Sprintf("%s: %s passed over, it runs no pods", root.Where, missing.Kind.Kind))
			continue
		}
		if err != nil {
			faults = append(faults, fmt.Errorf("%s: %w", root.Where, err))
			continue
		}
		workload, err := match.Resolver.Resolve(ctx, root.Value, podsOf(values, family)...)
		if err != nil {
			faults = append(faults, fmt.Errorf("%s: %w", root.Where, err))
			continue
		}
		if match.OtherVersion {
			description.Notes = append(description.Notes, fmt.Sprintf("%s: no definition for %s %s, read with %s",
				root.Where, workload.APIVersion, workload.Kind, workload.Definition.Name))
		}
		description.Workloads = append(description.Workloads, workload)
	}
	if len(description.Workloads) == 0 && len(faults) == 0 {
		faults = append(faults, ErrNoWorkload)
	}
	return description, errors.Join(faults...)
}

// podsOf gives the pods of a family to the resolver. A stream without pods says
// nothing about how many there are.
func podsOf(values []map[string]any, family resolver.Family) []resolver.ResolveOption {
	var pods, between []map[string]any
	for _, i := range family.Owned {
		if values[i]["apiVersion"] == "v1" && values[i]["kind"] == "Pod" {
			pods = append(pods, values[i])
		} else {
			between = append(between, values[i])
		}
	}
	if len(pods) == 0 {
		return nil
	}
	return []resolver.ResolveOption{resolver.WithPods(pods, between...)}
}

// ErrNoWorkload says that a stream holds objects, and none of them runs pods.
var ErrNoWorkload = errors.New("no workload found: none of the objects runs pods")
