// Package testkit proves definitions with golden cases. A case is a folder
// with an object, what a person who knows the framework expects of it, and the
// full resolved view as it was last approved:
//
//	fixtures/<definition>/<case>/case.yaml
//	fixtures/<definition>/<case>/object.yaml
//	fixtures/<definition>/<case>/golden.yaml
//
// Another repository replays its own cases in its go test:
//
//	report, err := testkit.Replay(ctx, testkit.Options{Files: files, Paths: []string{"fixtures"}, Definitions: set})
//	if err == nil {
//		err = report.Err()
//	}
package testkit
