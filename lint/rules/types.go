package rules

import (
	"github.com/workloadmap/wm/lint"
	"github.com/workloadmap/wm/schema/types"
	"github.com/workloadmap/wm/source"
)

// typeFix is the change that removes a fault of the type checker; it may be none.
type typeFix func(*lint.Definition, types.Fault) []source.TextEdit

// reportTypes reports what the type checker found of one kind.
func reportTypes(kind types.FaultKind, fixes ...typeFix) func(*lint.Definition, lint.Report) {
	return func(d *lint.Definition, report lint.Report) {
		for _, fault := range d.TypeFaults {
			if fault.Kind == kind {
				var edits []source.TextEdit
				for _, fix := range fixes {
					edits = append(edits, fix(d, fault.Fault)...)
				}
				report(fault.Where, fault.Message, fault.Help, edits...)
			}
		}
	}
}
