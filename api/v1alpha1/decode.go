package v1alpha1

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// FieldError is one thing in a document that keeps it from being a definition.
//
// +kubebuilder:object:generate=false
type FieldError struct {
	// Path leads to the offending value: field names as strings, list indexes as
	// ints, counted from 0. Empty means the document itself.
	Path []any
	// Message says what is needed and what was found.
	Message string
}

func (e *FieldError) Error() string {
	if len(e.Path) == 0 {
		return e.Message
	}
	return field(e.Path) + ": " + e.Message
}

// Decode turns a parsed document into a definition. The value is what a YAML or
// JSON parser yields for the document (maps with string keys, lists, strings,
// numbers, booleans, nil); its header may be that of any dialect and is kept.
// Defaults are applied.
//
// Fields that the format does not know are passed over: the schema reports them.
// Field names are case-sensitive. Null counts as absent. A value of the wrong
// kind is an error, never dropped; the error joins a [*FieldError] for each, in
// the order of the format's fields. The result shares nothing with value.
func Decode(value any) (*WorkloadMap, error) {
	document, ok := value.(map[string]any)
	if !ok {
		return nil, &FieldError{Message: "a definition must be an object, not " + found(value)}
	}
	apiVersion, _ := document["apiVersion"].(string)
	kind, _ := document["kind"].(string)
	if _, ok := DialectOf(apiVersion, kind); !ok {
		return nil, &FieldError{
			Message: fmt.Sprintf("not a definition: apiVersion %q with kind %q is none of %s", apiVersion, kind, headers()),
		}
	}
	w := &WorkloadMap{}
	w.APIVersion, w.Kind = apiVersion, kind
	var d decoder
	d.object(reflect.ValueOf(&w.Spec).Elem(), document["spec"], []any{"spec"})
	d.metadata(&w.ObjectMeta, document["metadata"])
	d.machinery(&w.Status, document["status"], "status")
	if len(d.errors) > 0 {
		return nil, errors.Join(d.errors...)
	}
	SetDefaults(w)
	return w, nil
}

// headers lists the headers of all dialects for an error message.
func headers() string {
	var names []string
	for _, d := range Dialects() {
		names = append(names, d.APIVersion+" "+d.Kind)
	}
	return strings.Join(names, ", ")
}

// decoder copies a document into the types of this package and collects what
// does not fit. It exists because encoding/json stops at the first mistake, names
// Go types in its errors, leaves list indexes out of its paths and takes a field
// name in the wrong case for the right one.
//
// +kubebuilder:object:generate=false
type decoder struct{ errors []error }

func (d *decoder) fail(path []any, needed string, value any) {
	d.errors = append(d.errors, &FieldError{
		Path:    append([]any{}, path...),
		Message: "must be " + needed + ", not " + found(value),
	})
}

// value sets target, which has one of the few kinds that the spec's types are
// made of; a test holds the types to them.
func (d *decoder) value(target reflect.Value, value any, path []any) {
	if value == nil {
		return
	}
	switch target.Kind() {
	case reflect.Pointer:
		target.Set(reflect.New(target.Type().Elem()))
		d.value(target.Elem(), value, path)
	case reflect.Struct:
		d.object(target, value, path)
	case reflect.Slice:
		d.slice(target, value, path)
	case reflect.Map:
		d.stringMap(target, value, path)
	case reflect.String:
		text, ok := value.(string)
		if !ok {
			d.fail(path, "a string", value)
			return
		}
		target.SetString(text)
	default:
		d.fail(path, "a value that this format knows", value)
	}
}

func (d *decoder) object(target reflect.Value, value any, path []any) {
	if value == nil {
		return
	}
	fields, ok := value.(map[string]any)
	if !ok {
		d.fail(path, "an object", value)
		return
	}
	for i := range target.NumField() {
		name, _, _ := strings.Cut(target.Type().Field(i).Tag.Get("json"), ",")
		d.value(target.Field(i), fields[name], append(path, name))
	}
}

