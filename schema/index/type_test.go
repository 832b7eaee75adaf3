package index_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/workloadmap/wm/schema/index"
)

var text = &index.Schema{Kind: index.String}

func object(fields ...index.Field) *index.Schema {
	return &index.Schema{Kind: index.Object, Fields: fields}
}

func field(name string, s *index.Schema) index.Field { return index.Field{Name: name, Schema: s} }

func required(name string, s *index.Schema) index.Field {
	return index.Field{Name: name, Schema: s, Required: true}
}

// library has one type, a Crate, that is worth a reference.
func library(t *testing.T) *index.Library {
	t.Helper()
	made, err := index.NewLibrary("test v1", map[string]*index.Schema{"Crate": crate()})
	if err != nil {
		t.Fatal(err)
	}
	return made
}

func crate() *index.Schema {
	return object(required("content", text), required("owner", text), field("weight", &index.Schema{Kind: index.Number}),
		field("height", &index.Schema{Kind: index.Integer, Format: index.Int32}), field("width", text), field("depth", text), field("colour", text))
}

func make1(t *testing.T, l *index.Library, root *index.Schema) *index.Index {
	t.Helper()
	made, err := l.New(kind("example.com", "v1", "Thing"), root)
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// changed is a crate that lacks a field, has one more and has two otherwise.
func changed() *index.Schema {
	s := crate()
	s.Fields = slices.DeleteFunc(s.Fields, func(f index.Field) bool { return f.Name == "depth" })
	s.Fields[1].Required = false
	s.Fields[4].Schema = &index.Schema{Kind: index.Integer}
	s.Fields = append(s.Fields, field("label", text))
	return s
}

func TestReferences(t *testing.T) {
	l := library(t)
	placed := *crate()
	placed.Nullable, placed.Default = true, map[string]any{"width": "1m"}
	x := make1(t, l, object(
		field("whole", crate()), field("changed", changed()), field("placed", &placed),
		field("many", &index.Schema{Kind: index.List, Element: crate(), Keys: []string{"owner", "content"}}),
	))
	want := `"root":{"f":{` +
		`"changed":{"t":"Crate","g":["depth"],"r":["content"],"f":{"label":"string","width":"integer"}},` +
		`"many":{"t":"[]Crate","k":["owner","content"]},` +
		`"placed":{"t":"Crate","d":{"width":"1m"},"n":true},` +
		`"whole":"Crate"}}}`
	if got := string(x.Encode()); !strings.Contains(got, want) {
		t.Errorf("%s\ndoes not have %s", got, want)
	}
	c := at(t, x, ".changed")
	if name, exact := c.Core(); name != "Crate" || exact {
		t.Errorf("core %q, %t", name, exact)
	}
	if diff := cmp.Diff([]string{"colour", "content", "height", "label", "owner", "weight", "width"}, c.Names()); diff != "" {
		t.Error(diff)
	}
	if !c.Required("content") || c.Required("owner") || c.Required("depth") {
		t.Error("content alone is required")
	}
	if _, exists, closed := c.Field("depth"); exists || !closed {
		t.Error("depth is gone")
	}
	if width, _, _ := c.Field("width"); width.Kind() != index.Integer {
		t.Errorf("width is %s", width.Kind())
	}
	p := at(t, x, ".placed")
	if name, exact := p.Core(); name != "Crate" || !exact || !p.Nullable() {
		t.Errorf("placed is %q, exact %t, nullable %t", name, exact, p.Nullable())
	}
	if whole := at(t, x, ".whole"); whole.Nullable() {
		t.Error("whole is nullable because placed is")
	}
	if at(t, x, ".whole") != at(t, x, ".many[]") {
		t.Error("the same type has two handles")
	}
}

// What Field says about values that are no plain object.
func TestFieldOfOtherKinds(t *testing.T) {
	x := make1(t, library(t), object(
		field("any", &index.Schema{}),
		field("map", &index.Schema{Kind: index.Map, Element: text}),
		field("list", &index.Schema{Kind: index.List}),
		field("open", &index.Schema{Kind: index.Object, Open: true, Fields: []index.Field{field("known", text)}}),
		field("empty", object()),
		field("text", text),
	))
	for _, test := range []struct {
		path, name     string
		kind           index.Kind
		exists, closed bool
	}{
		{".any", "x", index.Any, false, false},
		{".map", "x", index.String, true, false},
		{".list", "x", index.Any, false, true},
		{".open", "x", index.Any, false, false},
		{".open", "known", index.String, true, false},
		{".empty", "x", index.Any, false, true},
		{".text", "x", index.Any, false, true},
	} {
		got, exists, closed := at(t, x, test.path).Field(test.name)
		if got.Kind() != test.kind || exists != test.exists || closed != test.closed {
			t.Errorf("%s.%s is %s, exists %t, closed %t", test.path, test.name, got.Kind(), exists, closed)
		}
	}
	var zero index.Type
	if zero.Kind() != index.Any || zero.Nullable() || zero.Enum() != nil || zero.Element() != zero || zero.Open() {
		t.Error("the zero type says something")
	}
}

func TestPaths(t *testing.T) {
	x := find(t, "ray.io", "v1", "RayCluster")
	for path, want := range map[string]string{
		".spec.workerGroupSpec":           `.spec: there is no field "workerGroupSpec"; did you mean workerGroupSpecs?`,
		".spec.workerGroupSpecs.template": ".spec.workerGroupSpecs: this is a list: write [] in front of .template",
		".spec[]":                         ".spec: [] leads into a list, but this is object",
		".spec.rayVersion.major":          ".spec.rayVersion: there are no fields in a value of type string",
		"spec..x":                         `path "spec..x" is not understood at "..x": write it like .spec.template.spec.containers[].name`,
		`.metadata.labels["a`:             `path ".metadata.labels[\"a" is not understood at "[\"a": write it like .spec.template.spec.containers[].name`,
		".Spec":                           `.: there is no field "Spec"; did you mean spec?`,
	} {
		_, err := x.Root().At(path)
		if err == nil || err.Error() != want {
			t.Errorf("%s: error %v, want %s", path, err, want)
		}
	}
	for _, path := range []string{"", ".", `.metadata.labels["app.kubernetes.io/name"]`, ".metadata.labels{}", ".metadata.labels.app", "spec.suspend"} {
		if _, err := x.Root().At(path); err != nil {
			t.Errorf("%q: %v", path, err)
		}
	}
}

func TestSchemasThatAreNoTypes(t *testing.T) {
	for want, root := range map[string]*index.Schema{
		"format int32 does not go with string": {Kind: index.String, Format: index.Int32},
		`field "a" is there twice`:             object(field("a", text), field("a", text)),
	} {
		_, err := library(t).New(kind("example.com", "v1", "Thing"), root)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}
