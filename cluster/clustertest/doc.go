// Package clustertest is an API server for tests: it serves discovery, whole
// objects and metadata, paged lists and watches from memory, logs what it was
// asked, and fails on demand in the ways that real servers do.
//
//	server := clustertest.Start(t)
//	server.AddYAML(manifests)
//	server.Fail(func(r clustertest.Request) *clustertest.Failure { ... })
//	client := server.Client(t)
package clustertest
