package testkit

import (
	"context"
	"encoding/json"
	"fmt"
	"path"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/workloadmap/wm/resolver"
)

// Suite is the cases of a run with everything that they hold, read once, for
// tools that replay them many times. It is immutable and safe for concurrent use.
type Suite struct {
	// Definitions are the definitions that read at least one case, sorted by name.
	Definitions []SuiteDefinition
	// Faults are what is wrong with the cases that could not be read, or whose
	// object no definition reads, sorted by the cases' folders. Replay reports
	// them too.
	Faults []error
}

// SuiteDefinition is a definition and the cases that it reads.
type SuiteDefinition struct {
	// Resolver is the definition as Options.Definitions holds it.
	Resolver *resolver.Resolver
	// Cases are sorted by name, never empty.
	Cases []*LoadedCase
}

// LoadedCase is a case with its objects.
type LoadedCase struct {
	*Case
	// States are the objects of the case's frames, in their order.
	States []State
}

// State is what the workload of a frame consists of. It is shared and must not
// be changed.
type State struct {
	// Object is the root object.
	Object map[string]any
	// Given are the frame's pods and the objects between, empty when it has none.
	Given []resolver.ResolveOption
	// Pods are the pods among them.
	Pods []map[string]any
}

// Load reads the cases that Options name. Origin and Run limit it as they limit
// [Replay]; Update is not looked at. An error means that there is no case to read.
func Load(ctx context.Context, options Options) (*Suite, error) {
	found, err := find(options.Files, options.Paths)
	if err != nil {
		return nil, err
	}
	if options.Run != nil {
		found.dirs = slices.DeleteFunc(found.dirs, func(dir string) bool { return !options.Run.MatchString(caseName(dir)) })
		if len(found.dirs) == 0 {
			return nil, fmt.Errorf("no case in %s has a name that matches %s", strings.Join(options.Paths, ", "), options.Run)
		}
	}
	cases := make([]*LoadedCase, len(found.dirs))
	readers := make([]*resolver.Resolver, len(found.dirs))
	faults := make([]error, len(found.dirs))
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, dir := range found.dirs {
		group.Go(func() error {
			if cases[i], readers[i], faults[i] = loadStates(options, dir); faults[i] != nil {
				faults[i] = fmt.Errorf("load case %s: %w", caseName(dir), faults[i])
			}
			return ctx.Err()
		})
	}
	if err := group.Wait(); err != nil {
		return nil, fmt.Errorf("load cases: %w", err)
	}
	suite := &Suite{}
	for i, c := range cases {
		switch {
		case faults[i] != nil:
			suite.Faults = append(suite.Faults, faults[i])
		case options.Origin == "" || readers[i].Definition().Origin == options.Origin:
			suite.add(readers[i], c)
		}
	}
	if len(suite.Definitions) == 0 && len(suite.Faults) == 0 {
		return nil, fmt.Errorf("no case in %s is read by the definition in %s", strings.Join(options.Paths, ", "), options.Origin)
	}
	slices.SortStableFunc(suite.Definitions, func(a, b SuiteDefinition) int {
		return strings.Compare(a.Resolver.Definition().Name, b.Resolver.Definition().Name)
	})
	return suite, nil
}

func (s *Suite) add(reader *resolver.Resolver, c *LoadedCase) {
	for i := range s.Definitions {
		if s.Definitions[i].Resolver == reader {
			s.Definitions[i].Cases = append(s.Definitions[i].Cases, c)
			return
		}
	}
	s.Definitions = append(s.Definitions, SuiteDefinition{Resolver: reader, Cases: []*LoadedCase{c}})
}

// loadStates reads a case, its objects, and finds the definition of the first.
func loadStates(options Options, dir string) (*LoadedCase, *resolver.Resolver, error) {
	c, err := loadCase(options.Files, dir)
	if err != nil {
		return nil, nil, err
	}
	loaded := &LoadedCase{Case: c, States: make([]State, len(c.Frames))}
	for i, frame := range c.Frames {
		state := &loaded.States[i]
		if state.Object, err = loadObject(options.Files, path.Join(dir, frame.Object)); err != nil {
			return nil, nil, err
		}
		if state.Given, state.Pods, err = loadPods(options.Files, dir, frame.Pods); err != nil {
			return nil, nil, err
		}
	}
	match, err := options.Definitions.FindObject(loaded.States[0].Object)
	if err != nil {
		return nil, nil, err
	}
	return loaded, match.Resolver, nil
}

// FrameResult is what a definition made of one frame.
type FrameResult struct {
	// Failures are the expectations and the action that are not met; goldens
	// are not looked at.
	Failures []Failure
	// View is the whole resolved view in JSON, as a golden holds it.
	View []byte
}

// ReplayFrame reads one frame of the case through a definition, which need not
// be the one that the suite found: mutants and earlier versions are replayed
// too. An error means that the definition cannot read the object at all.
func (c *LoadedCase) ReplayFrame(ctx context.Context, r *resolver.Resolver, frame int) (*FrameResult, error) {
	return c.ReplayFrameUntil(ctx, r, frame, func(Failure) bool { return false })
}

// ReplayFrameUntil is ReplayFrame for who only wants to know whether something
// fails: once a failure is enough, further checks are left out, and the view is
// nil.
func (c *LoadedCase) ReplayFrameUntil(ctx context.Context, r *resolver.Resolver, frame int, enough func(Failure) bool) (*FrameResult, error) {
	state, expected := c.States[frame], &c.Frames[frame]
	workload, err := r.Resolve(ctx, state.Object, state.Given...)
	if err != nil {
		return nil, fmt.Errorf("resolve %s: %w", c.Name, err)
	}
	checks := []func() []Failure{
		func() []Failure { return expected.Expect.check(workload, r.ComponentNames()) },
		func() []Failure { return expected.checkAction(ctx, r, c.objectBefore(frame), state.Object) },
		func() []Failure { return expected.Expect.checkChanges(ctx, r, state.Object) },
	}
	result := &FrameResult{}
	for _, check := range checks {
		found := check()
		for i := range found {
			found[i].Frame = expected.Name
		}
		result.Failures = append(result.Failures, found...)
		if slices.ContainsFunc(found, enough) {
			return result, nil
		}
	}
	if result.View, err = json.Marshal(viewOf(c.Case, expected, workload)); err != nil {
		return nil, fmt.Errorf("render the view of %s: %w", c.Name, err)
	}
	return result, nil
}

// objectBefore is the object of the frame before, nil for the first.
func (c *LoadedCase) objectBefore(frame int) map[string]any {
	if frame == 0 {
		return nil
	}
	return c.States[frame-1].Object
}
