package lint

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"github.com/workloadmap/wm/api/v1alpha1"
	"github.com/workloadmap/wm/schema/index"
	"github.com/workloadmap/wm/schema/openapi"
	"github.com/workloadmap/wm/schema/types"
	"github.com/workloadmap/wm/source"
)

// WithCRDs knows, before what base knows, the kinds of CRD and index files, read
// from files and folders. Folders hold other manifests too, which are passed
// over. The error joins what could not be read, and says when there was no CRD
// at all.
func WithCRDs(files fs.FS, paths []string, stdin io.Reader, base Schemas) (Schemas, error) {
	names, err := source.List(files, paths)
	if err != nil {
		return nil, err
	}
	roots := map[v1alpha1.GroupVersionKind]types.Schema{}
	var faults []error
	for _, name := range names {
		content, err := source.Read(files, name, stdin)
		if err != nil {
			faults = append(faults, err)
			continue
		}
		indexes, err := openapi.Read(name, content)
		if !errors.Is(err, openapi.ErrNoCRD) || slices.Contains(paths, name) {
			faults = append(faults, err)
		}
		for _, each := range indexes {
			roots[each.Kind()] = types.Of(each.Root())
		}
	}
	if err := errors.Join(faults...); err != nil {
		return nil, err
	}
	if len(roots) == 0 {
		return nil, fmt.Errorf("no CRD in %s", strings.Join(paths, ", "))
	}
	pods, err := index.Find(v1alpha1.GroupVersionKind{Version: "v1", Kind: "Pod"})
	if err != nil {
		return nil, fmt.Errorf("read the index of pods: %w", err)
	}
	return func(root v1alpha1.GroupVersionKind) (types.Schemas, bool) {
		held, known := roots[root]
		if !known {
			return base(root)
		}
		versions := map[string]types.Schema{}
		for kind, schema := range roots {
			if kind.Group == root.Group && kind.Kind == root.Kind && kind.Version != root.Version {
				versions[kind.Version] = schema
			}
		}
		return types.Schemas{Root: held, Pod: types.Of(pods.Root()), Versions: versions}, true
	}, nil
}
