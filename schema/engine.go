package schema

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/url"
	"path"
	"strconv"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// failure is one keyword of the schema that one value does not satisfy.
type failure struct {
	// path leads to the value: field names as strings, list indexes as ints.
	path    []any
	keyword string
}

// schemaURL is the schema's own $id. It must be absolute: the engine resolves a
// relative one against the working directory, which then shows in its errors.
const schemaURL = "https://workloadmap.dev/schema/v1alpha1/workloadmap.schema.json"

// compiled makes the validator on first use, once for the process.
var compiled = sync.OnceValue(func() *jsonschema.Schema {
	schema, err := compile(jsonSchema)
	if err != nil {
		// The schema is part of the program, and a test compiles it.
		panic(err)
	}
	return schema
})

func compile(text []byte) (*jsonschema.Schema, error) {
	compiler := jsonschema.NewCompiler()
	compiler.Draft = jsonschema.Draft2020
	compiler.LoadURL = func(reference string) (io.ReadCloser, error) {
		return nil, fmt.Errorf("the schema refers to %s; it must stand alone", reference)
	}
	if err := compiler.AddResource(schemaURL, bytes.NewReader(text)); err != nil {
		return nil, fmt.Errorf("read the JSON Schema: %w", err)
	}
	schema, err := compiler.Compile(schemaURL)
	if err != nil {
		return nil, fmt.Errorf("compile the JSON Schema: %w", err)
	}
	return schema, nil
}

// check returns what is wrong with a document that consists of JSON values only,
// in no particular order.
func check(document any) []failure {
	err := compiled().Validate(document)
	if err == nil {
		return nil
	}
	var invalid *jsonschema.ValidationError
	if !errors.As(err, &invalid) {
		// The engine refuses Go types that JSON does not have; normalise, which has
		// run before, lets none through.
		panic(fmt.Errorf("validate a document: %w", err))
	}
	var failures []failure
	leaves(invalid, func(leaf *jsonschema.ValidationError) {
		failures = append(failures, failure{
			path:    locate(document, leaf.InstanceLocation),
			keyword: path.Base(leaf.KeywordLocation),
		})
	})
	return failures
}

// leaves visits the errors that have no cause: the others only say that
// something below them failed.
func leaves(err *jsonschema.ValidationError, visit func(*jsonschema.ValidationError)) {
	if len(err.Causes) == 0 {
		visit(err)
		return
	}
	for _, cause := range err.Causes {
		leaves(cause, visit)
	}
}

// locate decodes the engine's location, a JSON pointer that is percent-encoded
// on top. Only the document tells whether "0" is an index or a field name.
func locate(document any, location string) []any {
	segments := []any{}
	value := document
	for segment := range strings.SplitSeq(strings.TrimPrefix(location, "/"), "/") {
		if location == "" {
			break
		}
		name := segment
		if decoded, err := url.PathUnescape(segment); err == nil {
			name = decoded
		}
		name = strings.NewReplacer("~1", "/", "~0", "~").Replace(name)
		switch parent := value.(type) {
		case map[string]any:
			segments, value = append(segments, name), parent[name]
		case []any:
			index, err := strconv.Atoi(name)
			if err != nil || index < 0 || index >= len(parent) {
				return segments
			}
			segments, value = append(segments, index), parent[index]
		default:
			return segments
		}
	}
	return segments
}
