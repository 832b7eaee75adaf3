// Package openapi reads the OpenAPI schemas of CustomResourceDefinitions into
// indexes, one for each version that is served:
//
//	indexes, err := openapi.Read("crd.yaml", content)
//
// # What is taken from a schema
//
// Structure and values: type, properties, items, additionalProperties, required,
// nullable, default, enum, the formats that narrow a type, and the extensions
// x-kubernetes-preserve-unknown-fields, -int-or-string, -embedded-resource and
// -list-map-keys. Prose, validation rules, patterns and bounds are left out.
//
// The API server adds what no CRD writes down: the whole metadata of the root and
// of embedded resources, and apiVersion and kind there. So does this package.
//
// # Where a schema leaves a choice
//
// In allOf, anyOf, oneOf and not, an API server takes no types: they only narrow
// what stands around them. Enums and required fields are taken from allOf, enums
// from anyOf and oneOf if every branch has one. The pair of integer and string that
// stands for an int-or-string is understood without its extension; any other
// choice of types is Any, of which nothing is assumed. An object that has both
// properties and additionalProperties keeps its properties and is open.
package openapi
