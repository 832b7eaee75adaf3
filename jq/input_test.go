package jq

import (
	"encoding/json"
	"math"
	"math/big"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

type namedString string

func TestNewInput(t *testing.T) {
	huge, _ := new(big.Int).SetString("123456789012345678901234567890", 10)
	three := 3
	for name, test := range map[string]struct{ value, want any }{
		"null":             {nil, nil},
		"int":              {7, 7},
		"int8":             {int8(-7), -7},
		"int32":            {int32(7), 7},
		"int64":            {int64(9007199254740993), 9007199254740993},
		"uint16":           {uint16(7), 7},
		"uint64 too large": {uint64(math.MaxUint64), new(big.Int).SetUint64(math.MaxUint64)},
		"float32":          {float32(0.5), 0.5},
		"float64 integral": {3.0, 3.0},
		"small big":        {big.NewInt(5), 5},
		"big":              {huge, huge},
		"nil big":          {(*big.Int)(nil), nil},
		"number":           {json.Number("42"), 42},
		"number beyond 53": {json.Number("9007199254740993"), 9007199254740993},
		"number beyond 64": {json.Number("123456789012345678901234567890"), huge},
		"number fraction":  {json.Number("2.50"), 2.5},
		"number exponent":  {json.Number("1e3"), 1000.0},
		"named string":     {namedString("x"), "x"},
		"string map":       {map[string]string{"a": "b"}, map[string]any{"a": "b"}},
		"named keys":       {map[namedString]int64{"a": 1}, map[string]any{"a": 1}},
		"string slice":     {[]string{"a", "b"}, []any{"a", "b"}},
		"array":            {[2]int32{1, 2}, []any{1, 2}},
		"maps in slice":    {[]map[string]any{{"a": int64(1)}}, []any{map[string]any{"a": 1}}},
		"pointer":          {&three, 3},
		"nil pointer":      {(*int)(nil), nil},
		"nil map":          {map[string]any(nil), nil},
		"nil typed map":    {map[string]string(nil), nil},
		"nil slice":        {[]any(nil), nil},
		"nested":           {map[string]any{"a": []any{map[string]any{"b": int64(2)}}, "c": "d"}, map[string]any{"a": []any{map[string]any{"b": 2}}, "c": "d"}},
	} {
		in, err := NewInput(test.value)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if diff := cmp.Diff(test.want, in.Value(), compareNumbers); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestNewInputErrors(t *testing.T) {
	deep := any("bottom")
	for range MaxDepth + 1 {
		deep = []any{deep}
	}
	wide := any(1)
	for range 30 {
		wide = []any{wide, wide}
	}
	circular := map[string]any{}
	circular["self"] = circular
	for name, test := range map[string]struct {
		value any
		want  string
	}{
		"nan":       {map[string]any{"spec": map[string]any{"x": math.NaN()}}, "the value at .spec.x is a number that JSON does not have: NaN"},
		"infinity":  {[]any{1, math.Inf(-1)}, "the value at .[1] is a number that JSON does not have: -Inf"},
		"number":    {json.Number("1e999"), "the value at . is a number that JSON does not have: 1e999"},
		"digits":    {[]any{json.Number(strings.Repeat("9", 500))}, "the value at .[0] is a number of more than 400 digits"},
		"function":  {map[string]any{"a-b": func() {}}, `the value at .["a-b"] is not a JSON value`},
		"channel":   {[]any{make(chan int)}, "the value at .[0] is not a JSON value"},
		"structure": {map[string]any{"t": struct{ A int }{}}, "the value at .t is a structure, not a JSON object"},
		"bytes":     {map[string]any{"data": []byte("x")}, "the value at .data is binary data, which JSON does not have"},
		"int keys":  {map[string]any{"m": map[int]string{1: "a"}}, "the value at .m has keys that are not strings"},
		"complex":   {complex(1, 2), "the value at . is not a JSON value"},
		"deep":      {deep, "is nested deeper than 1000 levels"},
		"circular":  {circular, "is nested deeper than 1000 levels"},
		"wide":      {wide, "is too large: more than 10000000 values"},
	} {
		_, err := NewInput(test.value)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s gives %v, want %q in it", name, err, test.want)
		}
	}
}

// TestNewInputCopiesOnWrite holds that nothing is copied without need and the
// given value is never written to.
func TestNewInputCopiesOnWrite(t *testing.T) {
	clean := map[string]any{"a": []any{"x", 1.5, nil}, "b": map[string]any{"c": true, "n": 1}}
	if in := input(t, clean); reflect.ValueOf(in.Value()).Pointer() != reflect.ValueOf(clean).Pointer() {
		t.Error("a value that needs no change was copied")
	}
	if allocs := testing.AllocsPerRun(10, func() { _, _ = NewInput(clean) }); allocs > 1 {
		t.Errorf("normalising a clean value allocates %v times", allocs)
	}
	mixed := map[string]any{"clean": clean, "n": int64(3), "list": []any{int64(1), clean}}
	in := input(t, mixed)
	if _, ok := mixed["n"].(int64); !ok || mixed["list"].([]any)[0] != int64(1) {
		t.Errorf("the given value became %v", mixed)
	}
	if reflect.ValueOf(in.Value().(map[string]any)["clean"]).Pointer() != reflect.ValueOf(clean).Pointer() {
		t.Error("a subtree that needs no change was copied")
	}
}

func TestText(t *testing.T) {
	for _, test := range []struct {
		value any
		want  string
	}{
		{"plain \"text\"", "plain \"text\""}, {nil, "null"}, {1.0, "1"}, {int64(3), "3"}, {2.5, "2.5"}, {true, "true"},
		{map[string]any{"b": 1, "a": []any{"x", nil}}, `{"a":["x",null],"b":1}`},
		{"", ""}, {[]string{"<&>"}, `["<&>"]`},
	} {
		if got, err := Text(test.value); err != nil || got != test.want {
			t.Errorf("Text(%v) = %q, %v, want %q", test.value, got, err, test.want)
		}
	}
	if _, err := Text(func() {}); err == nil {
		t.Error("a function has a text")
	}
}
