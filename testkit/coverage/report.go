package coverage

import (
	"fmt"

	"github.com/workloadmap/wm/source"
)

// Kind says what part of a definition an item is.
type Kind string

// The kinds, in the order in which reports show them.
const (
	Expression    Kind = "expression"
	Branch        Kind = "branch"
	Matcher       Kind = "matcher"
	Selector      Kind = "selector"
	Filter        Kind = "filter"
	GangMember    Kind = "gang member"
	SuspendAction Kind = "suspend action"
	EnumValue     Kind = "enum value"
)

// Kinds lists all kinds in their order.
func Kinds() []Kind {
	return []Kind{Expression, Branch, Matcher, Selector, Filter, GangMember, SuspendAction, EnumValue}
}

// Report is the result of a measurement.
type Report struct {
	// Definitions are those that read at least one case, sorted by name.
	Definitions []Definition `json:"definitions"`
}

// Definition is what the cases exercise of one definition.
type Definition struct {
	Name string `json:"name"`
	// File is where the definition was read from.
	File string `json:"file"`
	// Cases is how many cases passed and so were looked at.
	Cases int `json:"cases"`
	// Failing are the cases that fail, sorted; they were left out.
	Failing []string `json:"failing"`
	// Exercised and All are Covered and Total; Share is Percent.
	Exercised int     `json:"covered"`
	All       int     `json:"total"`
	Share     float64 `json:"percent"`
	// Items are all parts in order of their places.
	Items []Item `json:"items"`

	document *source.Document
}

// Item is one part of a definition.
type Item struct {
	Kind Kind `json:"kind"`
	// Where is the field that holds it: component and field, such as
	// worker.scaleDefinition.replicasPath, or podGroups[0].members[1].filters[0].
	Where string `json:"where"`
	// Expression is the jq of it, "" when it has none; of a branch only the branch.
	Expression string `json:"expression,omitempty"`
	// Value is what it compares with or stands for: the native phase of a matcher,
	// the role of a gang member, the value of an enum. "" when there is none.
	Value string `json:"value,omitempty"`
	Place Place  `json:"place"`
	// Cases exercise it, sorted by name.
	Cases []string `json:"cases"`

	// line is where the field begins that holds the item, counted from 1.
	line int
}

// Place is a stretch of the definition's file. Lines and columns count from 1,
// columns in characters; the end lies behind the last character.
type Place struct {
	Line      int `json:"line"`
	Column    int `json:"column"`
	EndLine   int `json:"endLine"`
	EndColumn int `json:"endColumn"`
}

func placeOf(r source.Range) Place {
	return Place{Line: r.Start.Line, Column: r.Start.Column, EndLine: r.End.Line, EndColumn: r.End.Column}
}

// Covered reports whether a case exercises the item.
func (i *Item) Covered() bool { return len(i.Cases) > 0 }

// Covered counts the items that a case exercises; of the given kinds, or all.
func (d *Definition) Covered(kinds ...Kind) int {
	return d.count(kinds, (*Item).Covered)
}

// Total counts the items; of the given kinds, or all.
func (d *Definition) Total(kinds ...Kind) int {
	return d.count(kinds, func(*Item) bool { return true })
}

func (d *Definition) count(kinds []Kind, counts func(*Item) bool) int {
	n := 0
	for i := range d.Items {
		wanted := len(kinds) == 0
		for _, kind := range kinds {
			wanted = wanted || d.Items[i].Kind == kind
		}
		if wanted && counts(&d.Items[i]) {
			n++
		}
	}
	return n
}

// Percent is the share of the items that a case exercises. A definition without
// items has 100.
func (d *Definition) Percent() float64 { return percent(d.Covered(), d.Total()) }

// Covered counts the items of all definitions that a case exercises.
func (r *Report) Covered() int { return r.sum((*Definition).Covered) }

// Total counts the items of all definitions.
func (r *Report) Total() int { return r.sum((*Definition).Total) }

func (r *Report) sum(count func(*Definition, ...Kind) int) int {
	n := 0
	for i := range r.Definitions {
		n += count(&r.Definitions[i])
	}
	return n
}

// Percent is the share of all items that a case exercises.
func (r *Report) Percent() float64 { return percent(r.Covered(), r.Total()) }

func percent(covered, total int) float64 {
	if total == 0 {
		return 100
	}
	return 100 * float64(covered) / float64(total)
}

// String names the item in one line.
func (i *Item) String() string {
	text := string(i.Kind) + " " + i.Where
	if i.Value != "" || i.Kind == EnumValue {
		text += fmt.Sprintf(" %q", i.Value)
	}
	return text
}
