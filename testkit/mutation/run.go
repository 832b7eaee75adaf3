package mutation

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"

	"github.com/workloadmap/wm/testkit"
)

// Run replays the cases that the options name through all mutants of their
// definitions. Options.Written is needed, Options.Update is not looked at. An
// error means that the run was not possible: no case, a definition that cannot
// be read, or a list of equivalent mutants that is wrong.
func Run(ctx context.Context, options testkit.Options) (*Report, error) {
	if options.Written == nil {
		return nil, errors.New("mutation needs the definitions as they are written")
	}
	failing, names, err := failingCases(ctx, options)
	if err != nil {
		return nil, err
	}
	suite, err := testkit.Load(ctx, options)
	if err != nil {
		return nil, err
	}
	runs := make([]*run, len(suite.Definitions))
	for i := range suite.Definitions {
		runs[i] = &run{options: options, read: &suite.Definitions[i], failing: failing}
	}
	if err := inParallel(ctx, runs, func(r *run) { r.err = r.prepare(ctx) }); err != nil {
		return nil, fmt.Errorf("mutation: %w", err)
	}
	// All definitions together, so that no core waits for the last batch of one.
	var work []batch
	for _, r := range runs {
		if r.err == nil {
			work = append(work, batches(r.mutants, r.trials)...)
		}
	}
	if err := inParallel(ctx, work, func(b batch) { b.run(ctx) }); err != nil {
		return nil, fmt.Errorf("mutation: %w", err)
	}
	report := &Report{Definitions: []Definition{}, Failing: names}
	var faults []error
	for _, r := range runs {
		if r.err == nil {
			r.err = r.finish()
		}
		faults = append(faults, r.err)
		report.Definitions = append(report.Definitions, r.definition)
	}
	if err := errors.Join(faults...); err != nil {
		return nil, err
	}
	return report, nil
}

// failingCases are the folders and the names of the cases that fail as they are.
func failingCases(ctx context.Context, options testkit.Options) (dirs map[string]bool, names []string, err error) {
	options.Update, options.Written = nil, nil
	plain, err := testkit.Replay(ctx, options)
	if err != nil {
		return nil, nil, err
	}
	dirs, names = map[string]bool{}, []string{}
	for _, outcome := range plain.Cases {
		if len(outcome.Failures) > 0 {
			dirs[outcome.Dir] = true
			names = append(names, outcome.Name)
		}
	}
	return dirs, names, nil
}

// run is the run of one definition.
type run struct {
	options testkit.Options
	read    *testkit.SuiteDefinition
	failing map[string]bool

	mutants    []*Mutant
	trials     []*trial
	marked     marks
	definition Definition
	err        error
}

// prepare makes the mutants and the trials.
func (r *run) prepare(ctx context.Context) error {
	document, err := r.options.Written(r.read.Resolver.Definition())
	if err != nil {
		return err
	}
	if r.marked, err = equivalents(r.options.Files, r.read.Cases); err != nil {
		return err
	}
	if r.mutants, err = proposals(document); err != nil {
		return err
	}
	passing := slices.DeleteFunc(slices.Clone(r.read.Cases), func(c *testkit.LoadedCase) bool { return r.failing[c.Dir] })
	r.definition = Definition{Name: r.read.Resolver.Definition().Name, File: document.File().Name(), Cases: len(passing), Survivors: []Mutant{}}
	r.trials, err = approve(ctx, r.read.Resolver, passing)
	return err
}

// finish counts, once every mutant has met its fate.
func (r *run) finish() error {
	mutants := named(r.mutants)
	if err := r.marked.check(mutants); err != nil {
		return err
	}
	return r.definition.count(mutants, r.marked)
}

// folders are those that hold the cases' folders, sorted.
func folders(cases []*testkit.LoadedCase) []string {
	var found []string
	for _, c := range cases {
		found = append(found, path.Dir(c.Dir))
	}
	slices.Sort(found)
	return slices.Compact(found)
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
