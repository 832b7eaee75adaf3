package mutation

import (
	"bytes"
	"cmp"
	"context"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/workloadmap/wm/resolver"
	"github.com/workloadmap/wm/testkit"
)

// trial is one frame of a case, with the view that the unchanged definition gives.
type trial struct {
	c     *testkit.LoadedCase
	frame int
	view  []byte
	// announced is true when the case expects problems of its own.
	announced bool
	// number is the trial's place among all of the definition.
	number int
}

func (t *trial) String() string {
	if name := t.c.Frames[t.frame].Name; name != "" {
		return t.c.Name + " at " + name
	}
	return t.c.Name
}

// approve replays cases that pass through the definition as it is, so that their
// views are those of the goldens.
func approve(ctx context.Context, unchanged *resolver.Resolver, cases []*testkit.LoadedCase) ([]*trial, error) {
	trials := make([][]*trial, len(cases))
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, c := range cases {
		group.Go(func() error {
			for frame := range c.Frames {
				result, err := c.ReplayFrame(ctx, unchanged, frame)
				if err != nil {
					return err
				}
				trials[i] = append(trials[i], &trial{c: c, frame: frame, view: result.View, announced: len(c.Frames[frame].Expect.Problems) > 0})
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	all := slices.Concat(trials...)
	for i, t := range all {
		t.number = i
	}
	return all, nil
}

// batch is some mutants that are tried one after the other, because the trial
// that caught one mostly catches the next.
type batch struct {
	mutants []*Mutant
	trials  []*trial
}

// mostInBatch keeps one long expression from being the work of one core.
const mostInBatch = 32

// batches puts mutants of one field together, those of near places next to each
// other.
func batches(mutants []*Mutant, trials []*trial) []batch {
	sorted := slices.Clone(mutants)
	slices.SortStableFunc(sorted, func(a, b *Mutant) int {
		return cmp.Or(strings.Compare(a.Field, b.Field), cmp.Compare(a.Place.Line, b.Place.Line), cmp.Compare(a.Place.Column, b.Place.Column))
	})
	var all []batch
	for i, m := range sorted {
		last := len(all) - 1
		if i == 0 || m.Field != sorted[i-1].Field || len(all[last].mutants) == mostInBatch {
			all = append(all, batch{trials: trials})
			last++
		}
		all[last].mutants = append(all[last].mutants, m)
	}
	return all
}

// run tries each mutant against the trials until an expectation fails.
func (b batch) run(ctx context.Context) {
	order := slices.Clone(b.trials)
	for _, m := range b.mutants {
		if killer := m.kill(ctx, order); killer > 0 {
			caught := order[killer]
			copy(order[1:killer+1], order[:killer])
			order[0] = caught
		}
	}
}

// kill notes a trial whose expectation fails, or else the first whose view is
// another one. It returns the number of the trial that ended the search,
// -1 when none did.
func (m *Mutant) kill(ctx context.Context, trials []*trial) int {
	compiled, err := resolver.Compile(m.Definition())
	if err != nil {
		m.broken = true
		return -1
	}
	changed := -1
	for i, t := range trials {
		if ctx.Err() != nil {
			return -1
		}
		result, err := t.c.ReplayFrameUntil(ctx, compiled, t.frame, t.disappoints)
		if err != nil || slices.ContainsFunc(result.Failures, t.disappoints) {
			m.KilledBy, m.ByGolden = t.String(), false
			return i
		}
		if (changed < 0 || t.number < changed) && (len(result.Failures) > 0 || !bytes.Equal(result.View, t.view)) {
			m.KilledBy, m.ByGolden, changed = t.String(), true, t.number
		}
	}
	return -1
}

// disappoints tells whether something that a person expected is not so. Of
// problems that the case does not announce the author said nothing.
func (t *trial) disappoints(f testkit.Failure) bool {
	return f.Check != "expect.problems" || t.announced
}
