package jq

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestNothingElseIsRead replaces what an expression is said not to read, on
// every expression and input of the corpus, and expects the same results.
func TestNothingElseIsRead(t *testing.T) {
	c := readCorpus(t)
	unread := 0
	for _, expression := range c.Expressions {
		p, err := Compile(expression)
		if err != nil {
			continue
		}
		for i, value := range c.Inputs {
			in := input(t, value)
			want, wantErr := p.Run(t.Context(), in)
			for _, place := range placesIn(in.Value(), nil) {
				if p.MayRead(place) {
					continue
				}
				unread++
				for _, other := range []any{nil, 7, "other", []any{"x"}, map[string]any{"a": map[string]any{"b": 1}}} {
					got, gotErr := p.Run(t.Context(), Input{replaced(in.Value(), place, other)})
					if diff := cmp.Diff(want, got, compareNumbers); diff != "" || (gotErr == nil) != (wantErr == nil) {
						t.Errorf("%q on input %d reads %s: %s %v, not %v", expression, i, place, diff, gotErr, wantErr)
					}
				}
			}
		}
	}
	if unread < 1000 {
		t.Errorf("only %d places were said to be unread: that tests nothing", unread)
	}
}

// placesIn lists every place within a value.
func placesIn(value any, at Path) []Path {
	var places []Path
	switch v := value.(type) {
	case map[string]any:
		for _, key := range sortedKeys(v) {
			below := at.then(Step{Kind: StepField, Field: key})
			places = append(append(places, below), placesIn(v[key], below)...)
		}
	case []any:
		for i, held := range v {
			below := at.then(Step{Kind: StepIndex, Index: i})
			places = append(append(places, below), placesIn(held, below)...)
		}
	}
	return places
}

func replaced(value any, at Path, other any) any {
	if len(at) == 0 {
		return other
	}
	value = copied(value)
	switch v := value.(type) {
	case map[string]any:
		v[at[0].Field] = replaced(v[at[0].Field], at[1:], other)
	case []any:
		v[at[0].Index] = replaced(v[at[0].Index], at[1:], other)
	}
	return value
}

func TestMayRead(t *testing.T) {
	template := Path{{Kind: StepField, Field: "spec"}, {Kind: StepField, Field: "groups"}, {Kind: StepIterate}, {Kind: StepField, Field: "template"}}
	for expression, want := range map[string]bool{
		`.spec.groups[].name`: false,
		`.spec.suspend == true and any(.status.conditions[]?; .type == "Ready")`:         false,
		`.spec.groups[] | if .suspend then 0 else ([.replicas, .min] | max) end`:         false,
		`(.spec.on == true) as $on | .spec.groups[]? | if $on then .min // 0 else 1 end`: false,
		`reduce .spec.groups[] as $g (0; . + $g.replicas)`:                               false,
		`[.spec.groups[] | select(.on) | .name] | join(",")`:                             false,
		`.spec.groups[].template`:                true,
		`.spec.groups[0].template.spec.replicas`: true,
		`.spec.groups | length`:                  true,
		`.spec.groups[] | select(.template)`:     true,
		`.spec == {}`:                            true,
		`def f: .spec; f | .suspend`:             true,
		`.spec | {groups}`:                       true,
		`.spec as {groups: $g} | 1`:              true,
		`.spec["gr" + "oups"]`:                   true,
		`.spec.groups[] | to_entries[] | .key`:   true,
		`"\(.spec.groups)"`:                      true,
		`try error(.spec) catch .groups`:         true,
		`reduce .spec.a[] as $a (.; .) | 1`:      true,
	} {
		p, err := Compile(expression)
		if err != nil {
			t.Fatal(err)
		}
		if got := p.MayRead(template); got != want {
			t.Errorf("%q may read %s: %v, want %v", expression, template, got, want)
		}
	}
}
