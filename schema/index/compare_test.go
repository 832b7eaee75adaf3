package index_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/workloadmap/wm/schema/index"
)

func TestCompare(t *testing.T) {
	enum := func(values ...any) *index.Schema { return &index.Schema{Kind: index.String, Enum: values} }
	list := func(keys ...string) *index.Schema {
		return &index.Schema{Kind: index.List, Keys: keys, Element: object(field("a", text))}
	}
	with := func(change func(*index.Schema)) *index.Schema {
		s := *text
		change(&s)
		return &s
	}
	number := &index.Schema{Kind: index.Integer}
	for name, test := range map[string]struct {
		before, after *index.Schema
		want          []index.Change
	}{
		"nothing":         {object(field("a", text)), object(field("a", text)), []index.Change{}},
		"field gone":      {object(field("a", text)), object(), []index.Change{{Path: ".a", Kind: index.FieldGone, Breaking: true, Message: "the field is gone"}}},
		"field added":     {object(), object(field("a.b", text)), []index.Change{{Path: `["a.b"]`, Kind: index.FieldAdded, Message: "the field is new"}}},
		"required field":  {object(), object(required("a", text)), []index.Change{{Path: ".a", Kind: index.RequiredAdded, Breaking: true, Message: "the field is new and required"}}},
		"required now":    {object(field("a", text)), object(required("a", text)), []index.Change{{Path: ".a", Kind: index.RequiredAdded, Breaking: true, Message: "was optional, is required"}}},
		"optional now":    {object(required("a", text)), object(field("a", text)), []index.Change{{Path: ".a", Kind: index.RequiredGone, Breaking: true, Message: "was required, is optional"}}},
		"other type":      {object(field("a", text)), object(field("a", number)), []index.Change{{Path: ".a", Kind: index.TypeChanged, Breaking: true, Message: "was string, is integer"}}},
		"value gone":      {enum("x", "y"), enum("x", "z"), []index.Change{{Path: ".", Kind: index.EnumValueGone, Breaking: true, Message: `the value "y" is gone`}, {Path: ".", Kind: index.EnumValueAdded, Message: `the value "z" is new`}}},
		"enum new":        {text, enum("x"), []index.Change{{Path: ".", Kind: index.EnumValueGone, Breaking: true, Message: `every value was allowed, now only one of ["x"]`}}},
		"enum gone":       {enum("x"), text, []index.Change{{Path: ".", Kind: index.EnumGone, Message: `one of ["x"] was allowed, now every value`}}},
		"nullable":        {text, with(func(s *index.Schema) { s.Nullable = true }), []index.Change{{Path: ".", Kind: index.NullableAdded, Breaking: true, Message: "null is allowed now"}}},
		"not nullable":    {with(func(s *index.Schema) { s.Nullable = true }), text, []index.Change{{Path: ".", Kind: index.NullableGone, Message: "null is no longer allowed"}}},
		"default gone":    {with(func(s *index.Schema) { s.Default = "x" }), text, []index.Change{{Path: ".", Kind: index.DefaultGone, Breaking: true, Message: `the default "x" is gone`}}},
		"default added":   {text, with(func(s *index.Schema) { s.Default = "x" }), []index.Change{{Path: ".", Kind: index.DefaultAdded, Message: `the default "x" is new`}}},
		"default changed": {with(func(s *index.Schema) { s.Default = "x" }), with(func(s *index.Schema) { s.Default = "y" }), []index.Change{{Path: ".", Kind: index.DefaultChanged, Breaking: true, Message: `the default was "x", is "y"`}}},
		"closed":          {&index.Schema{Kind: index.Object, Open: true}, object(), []index.Change{{Path: ".", Kind: index.UnknownDropped, Breaking: true, Message: "unknown fields were kept, are dropped"}}},
		"opened":          {object(), &index.Schema{Kind: index.Object, Open: true}, []index.Change{{Path: ".", Kind: index.UnknownKept, Message: "unknown fields were dropped, are kept"}}},
		"keys gone":       {list("a"), list(), []index.Change{{Path: ".", Kind: index.KeysGone, Breaking: true, Message: "elements were identified by a, are not any more"}}},
		"keys added":      {list(), list("a"), []index.Change{{Path: ".", Kind: index.KeysAdded, Message: "elements are now identified by a"}}},
		"format": {&index.Schema{Kind: index.Integer, Format: index.Int32}, number,
			[]index.Change{{Path: ".", Kind: index.FormatChanged, Breaking: true, Message: "was int32, is any integer"}}},
		"in two places": {
			object(field("a", list()), field("m", &index.Schema{Kind: index.Map, Element: list()})),
			object(field("a", &index.Schema{Kind: index.List, Element: object()}), field("m", &index.Schema{Kind: index.Map, Element: &index.Schema{Kind: index.List, Element: object()}})),
			[]index.Change{{Path: ".a[].a", Kind: index.FieldGone, Breaking: true, Message: "the field is gone", Also: []string{".m{}[].a"}}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			l := library(t)
			got := index.Compare(make1(t, l, test.before), make1(t, l, test.after))
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("changes (-want +got):\n%s", diff)
			}
		})
	}
}
