package lint

import (
	"errors"

	"github.com/workloadmap/wm/api/v1alpha1"
)

// decode reads the spec of a definition as far as it can be read: values of the
// wrong kind, which the schema rule reports, are left out, so that one of them
// does not hide everything else from the other rules. Items of lists keep their
// index. The result is never nil.
func decode(value any) *v1alpha1.WorkloadMap {
	object, _ := value.(map[string]any)
	dialect := v1alpha1.Dialects()[0]
	body := map[string]any{"apiVersion": dialect.APIVersion, "kind": dialect.Kind, "spec": object["spec"]}
	copied := false
	// The first round leaves the wrong values out; where the items of a list
	// should be strings, the second replaces what the first put in their place.
	for range 3 {
		definition, err := v1alpha1.Decode(body)
		if err == nil {
			return definition
		}
		if !copied {
			body, copied = deepCopy(body).(map[string]any), true
		}
		for _, fault := range fieldErrors(err) {
			leaveOut(body, fault.Path)
		}
	}
	return &v1alpha1.WorkloadMap{}
}

func fieldErrors(err error) []*v1alpha1.FieldError {
	var fault *v1alpha1.FieldError
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		if errors.As(err, &fault) {
			return []*v1alpha1.FieldError{fault}
		}
		return nil
	}
	var faults []*v1alpha1.FieldError
	for _, err := range joined.Unwrap() {
		if errors.As(err, &fault) {
			faults = append(faults, fault)
		}
	}
	return faults
}

func leaveOut(value any, path []any) {
	for i, segment := range path {
		last := i == len(path)-1
		switch parent := value.(type) {
		case map[string]any:
			name, _ := segment.(string)
			if last {
				delete(parent, name)
				return
			}
			value = parent[name]
		case []any:
			index, ok := segment.(int)
			if !ok || index >= len(parent) {
				return
			}
			if last {
				if _, wasObject := parent[index].(map[string]any); wasObject {
					parent[index] = ""
				} else {
					parent[index] = map[string]any{}
				}
				return
			}
			value = parent[index]
		}
	}
}

func deepCopy(value any) any {
	switch value := value.(type) {
	case map[string]any:
		result := make(map[string]any, len(value))
		for key, item := range value {
			result[key] = deepCopy(item)
		}
		return result
	case []any:
		result := make([]any, len(value))
		for i, item := range value {
			result[i] = deepCopy(item)
		}
		return result
	default:
		return value
	}
}
