package testkit

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/workloadmap/wm/api/v1alpha1"
	"github.com/workloadmap/wm/resolver"
	"github.com/workloadmap/wm/source"
)

// Place is an expression of a definition that gave a value which is not as
// expected, where it is written.
type Place struct {
	// File is the name of the definition's file; Line and Column count from 1,
	// columns in characters. EndColumn lies behind the last character on the line.
	File      string `json:"file"`
	Line      int    `json:"line"`
	Column    int    `json:"column"`
	EndColumn int    `json:"endColumn"`
	// Text is the whole line.
	Text string `json:"text"`
}

// mostPlaces bounds the places of one failure: more than these point nowhere.
const mostPlaces = 3

// blame finds the expressions behind failures. It does its work only for
// frames that fail.
type blame struct {
	document   *source.Document
	definition *v1alpha1.WorkloadMap
	workload   *resolver.Workload
	// resolve reads the frame through a changed definition.
	resolve func(*v1alpha1.WorkloadMap) (*resolver.Workload, error)
}

// explain adds to each failure the places that produced the value.
func (f *frameReplay) explain(ctx context.Context, used resolver.DefinitionReference, workload *resolver.Workload, given []resolver.ResolveOption) {
	if f.options.Written == nil || len(f.failures) == 0 {
		return
	}
	document, err := f.options.Written(used)
	if err != nil {
		return
	}
	definition, err := v1alpha1.Decode(document.Value())
	if err != nil {
		return
	}
	b := blame{document: document, definition: definition, workload: workload,
		resolve: func(changed *v1alpha1.WorkloadMap) (*resolver.Workload, error) {
			r, err := resolver.Compile(changed)
			if err != nil {
				return nil, err
			}
			return r.Resolve(ctx, f.object, given...)
		}}
	for i := range f.failures {
		paths := b.paths(&f.failures[i])
		for _, at := range paths[:min(len(paths), mostPlaces)] {
			if place, ok := b.place(at); ok && !slices.Contains(f.failures[i].Places, place) {
				f.failures[i].Places = append(f.failures[i].Places, place)
			}
		}
	}
}

// paths lead to the expressions behind one failure, from the document's root.
func (b *blame) paths(failure *Failure) [][]any {
	check, _, _ := strings.Cut(strings.TrimPrefix(failure.Check, "expect."), "[")
	switch check {
	case "phase", "matchedPhases":
		return b.matchers()
	case "replicas":
		return b.fields(failure.about, "scaleDefinition.replicasPath")
	case "min":
		return b.fields(failure.about, "scaleDefinition.minReplicasPath")
	case "max":
		return b.fields(failure.about, "scaleDefinition.maxReplicasPath")
	case "absent":
		return b.fields(failure.about, "instanceIdPath", "specDefinition.podTemplateSpecPath", "specDefinition.podSpecPath")
	case "gpus", "requests":
		return b.requesting(failure.about)
	case "gangs":
		return b.expressions(func(x v1alpha1.Expression) bool { return x.Role == v1alpha1.RoleGroupKey })
	case "problems":
		component, field, _ := strings.Cut(failure.about, "/")
		return b.fields(component, field)
	case "suspend", "resume":
		return b.expressions(func(x v1alpha1.Expression) bool {
			return strings.HasPrefix(x.Field, "suspendDefinition."+check)
		})
	}
	return nil
}

func (b *blame) expressions(wanted func(v1alpha1.Expression) bool) [][]any {
	var paths [][]any
	for _, x := range b.definition.Expressions() {
		if wanted(x) {
			paths = append(paths, x.Path)
		}
	}
	return paths
}

// fields are those of some fields that a component states.
func (b *blame) fields(about string, fields ...string) [][]any {
	component, _, _ := strings.Cut(about, "/")
	return b.expressions(func(x v1alpha1.Expression) bool {
		return x.Component == component && slices.Contains(fields, x.Field)
	})
}

// requesting are the pods of the components that ask for a resource; "" stands
// for GPUs.
func (b *blame) requesting(name string) [][]any {
	var paths [][]any
	b.workload.Walk(func(c *resolver.Component) bool {
		for _, instance := range c.Instances {
			if instance.PerReplica == nil {
				continue
			}
			asks := name == "" && instance.PerReplica.GPUs > 0
			for resource := range instance.PerReplica.Requests {
				asks = asks || string(resource) == name
			}
			if asks {
				paths = append(paths, b.fields(c.Name, "specDefinition.podTemplateSpecPath", "specDefinition.podSpecPath")...)
				break
			}
		}
		return true
	})
	return paths
}

// matchers are those that made the headline phase match. Whether one did is
// asked of the resolver, with a definition that has no other.
func (b *blame) matchers() [][]any {
	phase := b.workload.Phase
	mappings := &b.definition.Spec.StructureDefinition.RootComponent.StatusDefinition.StatusMappings
	var paths [][]any
	for i, matcher := range mappings.For(phase) {
		alone := b.definition.DeepCopy()
		status := alone.Spec.StructureDefinition.RootComponent.StatusDefinition
		status.StatusMappings = v1alpha1.StatusMappings{Failed: []v1alpha1.StatusMatcher{matcher}}
		workload, err := b.resolve(alone)
		if err != nil || workload.Phase != v1alpha1.PhaseFailed {
			continue
		}
		at := []any{"spec", "structureDefinition", "rootComponent", "statusDefinition", "statusMappings", phase.Key(), i}
		if matcher.ByExpression != nil {
			at = append(at, "byExpression", "expression")
		}
		paths = append(paths, at)
	}
	return paths
}

// place is where the value at a path begins.
func (b *blame) place(at []any) (Place, bool) {
	node, depth := b.document.Find(at...)
	if depth != len(at) {
		return Place{}, false
	}
	written := node.Range()
	if node.Block() {
		// A block scalar begins at its | sign; what it says begins a line below.
		written = node.TextRange(0, max(strings.IndexByte(node.Text(), '\n'), 1))
	}
	file := b.document.File()
	place := Place{File: file.Name(), Line: written.Start.Line, Column: written.Start.Column, EndColumn: written.End.Column,
		Text: strings.TrimRight(file.Line(written.Start.Line), "\r\n")}
	if written.End.Line != written.Start.Line {
		place.EndColumn = len([]rune(place.Text)) + 1
	}
	return place, true
}

// String is the place with its line and a caret under what it says.
func (p Place) String() string {
	// Tabs stay, so that the carets stand under the text in any terminal.
	var lead strings.Builder
	for i, character := range []rune(p.Text) {
		switch {
		case i >= p.Column-1:
		case character == '\t':
			lead.WriteRune('\t')
		default:
			lead.WriteByte(' ')
		}
	}
	return fmt.Sprintf("%s:%d:%d\n%s\n%s%s\n", p.File, p.Line, p.Column, p.Text, lead.String(), strings.Repeat("^", max(p.EndColumn-p.Column, 1)))
}
