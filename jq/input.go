package jq

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/big"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// Input is one JSON value in the form that programs read. It is immutable and
// may be shared by programs and goroutines. The zero Input is null.
type Input struct {
	value any
}

// Value is the normalised value: nil, bool, int, float64, *big.Int, string,
// []any and map[string]any. It must not be changed.
func (in Input) Value() any { return in.value }

// NewInput normalises a JSON value as Go programs hold it: every integer type,
// float32, json.Number, typed maps and slices, and named types of these are
// accepted. Integers keep all their digits. Subtrees that need no change are
// shared with value, which is never written to and must not be changed while
// the Input is in use.
//
// The engine compares numbers of a type it does not know as if they were null:
// asked whether int64(3) equals 3 it answers false, without an error. So
// anything that is not a JSON value is an error here, which names its path.
func NewInput(value any) (Input, error) { return NewInputApart(value, nil) }

// NewInputApart is NewInput, except that what is at some places, which no
// expression may read ([Program.MayRead]), is checked but keeps each int64.
// Decoders give integers so, and making them the engine's copies every map
// around them, which for pod templates is most of the object.
func NewInputApart(value any, apart *Places) (Input, error) {
	n := normaliser{left: MaxInputValues}
	normal, err := n.value(value, 0, apart)
	if err != nil {
		return Input{}, err
	}
	return Input{value: normal}, nil
}

// inputError is a value that JSON does not have, and where it is. The path is
// collected innermost first while the error travels up.
type inputError struct {
	path    Path
	problem string
}

func (e *inputError) Error() string {
	path := slices.Clone(e.path)
	slices.Reverse(path)
	return fmt.Sprintf("the value at %s %s", path, e.problem)
}

func notJSON(problem string) error { return &inputError{problem: problem} }

func under(err error, step Step) error {
	var at *inputError
	if errors.As(err, &at) && len(at.path) < MaxDepth {
		at.path = append(at.path, step)
	}
	return err
}

type normaliser struct {
	left int
}

func (n *normaliser) value(value any, depth int, apart *Places) (any, error) {
	if n.left--; n.left < 0 {
		return nil, notJSON(fmt.Sprintf("is too large: more than %d values", MaxInputValues))
	}
	switch v := value.(type) {
	case nil, bool, string, int:
		return v, nil
	case float64:
		// Giving back value itself saves boxing the number again.
		err := checkFloat(v)
		return value, err
	case int64:
		if apart.here() {
			return value, nil
		}
		return normalInt64(v), nil
	case *big.Int:
		return normalBig(v)
	case json.Number:
		return normalNumber(v.String())
	case map[string]any:
		return n.object(v, depth+1, apart)
	case []any:
		return n.array(value, v, depth+1, apart)
	default:
		return n.other(reflect.ValueOf(value), depth)
	}
}

func (n *normaliser) object(object map[string]any, depth int, apart *Places) (any, error) {
	if depth > MaxDepth {
		return nil, tooDeep()
	}
	if object == nil {
		return nil, nil
	}
	result := object
	for key, held := range object {
		normal, err := n.value(held, depth, apart.field(key))
		if err != nil {
			return nil, under(err, Step{Kind: StepField, Field: key})
		}
		if same(held, normal) {
			continue
		}
		if sameObject(result, object) {
			result = maps.Clone(object)
		}
		result[key] = normal
	}
	return result, nil
}

// array gives back given itself, which holds the array, when nothing changes.
func (n *normaliser) array(given any, array []any, depth int, apart *Places) (any, error) {
	if depth > MaxDepth {
		return nil, tooDeep()
	}
	if array == nil {
		return nil, nil
	}
	result, copied := array, false
	for i, held := range array {
		normal, err := n.value(held, depth, apart.element())
		if err != nil {
			return nil, under(err, Step{Kind: StepIndex, Index: i})
		}
		if same(held, normal) {
			continue
		}
		if !copied {
			result, copied = slices.Clone(array), true
		}
		result[i] = normal
	}
	if !copied {
		return given, nil
	}
	return result, nil
}

