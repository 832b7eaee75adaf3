package cluster

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/go-logr/logr"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/klog/v2"

	"github.com/workloadmap/wm/api/v1alpha1"
	"github.com/workloadmap/wm/resolver"
)

// FieldManager is the name under which the server notes what wm has written.
const FieldManager = "wm"

// Patch changes one object by a JSON patch that the server takes only while the
// object is still the one that was read, and refuses with a conflict else. With
// dryRun the server checks the change, admission included, and keeps nothing.
// It gives the object as changed.
func (c *Client) Patch(ctx context.Context, r Resource, object map[string]any, operations []resolver.JSONPatchOperation, dryRun bool) (map[string]any, error) {
	read := unstructured.Unstructured{Object: object}
	what := "change " + r.String() + " " + read.GetName() + whereIs(r, read.GetNamespace())
	version := read.GetResourceVersion()
	if version == "" {
		return nil, fmt.Errorf("cannot %s: the object that was read carries no resourceVersion", what)
	}
	// Writing the version that was read makes the server compare it. A "test"
	// would guard as well, but is refused as a malformed request that says nothing.
	guarded := []any{map[string]any{"op": "replace", "path": "/metadata/resourceVersion", "value": version}}
	for _, operation := range operations {
		guarded = append(guarded, operation)
	}
	body, err := json.Marshal(guarded)
	if err != nil {
		return nil, fmt.Errorf("cannot %s: %w", what, err)
	}
	var changed map[string]any
	err = c.write(ctx, what, func(ctx context.Context) error {
		options := metav1.PatchOptions{FieldManager: FieldManager, DryRun: dryRuns(dryRun), FieldValidation: metav1.FieldValidationStrict}
		answer, err := c.in(r, read.GetNamespace()).Patch(ctx, read.GetName(), types.JSONPatchType, body, options)
		if err == nil {
			changed = answer.Object
			complete(changed, r)
		}
		return err
	})
	return changed, err
}

// Apply applies one object server-side. Fields that another manager owns are a
// conflict unless force takes them over. The namespace of a namespaced object
// is the object's own.
func (c *Client) Apply(ctx context.Context, object map[string]any, force, dryRun bool) error {
	applied := &unstructured.Unstructured{Object: object}
	kind := applied.GroupVersionKind()
	what := "apply " + kind.Kind + " " + applied.GetName()
	served, err := c.Resources(ctx)
	if err != nil {
		return err
	}
	r, found := served.exact(kind)
	if !found {
		return c.fault(what, &UnservedError{Word: kind.Kind, Kinds: []v1alpha1.GroupVersionKind{{Group: kind.Group, Version: kind.Version, Kind: kind.Kind}}})
	}
	return c.write(ctx, what, func(ctx context.Context) error {
		options := metav1.ApplyOptions{FieldManager: FieldManager, Force: force, DryRun: dryRuns(dryRun)}
		_, err := c.in(r, applied.GetNamespace()).Apply(ctx, applied.GetName(), applied, options)
		return err
	})
}

// write runs one request in a slot and within the time limit. Unlike a read it
// is sent once: of a write without an answer nobody knows whether it was done.
func (c *Client) write(ctx context.Context, what string, request func(context.Context) error) error {
	select {
	case c.slots <- struct{}{}:
		defer func() { <-c.slots }()
	case <-ctx.Done():
		return c.fault(what, ctx.Err())
	}
	ctx = klog.NewContext(ctx, logr.Discard())
	if c.timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, c.timeout)
		defer cancel()
	}
	if err := request(ctx); err != nil {
		return c.fault(what, err)
	}
	return nil
}

func dryRuns(dryRun bool) []string {
	if dryRun {
		return []string{metav1.DryRunAll}
	}
	return nil
}

// exact finds the resource of a kind in one version.
func (r *Resources) exact(kind schema.GroupVersionKind) (Resource, bool) {
	for _, version := range r.kind(kind.Group, kind.Kind) {
		if version.Version == kind.Version {
			return version, true
		}
	}
	return Resource{}, false
}
