package jq

import (
	"maps"
	"slices"
)

// Entry is one element of the lists or maps that a path iterates over.
type Entry struct {
	// Alone is the whole value with every iterated list or map cut down to
	// this one element, so that an expression evaluated on it speaks of this
	// element alone.
	Alone Input
	// Path leads to the element in the whole value, View in Alone: field names
	// as strings, positions as ints.
	Path, View []any
}

// Entries gives the elements that base iterates over, lists in order and maps
// by sorted key. Where base does not apply, such as on an absent list, there are none.
func (in Input) Entries(base Path) []Entry {
	return entries(in.value, base, nil, nil)
}

// entries cuts value down along steps; path and view lead to value.
func entries(value any, steps Path, path, view []any) []Entry {
	if len(steps) == 0 {
		return []Entry{{Alone: Input{value: value}, Path: path, View: view}}
	}
	step, rest := steps[0], steps[1:]
	switch step.Kind {
	case StepField:
		object, ok := value.(map[string]any)
		held, has := object[step.Field]
		if !ok || !has {
			return nil
		}
		below := entries(held, rest, extend(path, step.Field), extend(view, step.Field))
		for i := range below {
			alone := maps.Clone(object)
			alone[step.Field] = below[i].Alone.value
			below[i].Alone.value = alone
		}
		return below
	case StepIndex:
		array, ok := value.([]any)
		at := step.Index
		if at < 0 {
			at += len(array)
		}
		if !ok || at < 0 || at >= len(array) {
			return nil
		}
		below := entries(array[at], rest, extend(path, at), extend(view, at))
		for i := range below {
			alone := slices.Clone(array)
			alone[at] = below[i].Alone.value
			below[i].Alone.value = alone
		}
		return below
	default:
		return iterated(value, rest, path, view)
	}
}

func iterated(value any, rest Path, path, view []any) []Entry {
	switch value := value.(type) {
	case []any:
		all := make([]Entry, 0, len(value))
		// In a cut-down list the one element is always the first.
		alone := extend(view, 0)
		for i, element := range value {
			for _, entry := range entries(element, rest, extend(path, i), alone) {
				entry.Alone.value = []any{entry.Alone.value}
				all = append(all, entry)
			}
		}
		return all
	case map[string]any:
		all := make([]Entry, 0, len(value))
		for _, key := range slices.Sorted(maps.Keys(value)) {
			for _, entry := range entries(value[key], rest, extend(path, key), extend(view, key)) {
				entry.Alone.value = map[string]any{key: entry.Alone.value}
				all = append(all, entry)
			}
		}
		return all
	default:
		return nil
	}
}

func extend(path []any, segment any) []any {
	return append(slices.Clip(path), segment)
}

// InWhole turns a path in Alone into the path of the same place in the whole
// value. A place outside the element keeps its path.
func (e Entry) InWhole(path []any) []any {
	whole := slices.Clone(path)
	for i := range e.View {
		if i >= len(path) || path[i] != e.View[i] {
			return whole
		}
		whole[i] = e.Path[i]
	}
	return whole
}

// Together is the list of what each entry is alone, as one input.
func Together(entries []Entry) Input {
	all := make([]any, len(entries))
	for i, entry := range entries {
		all[i] = entry.Alone.value
	}
	return Input{value: all}
}