// other normalises types that are JSON values under another Go type.
func (n *normaliser) other(v reflect.Value, depth int) (any, error) {
	switch v.Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return normalInt64(v.Int()), nil
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		if unsigned := v.Uint(); unsigned > math.MaxInt {
			return new(big.Int).SetUint64(unsigned), nil
		}
		return int(v.Uint()), nil
	case reflect.Float32, reflect.Float64:
		return normalFloat(v.Float())
	case reflect.String:
		return v.String(), nil
	case reflect.Bool:
		return v.Bool(), nil
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return nil, nil
		}
		if depth++; depth > MaxDepth {
			return nil, tooDeep()
		}
		return n.value(v.Elem().Interface(), depth, nil)
	case reflect.Map:
		return n.typedObject(v, depth+1)
	case reflect.Slice, reflect.Array:
		return n.typedArray(v, depth+1)
	case reflect.Struct:
		return nil, notJSON("is a structure, not a JSON object")
	default:
		return nil, notJSON("is not a JSON value")
	}
}

func (n *normaliser) typedObject(v reflect.Value, depth int) (any, error) {
	switch {
	case depth > MaxDepth:
		return nil, tooDeep()
	case v.Type().Key().Kind() != reflect.String:
		return nil, notJSON("has keys that are not strings")
	case v.IsNil():
		return nil, nil
	}
	result := make(map[string]any, v.Len())
	for entries := v.MapRange(); entries.Next(); {
		key := entries.Key().String()
		normal, err := n.value(entries.Value().Interface(), depth, nil)
		if err != nil {
			return nil, under(err, Step{Kind: StepField, Field: key})
		}
		result[key] = normal
	}
	return result, nil
}

func (n *normaliser) typedArray(v reflect.Value, depth int) (any, error) {
	switch {
	case depth > MaxDepth:
		return nil, tooDeep()
	case v.Type().Elem().Kind() == reflect.Uint8:
		return nil, notJSON("is binary data, which JSON does not have")
	case v.Kind() == reflect.Slice && v.IsNil():
		return nil, nil
	}
	result := make([]any, v.Len())
	for i := range result {
		normal, err := n.value(v.Index(i).Interface(), depth, nil)
		if err != nil {
			return nil, under(err, Step{Kind: StepIndex, Index: i})
		}
		result[i] = normal
	}
	return result, nil
}

func tooDeep() error {
	return notJSON(fmt.Sprintf("is nested deeper than %d levels", MaxDepth))
}

func normalInt64(v int64) any {
	if v < math.MinInt || v > math.MaxInt {
		return big.NewInt(v)
	}
	return int(v)
}

func normalFloat(v float64) (any, error) {
	return v, checkFloat(v)
}

func checkFloat(v float64) error {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return notJSON("is a number that JSON does not have: " + strconv.FormatFloat(v, 'g', -1, 64))
	}
	return nil
}

func normalBig(v *big.Int) (any, error) {
	switch {
	case v == nil:
		return nil, nil
	case v.IsInt64():
		return normalInt64(v.Int64()), nil
	case v.BitLen() > maxBits:
		return nil, tooManyDigits()
	default:
		return v, nil
	}
}

func normalNumber(text string) (any, error) {
	if len(text) > MaxDigits {
		return nil, tooManyDigits()
	}
	if whole, err := strconv.ParseInt(text, 10, 64); err == nil {
		return normalInt64(whole), nil
	}
	if !strings.ContainsAny(text, ".eE") {
		if whole, ok := new(big.Int).SetString(text, 10); ok {
			return whole, nil
		}
	}
	float, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return nil, notJSON("is a number that JSON does not have: " + shorten(text, 40))
	}
	return normalFloat(float)
}

func tooManyDigits() error {
	return notJSON(fmt.Sprintf("is a number of more than %d digits", MaxDigits))
}

// same tells whether normalising changed nothing, so that nothing is copied.
func same(a, b any) bool {
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		return ok && a != nil && sameObject(a, b)
	case []any:
		b, ok := b.([]any)
		return ok && a != nil && len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
	case nil, bool, string, int, float64:
		return true
	case int64:
		_, kept := b.(int64)
		return kept
	case *big.Int:
		b, ok := b.(*big.Int)
		return ok && a == b
	default:
		return false
	}
}

// sameObject tells whether two maps are one in memory.
func sameObject(a, b map[string]any) bool {
	return reflect.ValueOf(a).Pointer() == reflect.ValueOf(b).Pointer()
}
