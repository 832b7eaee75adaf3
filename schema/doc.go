// Package schema answers whether a document is shaped like a definition, and
// says in the author's words where it is not. It also carries the generated CRD
// and JSON Schema of the format.
//
// The two files are made from the Go types in api/v1alpha1 by "make generate".
//
// # The validator behind it
//
// Validation is done by github.com/santhosh-tekuri/jsonschema at major version 5,
// which was chosen for this project; this package is the only one that imports
// it, and no type of it appears in an exported signature. Version 5 is complete
// for draft 2020-12, safe for concurrent use and without open advisories, but it
// has had no release since July 2023. To leave it (for version 6, say) rewrite
// engine.go alone: it turns a failed validation into pairs of instance path and
// keyword; all wording is elsewhere and reads only the JSON Schema itself.
//
// What is worked around there: its error tree is in random order, its top error
// shows one cause of many, its locations are escaped twice, names of unknown and
// missing fields are only in message texts, and unless told otherwise it opens
// files that a schema refers to.
package schema
