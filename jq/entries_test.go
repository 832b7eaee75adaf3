package jq

import (
	"encoding/json"
	"fmt"
	"reflect"
	"testing"
)

func TestEntries(t *testing.T) {
	field := func(name string) Step { return Step{Kind: StepField, Field: name} }
	iterate := Step{Kind: StepIterate}
	for name, test := range map[string]struct {
		input string
		base  Path
		want  []string // alone, path, view
	}{
		"list": {`{"a":[1,2],"b":3}`, Path{field("a"), iterate}, []string{
			`{"a":[1],"b":3} [a 0] [a 0]`, `{"a":[2],"b":3} [a 1] [a 0]`}},
		"map by sorted key": {`{"m":{"y":1,"x":2}}`, Path{field("m"), iterate}, []string{
			`{"m":{"x":2}} [m x] [m x]`, `{"m":{"y":1}} [m y] [m y]`}},
		"list inside list": {`{"a":[{"b":[1,2]},{"b":[]},{"b":[3]}]}`, Path{field("a"), iterate, field("b"), iterate}, []string{
			`{"a":[{"b":[1]}]} [a 0 b 0] [a 0 b 0]`, `{"a":[{"b":[2]}]} [a 0 b 1] [a 0 b 0]`, `{"a":[{"b":[3]}]} [a 2 b 0] [a 0 b 0]`}},
		"one element":    {`[[1,2],[3]]`, Path{{Kind: StepIndex, Index: -1}, iterate}, []string{`[[1,2],[3]] [1 0] [1 0]`}},
		"absent":         {`{"b":3}`, Path{field("a"), iterate}, nil},
		"null":           {`{"a":null}`, Path{field("a"), iterate}, nil},
		"not a list":     {`{"a":"text"}`, Path{field("a"), iterate}, nil},
		"not an object":  {`[1]`, Path{field("a"), iterate}, nil},
		"out of range":   {`[]`, Path{{Kind: StepIndex, Index: 3}, iterate}, nil},
		"below a scalar": {`{"a":[1,{"b":[2]}]}`, Path{field("a"), iterate, field("b"), iterate}, []string{`{"a":[{"b":[2]}]} [a 1 b 0] [a 0 b 0]`}},
	} {
		t.Run(name, func(t *testing.T) {
			var value any
			if err := json.Unmarshal([]byte(test.input), &value); err != nil {
				t.Fatal(err)
			}
			in, err := NewInput(value)
			if err != nil {
				t.Fatal(err)
			}
			before, _ := json.Marshal(value)
			var got []string
			together := Together(in.Entries(test.base)).Value().([]any)
			if len(together) != len(test.want) {
				t.Errorf("together they are %d, want %d", len(together), len(test.want))
			}
			for i, entry := range in.Entries(test.base) {
				if !reflect.DeepEqual(together[i], entry.Alone.Value()) {
					t.Errorf("entry %d differs from that of the list", i)
				}
				alone, err := json.Marshal(entry.Alone.Value())
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, fmt.Sprint(string(alone), " ", entry.Path, " ", entry.View))
			}
			if fmt.Sprint(got) != fmt.Sprint(test.want) {
				t.Errorf("got  %v\nwant %v", got, test.want)
			}
			if after, _ := json.Marshal(value); string(after) != string(before) {
				t.Errorf("the input became %s", after)
			}
		})
	}
}
