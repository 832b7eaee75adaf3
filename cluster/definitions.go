package cluster

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/workloadmap/wm/api/v1alpha1"
	"github.com/workloadmap/wm/resolver"
)

// Definitions reads the definitions that the cluster holds, one layer for each
// dialect whose CRD is there: WorkloadMap is the last, so that it overrides the
// others. It asks the server nothing when no such CRD is installed. The faults
// name definitions, or whole dialects, that cannot be used or read; err means
// that the server does not answer.
func (c *Client) Definitions(ctx context.Context) (layers [][]resolver.Candidate, faults []error, err error) {
	served, err := c.Resources(ctx)
	if err != nil {
		return nil, nil, err
	}
	var last []resolver.Candidate
	for _, dialect := range heldDialects() {
		group, version, _ := strings.Cut(dialect.APIVersion, "/")
		for _, r := range served.kind(group, dialect.Kind) {
			if r.Version != version {
				continue
			}
			objects, err := c.objects(ctx, r, Selection{}, nil)
			if err != nil {
				faults = append(faults, err)
				continue
			}
			layer, broken := candidates(r, objects)
			faults = append(faults, broken...)
			if dialect.Name == v1alpha1.DialectWorkloadMap {
				last = layer
			} else {
				layers = append(layers, layer)
			}
		}
	}
	if last != nil {
		layers = append(layers, last)
	}
	return layers, faults, nil
}

// heldDialects are those that clusters hold definitions in. ResourceInterface
// is an older form, which is read from files only.
func heldDialects() []v1alpha1.Dialect {
	return slices.DeleteFunc(slices.Clone(v1alpha1.Dialects()), func(d v1alpha1.Dialect) bool {
		return d.Name != v1alpha1.DialectKarta && d.Name != v1alpha1.DialectWorkloadMap
	})
}

// candidates are the definitions that can be used. Of two for the same kind the
// first by namespace and name is, since the server lists them in that order.
func candidates(r Resource, objects []map[string]any) (usable []resolver.Candidate, faults []error) {
	taken := map[v1alpha1.GroupVersionKind]string{}
	for _, value := range objects {
		object := unstructured.Unstructured{Object: value}
		origin := r.String() + "/" + object.GetName() + whereHeld(object.GetNamespace())
		definition, err := v1alpha1.Decode(value)
		if err != nil {
			faults = append(faults, fmt.Errorf("%s: %w", origin, err))
			continue
		}
		kind := definition.Spec.StructureDefinition.RootComponent.Kind
		if kind == nil || kind.Kind == "" || kind.Version == "" {
			faults = append(faults, fmt.Errorf("%s: its root component has no kind", origin))
			continue
		}
		if _, err := resolver.Compile(definition); err != nil {
			faults = append(faults, fmt.Errorf("%s: %w", origin, err))
			continue
		}
		if other := taken[*kind]; other != "" {
			faults = append(faults, fmt.Errorf("%s: %s reads %s already", origin, other, kind.Kind))
			continue
		}
		taken[*kind] = origin
		usable = append(usable, resolver.Candidate{
			Kind: *kind, Name: definition.Name, Origin: origin,
			Load: func() (*v1alpha1.WorkloadMap, error) { return definition, nil },
		})
	}
	return usable, faults
}

func whereHeld(namespace string) string {
	if namespace == "" {
		return ""
	}
	return inNamespace(namespace)
}
