package review

import (
	"slices"

	"github.com/workloadmap/wm/lint"
	"github.com/workloadmap/wm/resolver"
)

// Report is what a change does.
type Report struct {
	// Definitions are those that the change touches, sorted by name. One whose
	// cases alone changed is among them.
	Definitions []Definition `json:"definitions"`
	// Unchanged counts the others.
	Unchanged int `json:"unchanged"`
	// Faults are what is wrong with files of the head tree that hold no
	// definition that could be told, one line each.
	Faults []string `json:"faults"`
}

// Change says what happened to a definition.
type Change string

// The changes.
const (
	Added   Change = "added"
	Changed Change = "changed"
	Removed Change = "removed"
	// CasesChanged means that only the cases of the definition are other ones.
	CasesChanged Change = "cases"
	// Unreadable means that the definition cannot be used as it is now; Fault says why.
	Unreadable Change = "unreadable"
)

// Definition is what the change does to one definition.
type Definition struct {
	Name string `json:"name"`
	// File is where the definition is; where it was, when it is removed.
	File   string `json:"file"`
	Change Change `json:"change"`
	// Fault is why an unreadable definition cannot be used; "" otherwise.
	Fault string `json:"fault,omitempty"`
	// Breaks are what consumers of the definition will notice, Reason why the
	// author breaks them; "" when no new reason is given.
	Breaks []Break `json:"breaks"`
	Reason string  `json:"reason,omitempty"`
	// Differences are what the definition says differently, breaks included.
	Differences []Difference `json:"differences"`
	Lint        LintChange   `json:"lint"`
	Cases       CaseChange   `json:"cases"`
	// Coverage and Mutation are what the cases exercise, and prove; null when
	// it was not asked for.
	Coverage *ScoreChange `json:"coverage"`
	Mutation *ScoreChange `json:"mutation"`
	// Views are the resolved views that change, those of cases that change in
	// the same way together, in the order of the first case of each.
	Views []View `json:"views"`
	// Replayed counts the views, of all frames, that were compared.
	Replayed int `json:"replayed"`
	// Example is a workload as a new definition reads it; null for others.
	Example *Example `json:"example"`
}

// Difference is one thing that a definition says differently.
type Difference struct {
	// Text says what it is and what it means, without a stop at the end.
	Text string `json:"text"`
	// Before and After are the expressions or values behind it, "" where there
	// is none.
	Before string `json:"before,omitempty"`
	After  string `json:"after,omitempty"`
}

// BreakKind is a kind of break, for programs.
type BreakKind string

// The kinds of breaks.
const (
	DefinitionRemoved    BreakKind = "definition-removed"
	DefinitionUnreadable BreakKind = "definition-unreadable"
	DefinitionRenamed    BreakKind = "definition-renamed"
	RootKindChanged      BreakKind = "root-kind-changed"
	RoleGone             BreakKind = "role-gone"
	RoleRenamed          BreakKind = "role-renamed"
	InstancesChanged     BreakKind = "instances-changed"
	PhaseGone            BreakKind = "phase-gone"
	GangGone             BreakKind = "gang-gone"
	GangKeyChanged       BreakKind = "gang-key-changed"
	NotWritable          BreakKind = "not-writable"
	SuspendGone          BreakKind = "suspend-gone"
	SuspendChanged       BreakKind = "suspend-changed"
)

// Break is a difference that consumers of the definition cannot be expected to
// survive.
type Break struct {
	Kind BreakKind `json:"kind"`
	Difference
}

// LintChange are the findings that only one of the two versions has.
type LintChange struct {
	// New are findings in the head tree, Gone in the base tree.
	New  []lint.Finding `json:"new"`
	Gone []lint.Finding `json:"gone"`
}

// CaseChange is how the cases of a definition fare.
type CaseChange struct {
	// Before is the base tree's cases on the base tree's definition, After the
	// head's on the head's; null where there is none.
	Before *CaseCount `json:"before"`
	After  *CaseCount `json:"after"`
	// Failing are the cases of the head tree that fail.
	Failing []FailingCase `json:"failing"`
	// New, Gone and Rewritten are names of cases that only the head tree has,
	// that only the base tree has, and whose files differ apart from the golden.
	// The list of equivalent mutants beside them is under Rewritten by its file.
	New       []string `json:"new"`
	Gone      []string `json:"gone"`
	Rewritten []string `json:"rewritten"`
}

// CaseCount counts cases.
type CaseCount struct {
	Passed int `json:"passed"`
	Failed int `json:"failed"`
}

// FailingCase is a case that does not hold.
type FailingCase struct {
	Name string `json:"name"`
	// Failures are one line each.
	Failures []string `json:"failures"`
	// Before is whether a case of that name passed in the base tree.
	Before bool `json:"passedBefore"`
}

// ScoreChange is a score before and after; null where it could not be measured.
type ScoreChange struct {
	Before *Score `json:"before"`
	After  *Score `json:"after"`
	// Fault is why a score is missing although there are cases; "" otherwise.
	Fault string `json:"fault,omitempty"`
}

// Score is a share.
type Score struct {
	Hit int `json:"hit"`
	Of  int `json:"of"`
}

// Percent is the share in percent, of nothing 100.
func (s Score) Percent() float64 {
	if s.Of == 0 {
		return 100
	}
	return 100 * float64(s.Hit) / float64(s.Of)
}

// View is how the resolved view of one or more cases changes.
type View struct {
	// Cases are names of cases, with the frame of a timeline behind a space.
	Cases []string `json:"cases"`
	Facts []Fact   `json:"facts"`
}

// Fact is one thing that is told of a workload. A text is "" on the side that
// does not tell it.
type Fact struct {
	Name   string `json:"name"`
	Before string `json:"before"`
	After  string `json:"after"`
}

// Example is a workload as a new definition reads it.
type Example struct {
	Case     string             `json:"case"`
	Workload *resolver.Workload `json:"workload"`
}

// Unexcused are the breaks without a reason.
func (d *Definition) Unexcused() []Break {
	if d.Reason != "" {
		return nil
	}
	return d.Breaks
}

// Failed reports whether the change should not be merged as it is: there is a
// break without a reason, a case that fails, a new finding that is worse than an
// info, or a file that cannot be read.
func (r *Report) Failed() bool {
	return len(r.Faults) > 0 || slices.ContainsFunc(r.Definitions, func(d Definition) bool { return d.failed() })
}

func (d *Definition) failed() bool {
	return len(d.Unexcused()) > 0 || len(d.Cases.Failing) > 0 ||
		slices.ContainsFunc(d.Lint.New, func(f lint.Finding) bool { return f.Severity > lint.Info })
}
