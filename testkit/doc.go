// Package testkit proves definitions with golden cases. A case is a folder
// with an object, what a person who knows the framework expects of it, and the
// full resolved view as it was last approved:
//
//	fixtures/<definition>/<case>/case.yaml
//	fixtures/<definition>/<case>/object.yaml
//	fixtures/<definition>/<case>/golden.yaml
//
// A case can also be a timeline: case.yaml then names a file with frames, each
// with an object, its pods, an expectation of its own and the action (suspend,
// resume) that led to it. Its golden lists the views of all frames.
//
//	frames:
//	- name: running
//	  object: running.yaml
//	  expect: {phase: Running, suspend: {changes: {/spec/suspend: true}}}
//	- name: suspended
//	  action: suspend
//	  object: suspended.yaml
//	  expect: {phase: Suspended}
//
// What a definition writes is expected as JSON pointers and new values, all of
// them; null is a value that is removed:
//
//	edits:
//	- component: worker
//	  template: {spec: {schedulerName: kai-scheduler}}
//	  changes: {/spec/template/spec/schedulerName: kai-scheduler}
//	suspend: {changes: {/spec/suspend: true}}
//	resume: unsupported
//
// Beside the cases, mutants.yaml may list changes of the definition that mean the
// same; testkit/mutation reads it.
//
// Another repository replays its own cases in its go test:
//
//	report, err := testkit.Replay(ctx, testkit.Options{Files: files, Paths: []string{"fixtures"}, Definitions: set})
//	if err == nil {
//		err = report.Err()
//	}
package testkit
