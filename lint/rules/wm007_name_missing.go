package rules

import (
	"strings"

	"github.com/workloadmap/wm/lint"
	"github.com/workloadmap/wm/schema"
)

// nameMissing is where the metadata, or its name, is missing or empty.
func nameMissing() lint.Rule {
	return lint.Rule{
		ID: "WM007", Name: "name-missing", Severity: lint.Error,
		Summary: "The definition has no `metadata.name`.",
		Check: func(d *lint.Definition, report lint.Report) {
			name := []any{"metadata", "name"}
			where := d.Key([]any{"metadata"})
			switch {
			case isEmptyText(d, name):
				where = d.Mark(name)
			case !d.Lacks(name):
				return
			case !d.Node([]any{"metadata"}).Exists():
				where = d.Mark(nil)
			}
			report(where, "the definition has no name", "add `metadata.name`, such as the root's group, kind and version with dashes")
		},
	}
}

// aboutName reports whether a violation of the schema is this rule's.
func aboutName(v schema.Violation) bool {
	switch {
	case v.Keyword == "required":
		return len(v.Path) == 0 && strings.Contains(v.Message, "`metadata`") ||
			len(v.Path) == 1 && v.Path[0] == "metadata" && strings.Contains(v.Message, "`name`")
	case v.Keyword == "minLength":
		return len(v.Path) == 2 && v.Path[0] == "metadata" && v.Path[1] == "name"
	default:
		return false
	}
}
