package types_test

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/workloadmap/wm/api/v1alpha1"
	"github.com/workloadmap/wm/catalog"
	"github.com/workloadmap/wm/schema/index"
	"github.com/workloadmap/wm/schema/types"
)

// written is an OpenAPI schema in the form that indexes are made from.
func written(t testing.TB, o *openAPI) *index.Schema {
	t.Helper()
	made := &index.Schema{Nullable: o.Nullable, Open: o.Open, Enum: o.Enum}
	if o.Default != nil {
		if err := json.Unmarshal(o.Default, &made.Default); err != nil {
			t.Fatal(err)
		}
		if number, ok := made.Default.(float64); ok {
			made.Default = int64(number)
		}
	}
	switch {
	case o.IntOrString:
		made.Kind = index.IntOrString
	case o.Type == "object" && o.AdditionalProperties != nil:
		made.Kind, made.Element = index.Map, written(t, o.AdditionalProperties)
	case o.Type == "array":
		made.Kind, made.Element = index.List, written(t, o.Items)
	default:
		made.Kind = map[string]index.Kind{"object": index.Object, "string": index.String, "integer": index.Integer,
			"number": index.Number, "boolean": index.Boolean}[o.Type]
	}
	for _, name := range slices.Sorted(maps.Keys(o.Properties)) {
		made.Fields = append(made.Fields, index.Field{Name: name, Required: slices.Contains(o.Required, name), Schema: written(t, o.Properties[name])})
	}
	return made
}

// An index says the same as the schema that it is made from.
func TestOfIndex(t *testing.T) {
	root := trainer(t).(crd)
	text := &index.Schema{Kind: index.String}
	library, err := index.NewLibrary("test", map[string]*index.Schema{
		"Container": {Kind: index.Object, Fields: []index.Field{{Name: "image", Schema: text}, {Name: "name", Schema: text}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	made, err := library.New(v1alpha1.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Trainer"}, written(t, root.openAPI))
	if err != nil {
		t.Fatal(err)
	}
	root.root = false
	if diff := cmp.Diff(outline(root, ""), outline(types.Of(made.Root()), "")); diff != "" {
		t.Errorf("-schema +index:\n%s", diff)
	}
	field, _ := types.Of(made.Root()).Field("spec")
	again, _ := types.Of(made.Root()).Field("spec")
	if field.Schema != again.Schema {
		t.Error("the same type gives schemas that are not equal")
	}
	result := types.Check(compile(t, `.spec.groups[].nam`).Syntax(), types.Of(made.Root()))
	if len(result.Problems) != 2 {
		t.Errorf("got %+v", result.Problems)
	}
}

// outline writes all that a schema says, one line for each place.
func outline(s types.Schema, path string) []string {
	if s == nil {
		return nil
	}
	line, err := json.Marshal([]any{path, s.Kinds(), s.Enum(), s.Closed(), s.FieldNames()})
	if err != nil {
		return []string{err.Error()}
	}
	lines := []string{string(line)}
	for _, name := range s.FieldNames() {
		field, ok := s.Field(name)
		mark := "."
		if field.Optional {
			mark = "?."
		}
		if ok {
			lines = append(lines, outline(field.Schema, path+mark+name)...)
		}
	}
	lines = append(lines, outline(s.Values(), path+"{}")...)
	return append(lines, outline(s.Items(), path+"[]")...)
}

// builtIn loads an index; false when there is none.
func builtIn(t *testing.T, kind v1alpha1.GroupVersionKind) (types.Schema, bool) {
	t.Helper()
	found, err := index.Find(kind)
	if errors.Is(err, index.ErrUnknown) {
		return nil, false
	}
	if err != nil {
		t.Fatal(err)
	}
	return types.Of(found.Root()), true
}

// By the built-in indexes, nothing is wrong with the catalog either.
func TestJudgeFindsNothingInCatalogByIndex(t *testing.T) {
	pod, ok := builtIn(t, v1alpha1.GroupVersionKind{Version: "v1", Kind: "Pod"})
	if !ok {
		t.Fatal("pods have no index")
	}
	judged := 0
	for _, e := range catalog.Entries() {
		definition, err := e.Load()
		if err != nil {
			t.Fatal(err)
		}
		root, ok := builtIn(t, *definition.Spec.StructureDefinition.RootComponent.Kind)
		if !ok {
			t.Logf("%s has no index of its root", definition.Name)
			continue
		}
		judged++
		for _, f := range judgeDefinition(t, definition, types.Schemas{Root: root, Pod: pod}) {
			t.Errorf("%s: %v: %s", definition.Name, f.Path, f.Message)
		}
	}
	if judged < 2 {
		t.Errorf("only %d definitions were judged", judged)
	}
}
