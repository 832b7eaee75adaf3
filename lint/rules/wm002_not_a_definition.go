package rules

import (
	"fmt"
	"strings"

	"github.com/workloadmap/wm/api/v1alpha1"
	"github.com/workloadmap/wm/lint"
	"github.com/workloadmap/wm/source"
)

// notADefinition reports documents that the user takes for definitions and wm
// does not. What merely stands beside definitions is passed over: in a folder,
// and in a file that also holds a definition.
func notADefinition() lint.Rule {
	return lint.Rule{
		ID: "WM002", Name: "not-a-definition", Severity: lint.Error,
		Summary: "The document is not a definition, though it was meant to be one.",
		CheckFile: func(file *lint.File, report lint.Report) {
			expected := file.Named && len(file.Definitions) == 0
			for _, object := range file.Others {
				if dialect, ok := lint.NearDialect(object.APIVersion, object.Kind); ok {
					reportMisspelt(object, dialect, report)
				} else if expected {
					reportOther(object, report)
				}
			}
		},
	}
}

func reportMisspelt(object lint.Object, dialect v1alpha1.Dialect, report lint.Report) {
	message := fmt.Sprintf("apiVersion `%s` with kind `%s` is not a definition", object.APIVersion, object.Kind)
	help := fmt.Sprintf("did you mean apiVersion `%s` with kind `%s`?", dialect.APIVersion, dialect.Kind)
	field := "apiVersion"
	switch {
	case object.APIVersion == "":
		message = fmt.Sprintf("kind `%s` without apiVersion is not a definition", object.Kind)
		field = "kind"
	case object.Kind == "":
		message = fmt.Sprintf("apiVersion `%s` without kind is not a definition", object.APIVersion)
	case object.Kind != dialect.Kind:
		field = "kind"
	}
	report(headerPlace(object.Node, field), message, help, dialectHeader(object, dialect)...)
}

// dialectHeader makes the header that of a dialect.
func dialectHeader(object lint.Object, dialect v1alpha1.Dialect) []source.TextEdit {
	var edits []source.TextEdit
	for _, field := range []lint.Entry{{Name: "apiVersion", Text: dialect.APIVersion}, {Name: "kind", Text: dialect.Kind}} {
		node, found := object.Node.Find(field.Name)
		var edit []source.TextEdit
		switch {
		case found == 0:
			edit = lint.InsertFirst(object.Node, field)
		case node.Tag() == "!!str" && node.Text() == field.Text:
			continue
		default:
			edit = lint.RewriteWord(node, field.Text)
		}
		if len(edit) == 0 {
			return nil
		}
		edits = append(edits, edit...)
	}
	return edits
}

func reportOther(object lint.Object, report lint.Report) {
	var kinds []string
	for _, dialect := range v1alpha1.Dialects() {
		kinds = append(kinds, "`"+dialect.Kind+"`")
	}
	definitions := "a definition has one of the kinds " + strings.Join(kinds, ", ")
	switch {
	case object.Kind != "":
		report(headerPlace(object.Node, "kind"),
			fmt.Sprintf("this is a `%s`, not a definition", object.Kind),
			definitions+"; to read a workload use wm describe -f")
	case object.Node.Kind() == source.Mapping:
		report(headerPlace(object.Node, "kind"), "this is not a definition: it has no kind", definitions)
	default:
		report(headerPlace(object.Node, "kind"),
			fmt.Sprintf("this is not a definition: an object is needed, not a %s", object.Node.Kind()), definitions)
	}
}

// headerPlace is a field of the header, or where the document begins.
func headerPlace(node source.Node, field string) source.Range {
	if value, found := node.Find(field); found == 1 && value.Kind() == source.Scalar {
		return value.Range()
	}
	for key := range node.Fields() {
		return key.Range()
	}
	whole := node.Range()
	if whole.Start.Line == whole.End.Line {
		return whole
	}
	return source.Range{Start: whole.Start, End: whole.Start}
}
