package manifest

import (
	"context"

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
// refused or has no definition. The notes tell what was passed over or read
// with a stand-in.
func Apply(ctx context.Context, objects []Object, set *resolver.Set, change Change) (changed []Changed, notes []string, err error) {
	notes, err = eachRoot(objects, set, func(r root) error {
		edit, err := change(ctx, r.resolver, r.Value)
		if err == nil {
			changed = append(changed, Changed{Object: r.Object, Edit: edit})
		}
		return err
	})
	if err != nil {
		return nil, notes, err
	}
	return changed, notes, nil
}

// KAIGroups reads the gangs of every workload root as the KAI scheduler's
// generic grouper does. The notes tell what was passed over or read with a
// stand-in; the error joins one line for each root that could not be read.
func KAIGroups(ctx context.Context, objects []Object, set *resolver.Set) (all []resolver.KAIGroup, notes []string, err error) {
	notes, err = eachRoot(objects, set, func(r root) error {
		groups, err := r.resolver.AsKAI(ctx, r.Value)
		if err == nil {
			all = append(all, groups...)
		}
		return err
	})
	return all, notes, err
}
