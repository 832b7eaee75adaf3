package lsp

import (
	"slices"
	"testing"

	"github.com/workloadmap/wm/api/v1alpha1"
	"github.com/workloadmap/wm/schema/index"
	"github.com/workloadmap/wm/schema/types"
)

// TestFieldsOfHalfWrittenExpressions has expressions on a Job that end where
// their author is. A field is named that the object there has, and one that it
// does not have; empty names say that nothing is known.
func TestFieldsOfHalfWrittenExpressions(t *testing.T) {
	job, err := index.Find(v1alpha1.GroupVersionKind{Group: "batch", Version: "v1", Kind: "Job"})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ before, written, has, lacks string }{
		{"", "", "spec", "parallelism"},
		{".", "", "spec", "parallelism"},
		{".sp", "sp", "spec", "parallelism"},
		{".spec.para", "para", "parallelism", "spec"},
		{".status.conditions[].", "", "type", "conditions"},
		{".status.conditions[]?.", "", "type", "conditions"},
		{".spec | .para", "para", "parallelism", "spec"},
		{".spec as $s | .sta", "sta", "status", "parallelism"},
		{".spec as $s | $s.", "", "parallelism", "status"},
		{"[.status.conditions[]? | select(.ty", "ty", "type", "status.conditions"},
		{"(.status // {}) as $s | {a: $s.", "", "conditions", "spec"},
		{"if .spec.", "", "suspend", "spec"},
		{"if .spec.suspend then .sta", "sta", "status", "suspend"},
		{"if .spec.suspend then 1 else .sta", "sta", "status", "suspend"},
		{"if .spec.suspend then 1 elif .sta", "sta", "status", "suspend"},
		{"if .a then 1 end | .sta", "sta", "status", "suspend"},
		{`.status.conditions | any(.type == "a)" and .sta`, "sta", "status", "spec"},
		{"# a comment (\n.spec.", "", "parallelism", "spec"},
		{"# a comment .", "", "", ""},
		{`"a text .`, "", "", ""},
		{".spec", "spec", "spec", "parallelism"},
		{".spec ", "", "", ""},
		{"1.", "", "", ""},
		{".spec | | .", "", "", ""},
		{".metadata.labels.", "", "", "name"},
		{".spec.parallelism.", "", "", "parallelism"},
	} {
		object, _, written, ok := fieldsAt(test.before, types.Of(job.Root()))
		var names []string
		if ok {
			names = object.FieldNames()
		}
		if test.has == "" && len(names) > 0 || test.has != "" && !slices.Contains(names, test.has) || slices.Contains(names, test.lacks) || ok && written != test.written {
			t.Errorf("%q: fields %v behind %q", test.before, names, written)
		}
	}
}

func TestValuesAreQuotedWhereYAMLNeedsIt(t *testing.T) {
	for value, want := range map[string]string{
		"Running": "Running", "run.ai/v1alpha1": "run.ai/v1alpha1", "True": `"True"`, "no": `"no"`, "": `""`,
		"1": `"1"`, "a: b": `"a: b"`, "~": `"~"`, `a"b`: `"a\"b"`,
	} {
		if got := yamlText(value); got != want {
			t.Errorf("%q is written %s, want %s", value, got, want)
		}
	}
}
