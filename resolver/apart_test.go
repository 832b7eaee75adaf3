package resolver_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestIntegersOfTemplates holds that pod templates may keep the integers of the
// decoder: the view is the one of the same object with other Go types, and an
// integer quantity counts.
func TestIntegersOfTemplates(t *testing.T) {
	compiled, object := builtin(t, "ray-io-raycluster-v1"), rayCluster(3)
	for _, group := range object["spec"].(map[string]any)["workerGroupSpecs"].([]any) {
		container := group.(map[string]any)["template"].(map[string]any)["spec"].(map[string]any)["containers"].([]any)[0].(map[string]any)
		container["resources"] = map[string]any{"limits": map[string]any{"nvidia.com/gpu": int64(3), "memory": json.Number("1024")}}
	}
	content, err := json.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	var floats map[string]any
	if err := json.Unmarshal(content, &floats); err != nil {
		t.Fatal(err)
	}
	want, err := compiled.Resolve(context.Background(), floats)
	if err != nil {
		t.Fatal(err)
	}
	got, err := compiled.Resolve(context.Background(), object)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("integers and floats give different views (-floats +integers):\n%s", diff)
	}
	// Three groups of four workers with three GPUs each; the head has none.
	if got.Resources.GPUs != 36 || len(got.Problems) > 0 {
		t.Errorf("%d GPUs, want 36; problems %v", got.Resources.GPUs, got.Problems)
	}
}
