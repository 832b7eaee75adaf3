package rules

import (
	"slices"

	"github.com/workloadmap/wm/api/v1alpha1"
	"github.com/workloadmap/wm/lint"
)

// gangScheduling is the path of the gang instruction, or of something in it.
func gangScheduling(below ...any) []any {
	return slices.Concat([]any{"spec", "optimizationInstructions", "gangScheduling"}, below)
}

// gangs returns the gang instruction, an empty one when there is none.
func gangs(d *lint.Definition) v1alpha1.GangSchedulingInstruction {
	hints := d.Map.Spec.OptimizationInstructions
	if hints == nil || hints.GangScheduling == nil {
		return v1alpha1.GangSchedulingInstruction{}
	}
	return *hints.GangScheduling
}
