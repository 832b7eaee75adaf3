package rules

import (
	"fmt"
	"slices"

	"github.com/workloadmap/wm/lint"
	"github.com/workloadmap/wm/source"
)

func severalPodDefinitions() lint.Rule {
	return lint.Rule{
		ID: "WM106", Name: "several-pod-definitions", Severity: lint.Error,
		Summary: "A component describes its pods in more than one way.",
		Check: func(d *lint.Definition, report lint.Report) {
			for _, c := range d.Components {
				if c.SpecDefinition == nil {
					continue
				}
				keys := podShapes(d, c)
				for _, extra := range keys[min(1, len(keys)):] {
					report(extra.at, fmt.Sprintf("%s has `%s` already", c, keys[0].field),
						"keep one of `podTemplateSpecPath`, `podSpecPath` and `fragmentedPodSpecDefinition`")
				}
			}
		},
	}
}

type podShape struct {
	field string
	at    source.Range
}

// podShapes lists the ways in which a component describes its pods, in the
// order of the file.
func podShapes(d *lint.Definition, c lint.Component) []podShape {
	s := c.SpecDefinition
	var shapes []podShape
	for _, way := range []struct {
		field string
		given bool
	}{
		{"podTemplateSpecPath", s.PodTemplateSpecPath != nil},
		{"podSpecPath", s.PodSpecPath != nil},
		{"fragmentedPodSpecDefinition", s.FragmentedPodSpecDefinition != nil},
	} {
		if way.given {
			shapes = append(shapes, podShape{way.field, d.Key(c.At("specDefinition", way.field))})
		}
	}
	slices.SortStableFunc(shapes, func(a, b podShape) int { return a.at.Start.Offset - b.at.Start.Offset })
	return shapes
}