// slice keeps the difference between an absent list and an empty one.
func (d *decoder) slice(target reflect.Value, value any, path []any) {
	items, ok := value.([]any)
	if !ok {
		d.fail(path, "a list", value)
		return
	}
	target.Set(reflect.MakeSlice(target.Type(), len(items), len(items)))
	for i, item := range items {
		at := append(path, i)
		if item == nil {
			// A null item cannot be absent: the ones after it would move up.
			d.fail(at, "a value", nil)
			continue
		}
		d.value(target.Index(i), item, at)
	}
}

func (d *decoder) stringMap(target reflect.Value, value any, path []any) {
	entries, ok := value.(map[string]any)
	if !ok {
		d.fail(path, "an object", value)
		return
	}
	result := make(map[string]string, len(entries))
	for _, key := range slices.Sorted(maps.Keys(entries)) {
		text, ok := entries[key].(string)
		if !ok {
			d.fail(append(path, key), "a string", entries[key])
			continue
		}
		result[key] = text
	}
	target.Set(reflect.ValueOf(result))
}

// metadata checks the fields that authors write with exact paths before the rest
// goes to Kubernetes' own decoder.
func (d *decoder) metadata(target *metav1.ObjectMeta, value any) {
	if fields, ok := value.(map[string]any); ok {
		before := len(d.errors)
		d.value(reflect.ValueOf(&target.Name).Elem(), fields["name"], []any{"metadata", "name"})
		d.value(reflect.ValueOf(&target.Labels).Elem(), fields["labels"], []any{"metadata", "labels"})
		d.value(reflect.ValueOf(&target.Annotations).Elem(), fields["annotations"], []any{"metadata", "annotations"})
		if len(d.errors) > before {
			return
		}
	}
	d.machinery(target, value, "metadata")
}

// machinery decodes a part whose types belong to Kubernetes, with a decoder that
// is case-sensitive too.
func (d *decoder) machinery(target any, value any, name string) {
	if value == nil {
		return
	}
	if _, ok := value.(map[string]any); !ok {
		d.fail([]any{name}, "an object", value)
		return
	}
	data, err := json.Marshal(value)
	if err != nil {
		d.errors = append(d.errors, &FieldError{Path: []any{name}, Message: "holds something that is not a JSON value"})
		return
	}
	if err := utiljson.Unmarshal(data, target); err != nil {
		d.errors = append(d.errors, machineryError(name, err))
	}
}

// machineryError says in the user's words what the JSON decoder says in Go's.
func machineryError(name string, err error) *FieldError {
	var mismatch *json.UnmarshalTypeError
	if errors.As(err, &mismatch) {
		path := []any{name}
		for segment := range strings.SplitSeq(mismatch.Field, ".") {
			path = append(path, segment)
		}
		return &FieldError{Path: path, Message: "must be " + needed(mismatch.Type) + ", not " + decoderWord(mismatch.Value)}
	}
	var badTime *time.ParseError
	if errors.As(err, &badTime) {
		return &FieldError{Path: []any{name}, Message: fmt.Sprintf("%q is not a time such as 2026-01-31T12:00:00Z", badTime.Value)}
	}
	return &FieldError{Path: []any{name}, Message: "holds a value of the wrong kind"}
}

// decoderWord translates the JSON decoder's name for what it found.
func decoderWord(value string) string {
	switch value, _, _ := strings.Cut(value, " "); value {
	case "bool":
		return "a boolean"
	case "array":
		return "a list"
	case "object":
		return "an object"
	default:
		return "a " + value
	}
}

// needed names the JSON kind that a field of this type is written as.
func needed(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String:
		return "a string"
	case reflect.Bool:
		return "a boolean"
	case reflect.Slice, reflect.Array:
		return "a list"
	case reflect.Int, reflect.Int32, reflect.Int64:
		return "a whole number"
	default:
		return "an object"
	}
}

// found names a value the way its author sees it.
func found(value any) string {
	switch v := value.(type) {
	case nil:
		return "null"
	case bool:
		return fmt.Sprintf("the boolean %t", v)
	case string:
		return "a string"
	case map[string]any:
		return "an object"
	case []any:
		return "a list"
	case float64:
		if v == math.Trunc(v) && math.Abs(v) < 1e15 {
			return fmt.Sprintf("the number %.0f", v)
		}
		return fmt.Sprintf("the number %v", v)
	case int, int64, json.Number:
		return fmt.Sprintf("the number %v", v)
	default:
		return "something that is not a JSON value"
	}
}
