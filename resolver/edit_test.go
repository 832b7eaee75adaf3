package resolver_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/workloadmap/wm/resolver"
)

// TestEdit runs testdata/edit: patch.yaml is a Patch with lower-case field
// names, target.yaml a Target. changes.yaml is the whole edit as a JSON patch;
// in its place refusals.yaml lists every Refusal, and error.yaml is a part of
// the message of any other error.
func TestEdit(t *testing.T) {
	forEachCase(t, "edit", func(t *testing.T, held files) {
		compiled, object := held.resolver(t), held.object("object.yaml")
		var patch resolver.Patch
		decodeStrictly(t, held.take("patch.yaml"), &patch)
		var target resolver.Target
		decodeStrictly(t, held.take("target.yaml"), &target)
		before := deepCopy(t, object)
		edit, err := compiled.Edit(context.Background(), object, target, patch)
		checkEdit(t, held, before, object, edit, err)
		if err != nil {
			return
		}
		again, err := compiled.Edit(context.Background(), edit.Object, target, patch)
		if err != nil || len(again.Changes) != 0 {
			t.Errorf("the same edit again is not without effect: %v, %v", again, err)
		}
	})
}

// TestSuspend runs testdata/suspend: suspend.yaml and resume.yaml are edits as
// JSON patches, resume that of the suspended object.
func TestSuspend(t *testing.T) {
	forEachCase(t, "suspend", func(t *testing.T, held files) {
		compiled, object := held.resolver(t), held.object("object.yaml")
		before := deepCopy(t, object)
		edit, err := compiled.Suspend(context.Background(), object)
		held["changes.yaml"] = held["suspend.yaml"]
		delete(held, "suspend.yaml")
		resume, resumes := held["resume.yaml"]
		delete(held, "resume.yaml")
		checkEdit(t, held, before, object, edit, err)
		if err != nil || !resumes {
			return
		}
		suspended := deepCopy(t, edit.Object)
		edit, err = compiled.Resume(context.Background(), edit.Object)
		checkEdit(t, files{"changes.yaml": resume}, suspended, suspended, edit, err)
	})
}

func decodeStrictly(t *testing.T, value, into any) {
	t.Helper()
	if value == nil {
		return
	}
	content, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	decoder := json.NewDecoder(bytes.NewReader(content))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		t.Fatal(err)
	}
}

// checkEdit compares an edit with what the case expects, and with itself: its
// JSON patch, applied by somebody else, makes its object of the original, which
// it neither changed nor shares memory with.
func checkEdit(t *testing.T, held files, before, original any, edit *resolver.Edit, err error) {
	t.Helper()
	changes, refusals, message := held.take("changes.yaml"), held.take("refusals.yaml"), held.take("error.yaml")
	held.nothingLeft(t)
	if !reflect.DeepEqual(before, deepCopy(t, original)) {
		t.Error("the original was changed")
	}
	var refused *resolver.RefusedError
	switch {
	case refusals != nil:
		if !errors.As(err, &refused) || edit != nil {
			t.Fatalf("got %v, %v, want refusals", edit, err)
		}
		var want []resolver.Refusal
		decodeStrictly(t, refusals, &want)
		if diff := cmp.Diff(want, refused.Refusals); diff != "" {
			t.Error(diff)
		}
		return
	case message != nil:
		if err == nil || !strings.Contains(err.Error(), message.(string)) {
			t.Errorf("got %v, want %q", err, message)
		}
		return
	case err != nil:
		t.Fatal(err)
	}
	if diff := cmp.Diff(deepCopy(t, changes), deepCopy(t, edit.JSONPatch())); diff != "" {
		t.Error(diff)
	}
	patched, err := applyJSONPatch(before, deepCopy(t, edit.JSONPatch()).([]any))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(patched, deepCopy(t, edit.Object)); diff != "" {
		t.Error("the JSON patch gives another object:", diff)
	}
	copied := deepCopy(t, edit.Object)
	spoil(edit.Object)
	edit.Object = copied.(map[string]any)
	if !reflect.DeepEqual(before, deepCopy(t, original)) {
		t.Error("the edit shares memory with the original")
	}
}

