package openapi

import (
	"encoding/json"
	"errors"
)

var errNoObjectMeta = errors.New("the core types have no ObjectMeta")

// enumOf are the values that a schema leaves; nil when it does not list any.
func enumOf(p place) ([]any, error) {
	allowed, err := listed(p)
	if err != nil {
		return nil, err
	}
	for _, part := range p.field("allOf").items() {
		values, err := listed(part)
		if err != nil {
			return nil, err
		}
		allowed = both(allowed, values)
	}
	for _, word := range []string{"anyOf", "oneOf"} {
		var values []any
		complete := true
		for _, branch := range p.field(word).items() {
			more, err := listed(branch)
			if err != nil {
				return nil, err
			}
			complete = complete && more != nil
			values = append(values, more...)
		}
		if complete && values != nil {
			allowed = both(allowed, values)
		}
	}
	return allowed, nil
}

// listed are the values of a schema's own enum.
func listed(p place) ([]any, error) {
	enum := p.field("enum")
	if enum.value == nil {
		return nil, nil
	}
	if !enum.isList() {
		return nil, enum.fault("enum has to be a list of values")
	}
	values := []any{}
	for _, item := range enum.items() {
		switch value := item.value.(type) {
		case map[string]any, []any, json.Number:
			return nil, item.fault("only texts, numbers, booleans and null are understood in an enum")
		default:
			values = append(values, value)
		}
	}
	return values, nil
}

// both are the values of a that are in b as well; nil stands for all values.
func both(a, b []any) []any {
	if a == nil {
		return b
	}
	if b == nil {
		return a
	}
	known := map[any]bool{}
	for _, value := range b {
		known[value] = true
	}
	shared := []any{}
	for _, value := range a {
		if known[value] {
			shared = append(shared, value)
		}
	}
	return shared
}
