package review

import (
	"context"
	"fmt"
	"io/fs"
	"reflect"
	"strings"

	"github.com/workloadmap/wm/lint"
	"github.com/workloadmap/wm/testkit"
)

// Options say what to compare.
type Options struct {
	// Base and Head are the two states: before the change, and with it.
	Base, Head fs.FS
	// Definitions and Cases are files and folders with definitions, and with
	// cases. They need not be in both trees.
	Definitions, Cases []string
	// Rules and Schemas are those of lint; no rules find nothing.
	Rules   []lint.Rule
	Schemas lint.Schemas
	// Coverage and Mutation measure what cases prove; nil leaves it out.
	Coverage, Mutation Measure
}

// Measure gives the score of each definition that reads at least one case, by
// the definition's name.
type Measure func(context.Context, testkit.Options) (map[string]Score, error)

// Compare tells what a change does. An error means that the comparison was not
// possible: neither tree holds a definition, or a tree holds two for one kind.
func Compare(ctx context.Context, options Options) (*Report, error) {
	base, err := readTree(options.Base, options.Definitions, options.Cases)
	if err != nil {
		return nil, fmt.Errorf("read the definitions of the base: %w", err)
	}
	head, err := readTree(options.Head, options.Definitions, options.Cases)
	if err != nil {
		return nil, fmt.Errorf("read the definitions: %w", err)
	}
	if len(base.versions)+len(head.versions)+len(head.faults) == 0 {
		return nil, fmt.Errorf("there is no definition in %s, neither before nor now", strings.Join(options.Definitions, ", "))
	}
	r := &reviewer{options: options, base: base, head: head}
	return r.review(ctx)
}

// reviewer makes one comparison.
type reviewer struct {
	options    Options
	base, head *tree
	// reviewed are the pairs that the report is about.
	reviewed []pair
	report   *Report
}

func (r *reviewer) review(ctx context.Context) (*Report, error) {
	r.report = &Report{Definitions: []Definition{}, Faults: []string{}}
	for _, p := range pairs(r.base, r.head) {
		if change := r.change(p); change != "" {
			r.reviewed = append(r.reviewed, p)
			r.report.Definitions = append(r.report.Definitions, newDefinition(p, change))
		} else {
			r.report.Unchanged++
		}
	}
	for i, p := range r.reviewed {
		r.differences(&r.report.Definitions[i], p)
	}
	for _, fault := range r.head.faults {
		r.fault(fault)
	}
	for _, step := range []func(context.Context) error{r.lint, r.replay, r.measure, r.views} {
		if err := step(ctx); err != nil {
			return nil, err
		}
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("review: %w", err)
		}
	}
	return r.report, nil
}

func newDefinition(p pair, change Change) Definition {
	return Definition{
		Name: p.name(), File: p.file(), Change: change,
		Breaks: []Break{}, Differences: []Difference{}, Views: []View{},
		Lint:  LintChange{New: []lint.Finding{}, Gone: []lint.Finding{}},
		Cases: CaseChange{Failing: []FailingCase{}, New: []string{}, Gone: []string{}, Rewritten: []string{}},
	}
}

// change says what happened to a definition, "" for nothing. Comments and the
// order of keys are no part of what a definition says.
func (r *reviewer) change(p pair) Change {
	switch {
	case p.head == nil:
		return Removed
	case p.base == nil && p.head.fault == nil:
		return Added
	case p.head.fault != nil:
		if p.base != nil && p.base.fault != nil && reflect.DeepEqual(p.base.document.Value(), p.head.document.Value()) {
			return ""
		}
		return Unreadable
	case !reflect.DeepEqual(p.base.document.Value(), p.head.document.Value()):
		return Changed
	case r.casesDiffer(p):
		return CasesChanged
	}
	return ""
}

// differences compares what the two versions say.
func (r *reviewer) differences(d *Definition, p pair) {
	switch {
	case d.Change == Removed:
		d.breaking(DefinitionRemoved, "the definition is gone: its workloads can no longer be read")
		d.Reason = p.base.annotation(RemovalAnnotation)
	case d.Change == Unreadable:
		d.Fault = p.head.fault.Error()
		d.breaking(DefinitionUnreadable, "the definition cannot be used")
	case p.base == nil || p.base.fault != nil:
	default:
		found := compare(p.base.definition, p.head.definition)
		d.Differences = append(d.Differences, found.differences...)
		d.Breaks = append(d.Breaks, found.breaks...)
	}
	if d.Change != Removed {
		d.Reason = newReason(p)
	}
}

func (d *Definition) breaking(kind BreakKind, text string) {
	d.Breaks = append(d.Breaks, Break{Kind: kind, Difference: Difference{Text: text}})
}

// The annotations that say why a break is made.
const (
	// BreakingAnnotation is the one that reasons are written in; plain "breaking"
	// is read too.
	BreakingAnnotation = "workloadmap.dev/breaking"
	// RemovalAnnotation announces in a definition that it is going to be removed.
	RemovalAnnotation = "workloadmap.dev/removal"

	plainBreakingAnnotation = "breaking"
)

// newReason is the reason for a break that the old definition did not give yet.
func newReason(p pair) string {
	reason := p.head.annotation(BreakingAnnotation, plainBreakingAnnotation)
	if reason == p.base.annotation(BreakingAnnotation, plainBreakingAnnotation) {
		return ""
	}
	return reason
}

// fault tells of a file that cannot be read: at the definition that was in it, if
// there was one, else of the file itself.
func (r *reviewer) fault(fault fileFault) {
	told := false
	for i, p := range r.reviewed {
		d := &r.report.Definitions[i]
		if d.Change == Removed && fault.file == p.base.file {
			d.Change, d.Fault = Unreadable, fault.err.Error()
			d.Breaks, d.Reason = d.Breaks[:0], ""
			d.breaking(DefinitionUnreadable, "the definition cannot be used")
			told = true
		}
	}
	if !told {
		r.report.Faults = append(r.report.Faults, fault.err.Error())
	}
}
