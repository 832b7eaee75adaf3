// Package mutation tells how much the cases of a definition prove. It changes
// the definition in small ways that would be mistakes (a matcher dropped, a
// path swapped for a sibling of the same type, a default forgotten) and replays
// the cases through each changed definition, the mutant. A mutant that no case
// fails for is a mistake that nobody would notice: it survives, and is shown as
// a diff with what it would mean.
//
//	report, err := mutation.Run(ctx, testkit.Options{Files: files, Paths: []string{"fixtures"},
//		Definitions: set, Written: written})
//
// # What kills a mutant
//
// An expectation of case.yaml that is no longer met, or a view that is no longer
// the approved one. Expectations are truth and goldens only memory, so both are
// counted apart. A mutant that raises problems which the case does not announce
// counts as a change of the view.
//
// # Equivalent mutants
//
// Some mutants read every possible object as the definition does. They are
// listed beside the cases, in fixtures/<definition>/mutants.yaml, with a reason,
// and are not counted:
//
//   - mutant: drop-default/worker.scaleDefinition.replicasPath/1f0c77
//     reason: the API server fills the field in
//
// A mutant's name is made of what it changes, so it stays the same while the
// rest of the definition changes, and is gone when the place itself changes.
package mutation