// TestEditKeepsNumbersOfAnySize edits beside numbers that no int64 holds, which
// callers may have as json.Number or as an unsigned integer.
func TestEditKeepsNumbersOfAnySize(t *testing.T) {
	compiled := compile(t, definitionFrom([]any{map[string]any{
		"name": "train", "specDefinition": map[string]any{"podSpecPath": ".spec.pod"},
	}}, nil))
	numbers := []any{json.Number("92233720368547758070"), uint64(1) << 63, 0.1, int32(3), json.Number("5")}
	object := withHeader(map[string]any{"spec": map[string]any{"numbers": numbers, "pod": map[string]any{}}})
	patch := resolver.Patch{Template: map[string]any{"spec": map[string]any{"priority": 7}}}
	edit, err := compiled.Edit(context.Background(), object, resolver.Target{}, patch)
	if err != nil {
		t.Fatal(err)
	}
	content, err := json.Marshal(edit.Object["spec"])
	if want := `{"numbers":[92233720368547758070,9223372036854775808,0.1,3,5],"pod":{"priority":7}}`; err != nil || string(content) != want {
		t.Errorf("got %s, %v, want %s", content, err, want)
	}
	// What Kubernetes' own tools copy must consist of the types they know.
	runtime.DeepCopyJSON(edit.Object)
}

// spoil overwrites every value in place.
func spoil(value any) {
	switch value := value.(type) {
	case map[string]any:
		for key, held := range value {
			spoil(held)
			value[key] = "spoilt"
		}
	case []any:
		for i, held := range value {
			spoil(held)
			value[i] = "spoilt"
		}
	}
}

// applyJSONPatch applies add, remove and replace of RFC 6902 to a copy.
func applyJSONPatch(document any, operations []any) (any, error) {
	content, err := json.Marshal(document)
	if err != nil {
		return nil, err
	}
	var patched any
	if err := json.Unmarshal(content, &patched); err != nil {
		return nil, err
	}
	for _, entry := range operations {
		operation := entry.(map[string]any)
		pointer := operation["path"].(string)
		if pointer == "" {
			patched = operation["value"]
			continue
		}
		var tokens []string
		for _, token := range strings.Split(pointer, "/")[1:] {
			tokens = append(tokens, strings.ReplaceAll(strings.ReplaceAll(token, "~1", "/"), "~0", "~"))
		}
		if patched, err = applyAt(patched, tokens, operation["op"].(string), operation["value"]); err != nil {
			return nil, fmt.Errorf("%s %s: %w", operation["op"], pointer, err)
		}
	}
	return patched, nil
}

func applyAt(at any, tokens []string, op string, value any) (any, error) {
	token, last := tokens[0], len(tokens) == 1
	switch at := at.(type) {
	case map[string]any:
		held, has := at[token]
		switch {
		case !last:
			changed, err := applyAt(held, tokens[1:], op, value)
			at[token] = changed
			return at, err
		case op == "add":
			at[token] = value
		case !has:
			return nil, errors.New("nothing is there")
		case op == "remove":
			delete(at, token)
		default:
			at[token] = value
		}
		return at, nil
	case []any:
		index, err := strconv.Atoi(token)
		if err != nil || index < 0 || index > len(at) || index == len(at) && (!last || op != "add") {
			return nil, fmt.Errorf("%q is no element", token)
		}
		switch {
		case !last:
			at[index], err = applyAt(at[index], tokens[1:], op, value)
			return at, err
		case op == "add":
			return slices.Insert(at, index, value), nil
		case op == "remove":
			return slices.Delete(at, index, index+1), nil
		default:
			at[index] = value
			return at, nil
		}
	default:
		return nil, fmt.Errorf("%T holds nothing", at)
	}
}
