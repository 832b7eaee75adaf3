// Package generators writes files that follow from other files: the JSON Schema
// and the field reference from the CRD of the format, the pages of lint rules, and
// the indexes of Kubernetes' own kinds from their Go types.
//
// The CRD itself comes from the Go types in api/v1alpha1 by controller-gen; "make
// generate" runs both steps. Generators are pure functions from bytes to bytes,
// and the same input gives the same output to the byte.
package generators
