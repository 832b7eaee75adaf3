package resolver

import "fmt"

// setAt writes a value to a place, making the objects on the way. It makes up
// no lists.
func setAt(root map[string]any, path []any, value any) error {
	var at any = root
	for i, segment := range path {
		last := i == len(path)-1
		switch segment := segment.(type) {
		case string:
			held, ok := at.(map[string]any)
			if !ok {
				return fmt.Errorf("%s is %s, an object is needed", jsonPointer(path[:i]), describe(at))
			}
			if last {
				held[segment] = value
				return nil
			}
			if held[segment] == nil {
				if _, isIndex := path[i+1].(int); isIndex {
					return fmt.Errorf("%s is not there, and a list is never made up", jsonPointer(path[:i+1]))
				}
				held[segment] = map[string]any{}
			}
			at = held[segment]
		case int:
			held, ok := at.([]any)
			if !ok || segment < 0 || segment >= len(held) {
				return fmt.Errorf("%s has no element %d", jsonPointer(path[:i]), segment)
			}
			if last {
				held[segment] = value
				return nil
			}
			at = held[segment]
		}
	}
	return nil
}

// valueAt reads a place; false when it is not there.
func valueAt(root any, path []any) (any, bool) {
	at := root
	for _, segment := range path {
		switch segment := segment.(type) {
		case string:
			value, ok := object(at)[segment]
			if !ok {
				return nil, false
			}
			at = value
		case int:
			held, ok := at.([]any)
			if !ok || segment < 0 || segment >= len(held) {
				return nil, false
			}
			at = held[segment]
		}
	}
	return at, true
}

// removeAt takes a field out of its object; an element of a list becomes null.
func removeAt(root map[string]any, path []any) {
	if len(path) == 0 {
		return
	}
	holder, _ := valueAt(root, path[:len(path)-1])
	switch last := path[len(path)-1].(type) {
	case string:
		delete(object(holder), last)
	case int:
		if held := list(holder); last >= 0 && last < len(held) {
			held[last] = nil
		}
	}
}
