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
package resolver
