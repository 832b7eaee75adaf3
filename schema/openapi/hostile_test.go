package openapi_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/workloadmap/wm/schema/index"
	"github.com/workloadmap/wm/schema/openapi"
)

// crdWith puts a schema for .spec, written as JSON, into a CRD.
func crdWith(schema string) string {
	return `{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
"spec": {"group": "example.com", "names": {"kind": "Kiln"}, "versions": [{"name": "v1", "served": true,
"schema": {"openAPIV3Schema": {"type": "object", "properties": {"spec": ` + schema + `}}}}]}}`
}

func nested(levels int) string {
	return strings.Repeat(`{"type": "object", "properties": {"below": `, levels) + `{"type": "string"}` + strings.Repeat("}}", levels)
}

// wide is an object of about so many bytes, whose fields look like many core types
// and are all different.
func wide(size int) string {
	var out strings.Builder
	out.WriteString(`{"type": "object", "properties": {"first": {"type": "string"}`)
	for i := 0; out.Len() < size; i++ {
		fmt.Fprintf(&out, `,"f%d": {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"},`+
			`"image": {"type": "string"}, "key": {"type": "string"}, "path": {"type": "string"}, "x%d": {"type": "integer"}}}`, i, i)
	}
	return out.String() + "}}"
}

// flat is one object with many required fields.
func flat(size int) string {
	var fields, required strings.Builder
	for i := 0; fields.Len()+required.Len() < size; i++ {
		fmt.Fprintf(&fields, `"f%d": {"type": "string"},`, i)
		fmt.Fprintf(&required, `"f%d",`, i)
	}
	return `{"type": "object", "required": [` + required.String() + `"last"], "properties": {` + fields.String() + `"last": {"type": "string"}}}`
}

// same is what real CRDs are large with: the same types again and again.
func same(size int) string {
	var out strings.Builder
	out.WriteString(`{"type": "object", "properties": {"first": {"type": "string"}`)
	for i := 0; out.Len() < size; i++ {
		fmt.Fprintf(&out, `,"f%d": {"type": "array", "description": "`+strings.Repeat("One of many. ", 40)+`", "items": {"type": "object", "required": ["name"],`+
			`"properties": {"name": {"type": "string"}, "image": {"type": "string"}, "key": {"type": "string"}}}}`, i)
	}
	return out.String() + "}}"
}

// enums are two lists of values of which only the last is in both.
func enums(size int) string {
	var first, second strings.Builder
	for i := 0; first.Len()+second.Len() < size; i++ {
		fmt.Fprintf(&first, `"a%d",`, i)
		fmt.Fprintf(&second, `"b%d",`, i)
	}
	return `{"type": "string", "allOf": [{"enum": [` + first.String() + `"z"]}, {"enum": [` + second.String() + `"z"]}]}`
}

func TestHostileSchemas(t *testing.T) {
	var anchors strings.Builder
	anchors.WriteString("apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec:\n  group: example.com\n  names: {kind: Kiln}\n  x:\n")
	anchors.WriteString("  - &a0 {type: object, properties: {a: {type: string}, b: {type: string}}}\n")
	for i := range 40 {
		fmt.Fprintf(&anchors, "  - &a%d {type: object, properties: {a: *a%d, b: *a%d}}\n", i+1, i, i)
	}
	anchors.WriteString("  versions:\n  - {name: v1, served: true, schema: {openAPIV3Schema: *a40}}\n")
	tests := []struct {
		name, content string
		// want is part of the error; empty where there has to be an index.
		want string
	}{
		{"10 MB of different types", crdWith(wide(10 << 20)), "more than 100000 schemas"},
		{"3 MB of different types", crdWith(wide(3 << 20)), "more than 5000 different types"},
		{"10 MB of fields, all required", crdWith(flat(10 << 20)), "more than 100000 schemas"},
		{"3 MB of fields, all required", crdWith(flat(3 << 20)), ""},
		{"10 MB of the same types with prose", crdWith(same(10 << 20)), ""},
		{"10 MB of enums", crdWith(enums(10 << 20)), ""},
		{"deep", crdWith(nested(90)), ""},
		{"too deep", crdWith(nested(150)), "nested deeper than 100 levels"},
		{"5,000 levels", crdWith(nested(5000)), "deep"},
		{"anchors that unfold to everything", anchors.String(), "aliases unfolded"},
		{"lists of lists", crdWith(strings.Repeat(`{"type": "array", "items": `, 90) + `{"type": "string"}` + strings.Repeat("}", 90)), ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			index.Core()
			start := time.Now()
			made, err := openapi.Read("crd.json", []byte(test.content))
			took := time.Since(start)
			t.Logf("%d bytes in %v", len(test.content), took)
			switch {
			case test.want == "" && (err != nil || len(made) != 1):
				t.Errorf("%d indexes, %v", len(made), err)
			case test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)):
				t.Errorf("error %v, want one with %q", err, test.want)
			}
			// It takes less than two seconds on a machine that has nothing else to do;
			// what is not linear takes minutes.
			if took > 20*time.Second {
				t.Errorf("it took %v", took)
			}
		})
	}
}
