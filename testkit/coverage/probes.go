package coverage

import (
	"context"
	"fmt"
	"slices"

	"github.com/workloadmap/wm/api/v1alpha1"
	"github.com/workloadmap/wm/jq"
	"github.com/workloadmap/wm/source"
)

// probe is an item and the way to tell whether a frame exercises it.
type probe struct {
	item Item
	seen func(context.Context, *sight) bool
	// decided is asked at the end of items that need several frames; nil otherwise.
	decided func() bool
}

// note adds a case to the item's when one of its frames exercises it. Items that need
// several frames see all of them.
func (p *probe) note(ctx context.Context, name string, frames []*sight) {
	exercised := false
	for _, s := range frames {
		if p.seen(ctx, s) {
			exercised = true
			if p.decided == nil {
				break
			}
		}
	}
	if exercised {
		p.item.Cases = append(p.item.Cases, name)
	}
}

// survey takes a definition apart into probes.
type survey struct {
	document   *source.Document
	definition *v1alpha1.WorkloadMap
	components []v1alpha1.PlacedComponent
	programs   map[string]*jq.Program
	probes     []*probe
}

// probesOf lists the items of a definition as it was written.
func probesOf(document *source.Document) ([]*probe, error) {
	definition, err := v1alpha1.Decode(document.Value())
	if err != nil {
		return nil, fmt.Errorf("read the definition in %s: %w", document.File().Name(), err)
	}
	v := &survey{document: document, definition: definition, components: definition.Components(), programs: map[string]*jq.Program{}}
	if err := v.expressions(); err != nil {
		return nil, err
	}
	if err := v.matchers(); err != nil {
		return nil, err
	}
	v.selectors()
	v.filters()
	v.gangMembers()
	if err := v.actions(); err != nil {
		return nil, err
	}
	v.enumValues()
	return v.probes, nil
}

func (v *survey) compile(text string) (*jq.Program, error) {
	program, ok := v.programs[text]
	if !ok {
		var err error
		if program, err = jq.Compile(text); err != nil {
			return nil, err
		}
		v.programs[text] = program
	}
	return program, nil
}

// node is what is written at a path; the anchor's where an alias stands there.
func (v *survey) node(path []any) source.Node {
	node, depth := v.document.Find(path...)
	if depth != len(path) {
		return source.Node{}
	}
	if anchor, ok := node.Anchor(); ok {
		return anchor
	}
	return node
}

// at starts an item at a node. What spreads over lines is marked by its key or by
// its first field.
func at(node source.Node, item Item) Item {
	marked := node.Range()
	if key := node.KeyRange(); node.Kind() != source.Scalar && marked.Start.Line != marked.End.Line {
		marked = key
		if key.Start == key.End {
			for first := range node.Fields() {
				marked = first.Range()
				break
			}
		}
	}
	item.Place, item.line, item.Cases = placeOf(marked), node.KeyRange().Start.Line, []string{}
	return item
}

func (v *survey) add(item Item, seen func(context.Context, *sight) bool) *probe {
	made := &probe{item: item, seen: seen}
	v.probes = append(v.probes, made)
	return made
}

// owners are a role and the roles above it, nearest first. Definitions are
// compiled before they are measured, so there is no circle.
func (v *survey) owners(name string) []string {
	names := []string{}
	for name != "" && !slices.Contains(names, name) {
		names = append(names, name)
		owner := ""
		for _, c := range v.components {
			if c.Name == name && c.OwnerRef != nil {
				owner = *c.OwnerRef
			}
		}
		name = owner
	}
	return names
}

// below are a role and all roles under it.
func (v *survey) below(name string) []string {
	var names []string
	for _, c := range v.components {
		if slices.Contains(v.owners(c.Name), name) {
			names = append(names, c.Name)
		}
	}
	return names
}

// where is a component's field as text.
func where(component, field string) string { return component + "." + field }
