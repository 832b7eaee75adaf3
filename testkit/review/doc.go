// Package review tells what a change does to definitions: not which lines
// differ, but what a reader of the definitions gets to see. It compares two
// trees of files, and for each definition that was added, changed or removed
// says
//
//   - what the definition says differently, in the words of the domain, and which
//     of it breaks programs that read workloads through the definition;
//   - how the resolved views change, case by case: phase, replicas, GPUs,
//     requests, gangs, what can be edited, how the workload is suspended;
//   - which cases pass and fail, and what the cases prove, before and after;
//   - which lint findings are new, and which are gone.
//
// A call needs the two trees and where definitions and cases are in them:
//
//	report, err := review.Compare(ctx, review.Options{Base: base, Head: head,
//		Definitions: []string{"catalog"}, Cases: []string{"fixtures"}, Rules: rules.All()})
//
// # Breaks
//
// A break is a change that a program which worked with the old definition cannot
// be expected to survive: a role that is gone, a phase that never comes any more,
// a field that can no longer be written. Breaks are allowed when the author says
// why, in an annotation of the definition:
//
//	metadata:
//	  annotations:
//	    workloadmap.dev/breaking: worker groups are roles of their own since v2
//
// The reason has to be another one than in the old definition, so that yesterday's
// does not excuse today's break. A definition that is removed carries its reason
// in its last version, as workloadmap.dev/removal: the removal is announced in
// one change and made in a later one.
package review
