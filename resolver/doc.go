// Package resolver reads workloads: given a definition and the root object of
// a workload, it answers which roles the workload has, how many pods each
// wants, what they request and which phase the workload is in.
//
// A definition is compiled once; the Resolver is immutable and may be shared
// by any number of goroutines:
//
//	compiled, err := resolver.Compile(definition)
//	if err != nil {
//		return err
//	}
//	workload, err := compiled.Resolve(ctx, object)
//
// An expression that fails never destroys the rest: the Workload carries
// everything that could be read and one Problem for each thing that could not.
//
// With the pods of the workload ([WithPods]) the view also tells which pod
// belongs to which role, instance, replica unit and gang, and how many are
// ready. [Resolver.Edit], [Resolver.Suspend] and [Resolver.Resume] change an
// object through its definition and give the changes as a JSON patch; they make
// all of a change or, with a [RefusedError], none of it. A [Set] finds the
// definition for an object among many.
package resolver
