package jq

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestNewInputApart(t *testing.T) {
	field := func(name string) Step { return Step{Kind: StepField, Field: name} }
	each := Step{Kind: StepIterate}
	apart := PlacesAt(
		Path{field("spec"), field("groups"), each, field("template")},
		Path{field("spec"), field("roles"), each, field("template")},
		Path{field("head"), Step{Kind: StepIndex, Index: 0}},
	)
	value := map[string]any{
		"spec": map[string]any{
			"replicas": int64(1),
			"groups":   []any{map[string]any{"replicas": int64(2), "template": map[string]any{"port": int64(80), "n": json.Number("7"), "list": []any{int64(5)}}}},
			"roles":    map[string]any{"a": map[string]any{"replicas": int64(3), "template": int64(4)}},
		},
		"head": []any{int64(6)},
	}
	in, err := NewInputApart(value, apart)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]any{
		"spec": map[string]any{
			"replicas": 1,
			"groups":   []any{map[string]any{"replicas": 2, "template": map[string]any{"port": int64(80), "n": 7, "list": []any{int64(5)}}}},
			"roles":    map[string]any{"a": map[string]any{"replicas": 3, "template": int64(4)}},
		},
		"head": []any{6},
	}
	if diff := cmp.Diff(want, in.Value()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if _, err := NewInputApart(map[string]any{"head": struct{}{}}, apart); err == nil {
		t.Error("what is no JSON has to be refused")
	}
	value["spec"].(map[string]any)["groups"].([]any)[0].(map[string]any)["template"] = map[string]any{"port": struct{}{}}
	if _, err := NewInputApart(value, apart); err == nil {
		t.Error("what is no JSON has to be refused apart too")
	}
}
