package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"

	"github.com/workloadmap/wm/lint"
	"github.com/workloadmap/wm/source"
	"github.com/workloadmap/wm/testkit"
	"github.com/workloadmap/wm/testkit/coverage"
)

// lintCases measures what the cases below a folder exercise: those of a
// definition are in a folder of its name.
type lintCases struct {
	ctx    context.Context
	world  World
	folder string
}

// newLintCases is nil without a folder: nobody asked for cases.
func newLintCases(ctx context.Context, world World, folder string) (lint.Cases, error) {
	if folder == "" {
		return nil, nil
	}
	if _, err := fs.Stat(world.Files, folder); err != nil {
		return nil, fmt.Errorf("no folder %s with cases", folder)
	}
	return lintCases{ctx: ctx, world: world, folder: folder}, nil
}

// Of replays the cases of one definition through the file that it is in, not
// through a built-in definition of the same kind.
func (c lintCases) Of(file, name string) (*lint.Exercise, error) {
	if file == source.Stdin || name != path.Base(name) || name == "." || name == ".." {
		return nil, nil
	}
	folder := path.Join(c.folder, name)
	if _, err := fs.Stat(c.world.Files, folder); errors.Is(err, fs.ErrNotExist) {
		return &lint.Exercise{}, nil
	}
	definitions, err := definitionSet(c.world, []string{file})
	if err != nil {
		// What is wrong with the definition is a finding of its own.
		return nil, nil
	}
	report, err := coverage.Measure(c.ctx, testkit.Options{
		Files: c.world.Files, Paths: []string{folder}, Origin: file, Definitions: definitions, Written: writtenIn(c.world),
	})
	if err != nil {
		return nil, err
	}
	found := &lint.Exercise{}
	for i := range report.Definitions {
		d := &report.Definitions[i]
		if d.Name != name {
			continue
		}
		found.Cases = d.Cases + len(d.Failing)
		for j := range d.Items {
			if item := &d.Items[j]; item.Kind == coverage.Matcher && !item.Covered() && len(d.Failing) == 0 {
				found.Unused = append(found.Unused, source.Range{
					Start: source.Position{Line: item.Place.Line, Column: item.Place.Column},
					End:   source.Position{Line: item.Place.EndLine, Column: item.Place.EndColumn},
				})
			}
		}
	}
	return found, nil
}
