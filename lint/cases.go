package lint

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/workloadmap/wm/source"
)

// Cases knows the golden cases of definitions. It is safe for concurrent use.
type Cases interface {
	// Of tells what the cases of a definition exercise; nil when that cannot be
	// told, as for a definition that does not work. The error is about cases that
	// cannot be read.
	Of(file, name string) (*Exercise, error)
}

// Exercise is what the cases of a definition exercise.
type Exercise struct {
	// Cases is how many there are.
	Cases int
	// Unused are the places of the status matchers that no case needs. Only lines
	// and columns are set, not offsets.
	Unused []source.Range
}

// exercise asks for the cases of a definition, when somebody wants that.
func (r *run) exercise(d *Definition) *Exercise {
	name := d.Node([]any{"metadata", "name"}).Text()
	if r.cases == nil || name == "" {
		return nil
	}
	file := d.Document.File().Name()
	found, err := r.cases.Of(file, name)
	if err != nil {
		r.caseFaults.Store(file+"\x00"+name, fmt.Errorf("cases of %s: %w", name, err))
		return nil
	}
	return found
}

// unreadCases are the errors of the cases, sorted by file and definition.
func (r *run) unreadCases() []error {
	type fault struct {
		key string
		err error
	}
	var faults []fault
	r.caseFaults.Range(func(key, err any) bool {
		faults = append(faults, fault{key.(string), err.(error)})
		return true
	})
	slices.SortFunc(faults, func(a, b fault) int { return cmp.Compare(a.key, b.key) })
	errs := make([]error, len(faults))
	for i, f := range faults {
		errs[i] = f.err
	}
	return errs
}
