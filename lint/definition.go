package lint

import (
	"fmt"
	"slices"

	"github.com/workloadmap/wm/api/v1alpha1"
	"github.com/workloadmap/wm/jq"
	"github.com/workloadmap/wm/schema"
	"github.com/workloadmap/wm/source"
)

// Definition is one definition as rules see it. It may be half right: any part
// may be missing or of the wrong kind.
//
// Paths lead from the definition's own root: field names as strings, list
// indexes as ints, counted from 0.
type Definition struct {
	// Document holds the definition, as its root or as an item of a list.
	Document *source.Document
	// Root is the definition's own node.
	Root source.Node
	// Value is the JSON value of Root, as it was written. It must not be changed.
	Value any
	// Exercise is what the definition's golden cases exercise; nil when nobody asked
	// for it or nothing is known of it.
	Exercise *Exercise
	// Dialects are the kinds of definition that may be used; nil is all.
	Dialects []string
	// Map is what could be decoded of Value: values of the wrong kind are missing
	// in it. Its header and metadata are not filled in. It is never nil.
	Map *v1alpha1.WorkloadMap
	// Violations are what the JSON Schema of the format says about Value.
	Violations []schema.Violation
	// Components are the root and its children, as far as they are objects.
	Components []Component
	// Expressions are all jq expressions that are strings and not empty.
	Expressions []Expression

	// TypeFaults are the places that do not fit the schemas of the objects that
	// the definition reads; none when nothing is known of its root kind.
	TypeFaults []TypeFault

	// misspelt holds the fields that unknown ones were meant to be; see Misspelt.
	misspelt map[string]bool
}

// Component is a component of the definition and its place.
type Component struct {
	v1alpha1.PlacedComponent
}

// At is the path of something in the component.
func (c Component) At(below ...any) []any { return slices.Concat(c.Path, below) }

// String names the component in messages.
func (c Component) String() string {
	switch {
	case c.Name != "":
		return "component `" + c.Name + "`"
	case c.Root:
		return "the root component"
	default:
		return "the component"
	}
}

// BearsPods reports whether the component says where its pods are described.
func (c Component) BearsPods() bool {
	d := c.SpecDefinition
	return d != nil && (d.PodTemplateSpecPath != nil || d.PodSpecPath != nil || d.FragmentedPodSpecDefinition != nil)
}

// Expression is a jq expression of the definition and what became of it.
type Expression struct {
	v1alpha1.Expression
	// Node is the text's own place: behind an alias it is the anchor, so that an
	// expression that is used many times is reported once.
	Node source.Node
	// Program is nil exactly when Fault is not.
	Program *jq.Program
	Fault   *jq.Error
}

func newDefinition(document *source.Document, root source.Node, value any, run *run) *Definition {
	d := &Definition{Document: document, Root: root, Value: value, Dialects: run.dialects, Map: decode(value), Violations: schema.Validate(value)}
	for _, v := range d.Violations {
		if v.Suggestion != "" {
			if d.misspelt == nil {
				d.misspelt = map[string]bool{}
			}
			d.misspelt[fieldKey(v.Path[:len(v.Path)-1], v.Suggestion)] = true
		}
	}
	for _, placed := range d.Map.Components() {
		if d.IsObject(placed.Path) {
			d.Components = append(d.Components, Component{placed})
		}
	}
	for _, expression := range d.Map.Expressions() {
		node, missing := d.find(expression.Path)
		if missing > 0 {
			continue
		}
		if anchor, ok := node.Anchor(); ok {
			node = anchor
		}
		program, fault := run.programs.compile(expression.Text)
		d.Expressions = append(d.Expressions, Expression{Expression: expression, Node: node, Program: program, Fault: fault})
	}
	d.TypeFaults = run.typeFaults(d)
	d.Exercise = run.exercise(d)
	return d
}

// find returns the deepest node on a path and how many segments are missing.
func (d *Definition) find(path []any) (source.Node, int) {
	node, found := d.Root.Find(path...)
	return node, len(path) - found
}

// Node returns what is at a path; it does not exist when nothing is there.
func (d *Definition) Node(path []any) source.Node {
	node, missing := d.find(path)
	if missing > 0 {
		return source.Node{}
	}
	return node
}

// IsObject reports whether there is an object at a path.
func (d *Definition) IsObject(path []any) bool { return d.Node(path).Kind() == source.Mapping }

// Lacks reports whether a field is certainly not there: the field itself or an
// object above it was left out. It is false when that is misspelt, or when
// something above is of the wrong kind or null: these are mistakes of their own.
func (d *Definition) Lacks(path []any) bool {
	node, missing := d.find(path)
	if missing == 0 || node.Kind() != source.Mapping {
		return false
	}
	depth := len(path) - missing
	field, _ := path[depth].(string)
	return !d.Misspelt(path[:depth], field)
}

// Misspelt reports whether the object at a path has an unknown field that was
// probably meant to be the given one.
func (d *Definition) Misspelt(object []any, field string) bool {
	return len(d.misspelt) > 0 && d.misspelt[fieldKey(object, field)]
}

func fieldKey(object []any, field string) string { return fmt.Sprintf("%q %q", object, field) }

// Key is where the field at a path is named. When it is not there, it is the
// field above that is; see Mark.
func (d *Definition) Key(path []any) source.Range {
	node, missing := d.find(path)
	if key := node.KeyRange(); missing == 0 && key.Start != key.End {
		return key
	}
	return mark(node)
}

// Mark is where the value at a path is, or the nearest value above it when
// there is none. A value over several lines is marked by its key, or by its
// first field: nobody wants a page underlined.
func (d *Definition) Mark(path []any) source.Range {
	node, _ := d.find(path)
	return mark(node)
}

func mark(node source.Node) source.Range {
	whole := node.Range()
	if node.Kind() == source.Scalar || whole.Start.Line == whole.End.Line {
		return whole
	}
	if key := node.KeyRange(); key.Start != key.End {
		return key
	}
	for key := range node.Fields() {
		return key.Range()
	}
	for item := range node.Items() {
		return mark(item)
	}
	return whole
}

// Place is where a component is named, or begins when it has no name.
func (d *Definition) Place(c Component) source.Range {
	if c.Name != "" {
		return d.Mark(c.At("name"))
	}
	return d.Mark(c.Path)
}
