package jq

import (
	"fmt"

	"github.com/itchyny/gojq"
)

// Text is a value as jq's tostring gives it: a string is itself, everything
// else is compact JSON with sorted keys. It fails for what is not a JSON value.
func Text(value any) (string, error) {
	in, err := NewInput(value)
	if err != nil {
		return "", fmt.Errorf("write as text: %w", err)
	}
	if text, ok := in.value.(string); ok {
		return text, nil
	}
	return encode(in.value), nil
}

// encode writes a normalised value as jq writes JSON.
func encode(value any) string {
	text, err := gojq.Marshal(value)
	if err != nil {
		return ""
	}
	return string(text)
}

// quote writes a string as a jq literal.
func quote(text string) string { return encode(text) }

// describe names a value for an error message: its type and how it begins.
func describe(value any) string {
	if value == nil {
		return "null"
	}
	return gojq.TypeOf(value) + " (" + gojq.Preview(value) + ")"
}
