package resolver

import (
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// Change is one place where an edited object differs from the original.
type Change struct {
	// Path leads to the value: field names as strings, list indexes as ints.
	Path []any `json:"path"`
	// Old is null when Added, New is null when Removed.
	Old     any  `json:"old"`
	New     any  `json:"new"`
	Added   bool `json:"added,omitempty"`
	Removed bool `json:"removed,omitempty"`
}

// JSONPatchOperation is one operation of RFC 6902.
type JSONPatchOperation struct {
	// Op is add, replace or remove.
	Op string `json:"op"`
	// Path is a JSON pointer (RFC 6901).
	Path string `json:"path"`
	// Value is ignored by remove.
	Value any `json:"value"`
}

// difference lists the smallest places in which two JSON values differ, in
// order of their paths. Lists of different lengths differ as a whole.
func difference(path []any, old, changed any) []Change {
	if same(old, changed) {
		return nil
	}
	before, wasObject := old.(map[string]any)
	after, isObject := changed.(map[string]any)
	if wasObject && isObject {
		return objectDifference(path, before, after)
	}
	beforeList, wasList := old.([]any)
	afterList, isList := changed.([]any)
	if wasList && isList && len(beforeList) == len(afterList) {
		var changes []Change
		for i := range beforeList {
			changes = append(changes, difference(below(path, i), beforeList[i], afterList[i])...)
		}
		return changes
	}
	return []Change{{Path: path, Old: old, New: changed}}
}

func objectDifference(path []any, before, after map[string]any) []Change {
	keys := map[string]bool{}
	for key := range before {
		keys[key] = true
	}
	for key := range after {
		keys[key] = true
	}
	var changes []Change
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		old, had := before[key]
		changed, has := after[key]
		switch {
		case !had:
			changes = append(changes, Change{Path: below(path, key), New: changed, Added: true})
		case !has:
			changes = append(changes, Change{Path: below(path, key), Old: old, Removed: true})
		default:
			changes = append(changes, difference(below(path, key), old, changed)...)
		}
	}
	return changes
}

// same compares JSON values; numbers by value, whatever Go type holds them.
func same(a, b any) bool {
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for key, value := range a {
			other, has := b[key]
			if !has || !same(value, other) {
				return false
			}
		}
		return true
	case []any:
		b, ok := b.([]any)
		return ok && slices.EqualFunc(a, b, same)
	case int, int64, float64:
		x, y := reflect.ValueOf(a), reflect.ValueOf(b)
		if b == nil || !y.CanInt() && !y.CanFloat() {
			return false
		}
		if x.CanInt() && y.CanInt() {
			return x.Int() == y.Int()
		}
		return asFloat(x) == asFloat(y)
	default:
		return reflect.DeepEqual(a, b)
	}
}

func asFloat(value reflect.Value) float64 {
	if value.CanInt() {
		return float64(value.Int())
	}
	return value.Float()
}

// below extends a path without sharing memory with it.
func below(path []any, segment any) []any {
	return append(slices.Clone(path), segment)
}

// jsonPointer writes a path as RFC 6901 does.
func jsonPointer(path []any) string {
	var pointer strings.Builder
	escape := strings.NewReplacer("~", "~0", "/", "~1")
	for _, segment := range path {
		pointer.WriteByte('/')
		switch segment := segment.(type) {
		case int:
			pointer.WriteString(strconv.Itoa(segment))
		case string:
			pointer.WriteString(escape.Replace(segment))
		}
	}
	return pointer.String()
}

// jsonPatch writes changes as a JSON patch.
func jsonPatch(changes []Change) []JSONPatchOperation {
	operations := make([]JSONPatchOperation, len(changes))
	for i, change := range changes {
		operation := JSONPatchOperation{Op: "replace", Path: jsonPointer(change.Path), Value: change.New}
		switch {
		case change.Added:
			operation.Op = "add"
		case change.Removed:
			operation.Op = "remove"
		}
		operations[i] = operation
	}
	return operations
}
