package lint

import (
	"maps"
	"slices"
	"sync"

	"github.com/workloadmap/wm/api/v1alpha1"
	"github.com/workloadmap/wm/schema/index"
	"github.com/workloadmap/wm/schema/types"
	"github.com/workloadmap/wm/source"
)

// Schemas says what is known of the objects that a definition with a root kind
// reads; false when nothing is.
type Schemas func(root v1alpha1.GroupVersionKind) (types.Schemas, bool)

// TypeFault is a place where a definition does not fit a schema.
type TypeFault struct {
	types.Fault
	// Where are the characters of the fault in the file.
	Where source.Range
}

// BuiltIn knows the kinds that have a built-in index. Each index is loaded once,
// when the first definition of its kind comes.
func BuiltIn() Schemas {
	var loaded sync.Map // GroupVersionKind to func() (types.Schemas, bool)
	pod := sync.OnceValue(func() types.Schema {
		found, err := index.Find(v1alpha1.GroupVersionKind{Version: "v1", Kind: "Pod"})
		if err != nil {
			return nil
		}
		return types.Of(found.Root())
	})
	return func(root v1alpha1.GroupVersionKind) (types.Schemas, bool) {
		load, _ := loaded.LoadOrStore(root, sync.OnceValues(func() (types.Schemas, bool) {
			found, err := index.Find(root)
			if err != nil {
				return types.Schemas{}, false
			}
			return types.Schemas{Root: types.Of(found.Root()), Pod: pod(), Versions: otherVersions(root)}, true
		}))
		return load.(func() (types.Schemas, bool))()
	}
}

// otherVersions are the other versions of a kind, by name.
func otherVersions(root v1alpha1.GroupVersionKind) map[string]types.Schema {
	versions := map[string]types.Schema{}
	for _, kind := range index.Kinds() {
		if kind.Group != root.Group || kind.Kind != root.Kind || kind.Version == root.Version {
			continue
		}
		if found, err := index.Find(kind); err == nil {
			versions[kind.Version] = types.Of(found.Root())
		}
	}
	return versions
}

// run is what the files of one run share. It is safe for concurrent use.
type run struct {
	programs programs
	schemas  Schemas
	dialects []string
	unknown  sync.Map // kinds as text
	// cases may be nil. caseFaults are the errors of asking it, by definition.
	cases      Cases
	caseFaults sync.Map
}

func newRun(options Options) *run {
	return &run{schemas: options.Schemas, dialects: options.Dialects, cases: options.Cases}
}

// typeFaults compares a definition with the schemas of its root kind.
func (r *run) typeFaults(d *Definition) []TypeFault {
	root := d.Map.Spec.StructureDefinition.RootComponent.Kind
	if r.schemas == nil || root == nil || root.Kind == "" || root.Version == "" {
		return nil
	}
	schemas, known := r.schemas(*root)
	if !known {
		r.unknown.Store(root.APIVersion()+" "+root.Kind, true)
		return nil
	}
	judged := make([]types.Judged, len(d.Expressions))
	for i, e := range d.Expressions {
		judged[i] = types.Judged{Expression: e.Expression, Program: e.Program}
	}
	var faults []TypeFault
	for _, fault := range types.Judge(d.Map, judged, schemas) {
		node := d.Node(fault.Path)
		if anchor, ok := node.Anchor(); ok {
			node = anchor
		}
		if node.Exists() {
			faults = append(faults, TypeFault{Fault: fault, Where: node.TextRange(fault.Start, fault.End)})
		}
	}
	return faults
}

func (r *run) unknownKinds() []string {
	kinds := map[string]bool{}
	r.unknown.Range(func(kind, _ any) bool {
		kinds[kind.(string)] = true
		return true
	})
	return slices.Sorted(maps.Keys(kinds))
}
