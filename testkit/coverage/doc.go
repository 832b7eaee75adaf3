// Package coverage tells which parts of a definition its cases exercise. A part
// is exercised by a case when it decides something there: merely being evaluated
// is not enough, since an expression that yields null for every case could as
// well read a field that does not exist.
//
//	report, err := coverage.Measure(ctx, testkit.Options{Files: files, Paths: []string{"fixtures"},
//		Definitions: set, Written: written})
//
// # What counts
//
//   - An expression gives something that is not empty: null, "", [] and {} decide
//     nothing, except that an empty description of pods brings its role in. It is asked where the definition asks it, so an expression of a role
//     that the object does not have does not count, and one on pods is asked of the
//     pods of its role. A path of a pod's parts also counts where an expected edit
//     writes to its place.
//   - A branch of an expression, which is a side of // or of an if: another value in
//     its place would give another result.
//   - A matcher matches while no other matcher of its phase does, so that the phase
//     would not match without it.
//   - A selector puts a pod into its role, its instance or its replica unit.
//   - A filter is true for one pod and not for another. Where the cases have only
//     one pod to ask it of, true is enough.
//   - A gang member has a pod, or a role that the object names, in its gang.
//   - A suspend action changes the object in a case that expects a suspension or a
//     resumption.
//   - A value that the CRD allows in a field that the status is read from is what an
//     object has there. Kinds without a built-in index have no such items. An absent
//     field counts as "", which Go programs leave out.
//
// An expression that an anchor repeats is one item. A status definition of a child
// role is no item, since nothing reads it. Cases that fail are left out: what they
// exercise is not what they should.
package coverage
