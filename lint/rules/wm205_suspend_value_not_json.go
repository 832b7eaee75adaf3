package rules

import (
	"encoding/json"
	"fmt"

	"github.com/workloadmap/wm/api/v1alpha1"
	"github.com/workloadmap/wm/lint"
)

func suspendValueNotJSON() lint.Rule {
	return lint.Rule{
		ID: "WM205", Name: "suspend-value-not-json", Severity: lint.Error,
		Summary: "A value that suspending or resuming writes is not a JSON document.",
		Check: func(d *lint.Definition, report lint.Report) {
			for _, c := range d.Components {
				if c.SuspendDefinition == nil {
					continue
				}
				for _, list := range []struct {
					field   string
					actions []v1alpha1.SuspendAction
				}{
					{"suspendActions", c.SuspendDefinition.SuspendActions},
					{"resumeActions", c.SuspendDefinition.ResumeActions},
				} {
					for i, action := range list.actions {
						if action.Value == "" || json.Valid([]byte(action.Value)) {
							continue
						}
						report(d.Mark(c.At("suspendDefinition", list.field, i, "value")),
							fmt.Sprintf("the value `%s` is not JSON", shorten(action.Value)), jsonHelp(action.Value))
					}
				}
			}
		},
	}
}

// shorten keeps the start of a long text.
func shorten(text string) string {
	if runes := []rune(text); len(runes) > 60 {
		return string(runes[:59]) + "…"
	}
	return text
}

// jsonHelp knows the usual reason: a text without the quotes that make it JSON.
func jsonHelp(value string) string {
	text, err := json.Marshal(value)
	if err != nil || len(value) > 60 {
		return "write a JSON document in quotes, such as 'true' or '\"text\"'"
	}
	return fmt.Sprintf("to write the text itself, put it in quotes twice: '%s'", text)
}
