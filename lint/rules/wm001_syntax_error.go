package rules

import "github.com/workloadmap/wm/lint"

// syntaxError reports documents that cannot be read, at the place that the
// parser names. Other documents of the stream are checked all the same.
func syntaxError() lint.Rule {
	return lint.Rule{
		ID: "WM001", Name: "syntax-error", Severity: lint.Error,
		Summary: "The file is not YAML or JSON that can be read.",
		CheckFile: func(file *lint.File, report lint.Report) {
			for _, fault := range file.Faults {
				report(fault.Range, fault.Message, fault.Help)
			}
		},
	}
}
