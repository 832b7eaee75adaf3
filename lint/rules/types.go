package rules

import (
	"github.com/workloadmap/wm/lint"
	"github.com/workloadmap/wm/schema/types"
)

// reportTypes reports what the type checker found of one kind.
func reportTypes(kind types.FaultKind) func(*lint.Definition, lint.Report) {
	return func(d *lint.Definition, report lint.Report) {
		for _, fault := range d.TypeFaults {
			if fault.Kind == kind {
				report(fault.Where, fault.Message, fault.Help)
			}
		}
	}
}
