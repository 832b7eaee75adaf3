package manifest

import (
	"errors"
	"fmt"

	"github.com/workloadmap/wm/resolver"
)

// ErrNoWorkload says that a stream holds objects, and none of them runs pods.
var ErrNoWorkload = errors.New("no workload found: none of the objects runs pods")

// root is one object of a stream that nothing else in the stream owns, with
// what it owns and the definition that reads it.
type root struct {
	Object
	owned    []map[string]any
	resolver *resolver.Resolver
}

// eachRoot visits the workload roots of a stream in order. Objects that run no
// pods, and definitions that stand in for another version, are told in notes.
// The error joins one line for each root that has no definition or that visit
// refused, and a *StrayError for each owner that the stream lacks; it is
// ErrNoWorkload when there was none to visit.
func eachRoot(objects []Object, set *resolver.Set, visit func(root) error) (notes []string, err error) {
	values := make([]map[string]any, len(objects))
	for i, object := range objects {
		values[i] = object.Value
	}
	visited := 0
	astray := strays{}
	var faults []error
	for _, family := range resolver.Families(values) {
		found := root{Object: objects[family.Root]}
		if stray, isStray := astray.add(found.Object); isStray {
			if stray != nil {
				faults = append(faults, stray)
			}
			continue
		}
		match, err := set.FindObject(found.Value)
		var missing *resolver.NoDefinitionError
		if errors.As(err, &missing) && runsNoPods(missing.Kind) {
			notes = append(notes, fmt.Sprintf("%s: %s passed over, it runs no pods", found.Where, missing.Kind.Kind))
			continue
		}
		if err == nil {
			for _, i := range family.Owned {
				found.owned = append(found.owned, values[i])
			}
			found.resolver = match.Resolver
			err = visit(found)
		}
		if err != nil {
			faults = append(faults, fmt.Errorf("%s: %w", found.Where, err))
			continue
		}
		visited++
		if match.OtherVersion {
			notes = append(notes, fmt.Sprintf("%s: no definition for %s %s, read with %s",
				found.Where, found.Value["apiVersion"], found.Value["kind"], match.Resolver.Definition().Name))
		}
	}
	if visited == 0 && len(faults) == 0 {
		faults = append(faults, ErrNoWorkload)
	}
	return notes, errors.Join(faults...)
}
