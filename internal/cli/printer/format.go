// Package printer writes results for people and for programs.
package printer

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"
)

// Format is the value of an -o flag.
type Format string

// The formats that commands offer; text is the default everywhere.
const (
	Text Format = "text"
	JSON Format = "json"
	YAML Format = "yaml"
	// JUnit is the XML that CI systems show test results from.
	JUnit Format = "junit"
)

// ParseFormat checks the value of an -o flag against what a command offers.
func ParseFormat(value string, offered ...Format) (Format, error) {
	if slices.Contains(offered, Format(value)) {
		return Format(value), nil
	}
	words := make([]string, len(offered))
	for i, format := range offered {
		words[i] = string(format)
	}
	return "", fmt.Errorf("unknown output format %q: use one of %s", value, strings.Join(words, ", "))
}

// Document writes one value as indented JSON or as YAML.
func Document(out io.Writer, format Format, value any) error {
	if format == YAML {
		content, err := yaml.Marshal(value)
		if err != nil {
			return fmt.Errorf("write YAML: %w", err)
		}
		_, err = out.Write(content)
		return err
	}
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(value)
}

// List is how several results are written as one document.
type List[T any] struct {
	Items []T `json:"items"`
	Count int `json:"count"`
}

// ListOf wraps results for writing them as one document.
func ListOf[T any](results []T) List[T] {
	if results == nil {
		results = []T{}
	}
	return List[T]{Items: results, Count: len(results)}
}

// Results writes a single result bare and several as a List.
func Results[T any](out io.Writer, format Format, results []T) error {
	if len(results) == 1 {
		return Document(out, format, results[0])
	}
	return Document(out, format, ListOf(results))
}
