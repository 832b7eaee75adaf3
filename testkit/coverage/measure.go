package coverage

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/workloadmap/wm/testkit"
)

// Measure replays the cases that the options name and notes what they exercise of
// their definitions. Options.Written is needed; Update is not looked at, and
// goldens are not compared. An error means that the measurement was not possible:
// cases or a definition that cannot be read.
func Measure(ctx context.Context, options testkit.Options) (*Report, error) {
	if options.Written == nil {
		return nil, errors.New("coverage needs the definitions as they are written")
	}
	suite, err := testkit.Load(ctx, options)
	if err != nil {
		return nil, err
	}
	cases := 0
	for _, read := range suite.Definitions {
		cases += len(read.Cases)
	}
	steps := testkit.NewSteps(options.Progress, cases)
	report := &Report{Definitions: make([]Definition, len(suite.Definitions))}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, read := range suite.Definitions {
		group.Go(func() error {
			measured, err := measureOne(ctx, options, read, steps)
			if err != nil {
				return fmt.Errorf("coverage of %s: %w", read.Resolver.Definition().Name, err)
			}
			report.Definitions[i] = *measured
			return ctx.Err()
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	return report, nil
}

func measureOne(ctx context.Context, options testkit.Options, read testkit.SuiteDefinition, steps *testkit.Steps) (*Definition, error) {
	document, err := options.Written(read.Resolver.Definition())
	if err != nil {
		return nil, err
	}
	probes, err := probesOf(document)
	if err != nil {
		return nil, err
	}
	definition := &Definition{Name: read.Resolver.Definition().Name, File: document.File().Name(),
		Failing: []string{}, Items: make([]Item, 0, len(probes)), document: document}
	for _, c := range read.Cases {
		sights, err := look(ctx, read.Resolver, c)
		if err != nil {
			return nil, err
		}
		if sights == nil {
			definition.Failing = append(definition.Failing, c.Name)
		} else {
			definition.Cases++
			for _, p := range probes {
				p.note(ctx, c.Name, sights)
			}
		}
		steps.Done()
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	for _, p := range probes {
		if p.decided != nil && !p.decided() {
			p.item.Cases = []string{}
		}
		definition.Items = append(definition.Items, p.item)
	}
	slices.SortStableFunc(definition.Items, func(a, b Item) int {
		if a.Place.Line != b.Place.Line {
			return a.Place.Line - b.Place.Line
		}
		return a.Place.Column - b.Place.Column
	})
	definition.Exercised, definition.All, definition.Share = definition.Covered(), definition.Total(), definition.Percent()
	return definition, nil
}
