package manifest

import (
	"context"
	"errors"
	"fmt"

	"github.com/workloadmap/wm/resolver"
)

// Changed is one workload root with the edit that was made to it.
type Changed struct {
	Object Object
	Edit   *resolver.Edit
}

// Change is an edit of one object through its definition.
type Change func(ctx context.Context, r *resolver.Resolver, object map[string]any) (*resolver.Edit, error)

// Apply makes a change to every workload root among the objects. It is made to
// all of them or reported for none: the error joins one line for each root that
// refused or has no definition.
func Apply(ctx context.Context, objects []Object, set *resolver.Set, change Change) ([]Changed, error) {
	var all []Changed
	var faults []error
	for _, family := range familiesOf(objects) {
		root := objects[family.Root]
		match, err := set.FindObject(root.Value)
		var missing *resolver.NoDefinitionError
		if errors.As(err, &missing) && runsNoPods(missing.Kind) {
			continue
		}
		var edit *resolver.Edit
		if err == nil {
			edit, err = change(ctx, match.Resolver, root.Value)
		}
		if err != nil {
			faults = append(faults, fmt.Errorf("%s: %w", root.Where, err))
			continue
		}
		all = append(all, Changed{Object: root, Edit: edit})
	}
	if len(faults) > 0 {
		return nil, errors.Join(faults...)
	}
	if len(all) == 0 {
		return nil, ErrNoWorkload
	}
	return all, nil
}

func familiesOf(objects []Object) []resolver.Family {
	values := make([]map[string]any, len(objects))
	for i, object := range objects {
		values[i] = object.Value
	}
	return resolver.Families(values)
}

// KAIGroups reads the gangs of every workload root as the KAI scheduler's
// generic grouper does.
func KAIGroups(ctx context.Context, objects []Object, set *resolver.Set) ([]resolver.KAIGroup, error) {
	var all []resolver.KAIGroup
	var faults []error
	for _, family := range familiesOf(objects) {
		root := objects[family.Root]
		match, err := set.FindObject(root.Value)
		var missing *resolver.NoDefinitionError
		if errors.As(err, &missing) && runsNoPods(missing.Kind) {
			continue
		}
		var groups []resolver.KAIGroup
		if err == nil {
			groups, err = match.Resolver.AsKAI(ctx, root.Value)
		}
		if err != nil {
			faults = append(faults, fmt.Errorf("%s: %w", root.Where, err))
			continue
		}
		all = append(all, groups...)
	}
	return all, errors.Join(faults...)
}
