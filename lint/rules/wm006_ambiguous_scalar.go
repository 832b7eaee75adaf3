package rules

import (
	"fmt"
	"strings"

	"github.com/workloadmap/wm/lint"
	"github.com/workloadmap/wm/schema"
	"github.com/workloadmap/wm/source"
)

// ambiguousScalar takes from the schema rule the values that are texts in the
// author's mind and something else in YAML.
func ambiguousScalar() lint.Rule {
	return lint.Rule{
		ID: "WM006", Name: "ambiguous-scalar", Severity: lint.Error,
		Summary: "A text without quotes is a boolean or a number to YAML.",
		Check: func(d *lint.Definition, report lint.Report) {
			for _, v := range d.Violations {
				if is, ok := ambiguous(d, v); ok {
					report(d.Mark(v.Path), fmt.Sprintf("`%s` must be a string, and `%s` without quotes is a %s", fieldName(v.Path), d.Node(v.Path).Text(), is), v.Help, quoted(d, v)...)
				}
			}
		},
	}
}

// ambiguous tells what YAML reads where a text is needed.
func ambiguous(d *lint.Definition, v schema.Violation) (is string, ok bool) {
	node := d.Node(v.Path)
	if v.Keyword != "type" || !strings.HasPrefix(v.Message, "must be a string, ") || node.Kind() != source.Scalar {
		return "", false
	}
	switch node.Tag() {
	case "!!bool":
		return "boolean", true
	case "!!int", "!!float":
		return "number", true
	default:
		return "", false
	}
}

// quoted puts quotes around what is written. A boolean in another spelling than
// the one that is compared with is left to a person: `True` may be meant as the
// word or as the value. Of a condition's status only the word makes sense.
func quoted(d *lint.Definition, v schema.Violation) []source.TextEdit {
	node := d.Node(v.Path)
	text := node.Text()
	if node.Tag() == "!!bool" {
		switch {
		case isConditionStatus(v.Path):
			word, known := conditionStatus(text)
			if !known {
				return nil
			}
			text = word
		case fieldName(v.Path) == "expectedResult" && text != "true" && text != "false":
			return nil
		}
	}
	return lint.Rewrite(node, text)
}
