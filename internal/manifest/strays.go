package manifest

import "fmt"

// StrayError tells of pods and ReplicaSets whose owner is not in the stream, so
// that which workload they belong to cannot be known.
type StrayError struct {
	// Where and Name are of the first such object of the owner; Kind is its kind.
	Where, Kind, Name string
	// OwnerKind and OwnerName say what is missing.
	OwnerKind, OwnerName string
	// More counts further objects of the same owner.
	More int
}

func (e *StrayError) Error() string {
	subject := fmt.Sprintf("%s %s belongs", e.Kind, e.Name)
	if e.More > 0 {
		subject = fmt.Sprintf("%s %s and %d more belong", e.Kind, e.Name, e.More)
	}
	return fmt.Sprintf("%s: %s to %s %s, which is not among the objects", e.Where, subject, e.OwnerKind, e.OwnerName)
}

// partOfAnother reports whether an object is of a kind that is mostly made by
// another object. Without its owner it says nothing about a workload; those
// that nobody owns are workloads of their own.
func partOfAnother(object map[string]any) bool {
	return object["apiVersion"] == "v1" && object["kind"] == "Pod" || object["apiVersion"] == "apps/v1" && object["kind"] == "ReplicaSet"
}

// strays collects one StrayError for each missing owner.
type strays map[string]*StrayError

// add takes a pod or ReplicaSet that has a controlling owner and reports whether
// it has one. It gives an error for the first object of each owner only.
func (s strays) add(object Object) (first *StrayError, isStray bool) {
	if !partOfAnother(object.Value) {
		return nil, false
	}
	metadata, _ := object.Value["metadata"].(map[string]any)
	references, _ := metadata["ownerReferences"].([]any)
	for _, entry := range references {
		reference, _ := entry.(map[string]any)
		uid, _ := reference["uid"].(string)
		if uid == "" || reference["controller"] != true {
			continue
		}
		if earlier := s[uid]; earlier != nil {
			earlier.More++
			return nil, true
		}
		first = &StrayError{Where: object.Where}
		first.Kind, _ = object.Value["kind"].(string)
		first.Name, _ = metadata["name"].(string)
		first.OwnerKind, _ = reference["kind"].(string)
		first.OwnerName, _ = reference["name"].(string)
		s[uid] = first
		return first, true
	}
	return nil, false
}
