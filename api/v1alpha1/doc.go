// Package v1alpha1 is the Workload Map format as Go types: one definition says
// where a framework's custom resource keeps its pod templates, replica counts,
// status and gangs, so that a tool can read any AI workload without knowing its
// framework.
//
// It is the only place where the format is written by hand. The CRD, the JSON
// Schema and docs/reference/fields.md are generated from these types, so a doc
// comment here is what an author reads in an editor.
//
// # Reading a definition
//
// Most fields are jq expressions. Three things must be known about each, and
// every field says them:
//
//   - The object. A "root" expression is evaluated on the workload's own object
//     (the RayCluster, the Job), also for child components: the child's object is
//     never fetched. A "pod" expression is evaluated on one Pod.
//   - The shape. "One" is exactly one result. "One per instance" is a stream with
//     one result for each result of the component's instanceIdPath, in the same
//     order, or a single result when there is no instanceIdPath. "A list" is one
//     JSON array.
//   - Absence. A missing expression says nothing about the framework. An expression
//     that yields null says that this workload does not have the thing.
//
// Nothing here reads or evaluates jq. [WorkloadMap.Expressions] lists every
// expression with these facts; [Decode] turns a parsed document of any of the
// three dialects into a WorkloadMap.
//
// # Where the facts come from
//
// The spec is the one that Karta definitions (run.ai/v1alpha1) use, field for
// field, as published between March and September 2026; a field that older
// ResourceInterface definitions do not know says so. Where this implementation
// reads a field differently from the first one, the field's comment says how.
//
// +kubebuilder:object:generate=true
// +groupName=workloadmap.dev
package v1alpha1
