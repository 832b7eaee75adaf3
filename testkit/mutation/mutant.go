package mutation

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"
	"sigs.k8s.io/yaml"

	"github.com/workloadmap/wm/api/v1alpha1"
	"github.com/workloadmap/wm/resolver"
	"github.com/workloadmap/wm/source"
)

// Mutant is a definition with one mistake.
type Mutant struct {
	// ID names the mutant within its definition: operator, field and a digest of
	// what changes. It stays the same while other parts of the definition change.
	ID string `json:"id"`
	// Operator is the kind of the mistake, such as drop-default.
	Operator string `json:"operator"`
	// Field is what is changed: component and field, or gang and field.
	Field string `json:"field"`
	Place Place  `json:"place"`
	// Before and After are the changed lines as written and as the mutant has
	// them, without a line break at the end; After is empty where lines are gone.
	Before string `json:"before"`
	After  string `json:"after"`
	// Meaning says in a sentence what the mistake would mean for a workload.
	Meaning string `json:"meaning"`
	// KilledBy is the case that fails, with the frame; "" for survivors.
	KilledBy string `json:"killedBy,omitempty"`
	// ByGolden is true when only the approved view of a case differs and no
	// expectation fails.
	ByGolden bool `json:"byGolden,omitempty"`

	// document is the original, edits are what makes the mutant of it.
	document *source.Document
	edits    []edit
	// broken is true when it turned out that it does not compile.
	broken bool
}

// Place is where a definition is changed. Line and Column count from 1, columns
// in characters.
type Place struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
}

// String is file:line:column.
func (p Place) String() string { return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column) }

// Definition is the changed definition.
func (m *Mutant) Definition() *v1alpha1.WorkloadMap {
	definition, err := v1alpha1.Decode(m.value())
	if err != nil {
		// It has been decoded before.
		return &v1alpha1.WorkloadMap{}
	}
	return definition
}

// YAML is the changed definition as a document, without the comments of the
// original.
func (m *Mutant) YAML() ([]byte, error) {
	content, err := yaml.Marshal(m.value())
	if err != nil {
		return nil, fmt.Errorf("render mutant %s: %w", m.ID, err)
	}
	return content, nil
}

// value is the changed document. It is made anew each time: a definition has
// hundreds of mutants, and each may be as large as itself. Nil when an edit has
// nothing to change.
func (m *Mutant) value() any {
	value := clone(m.document.Value())
	for _, e := range m.edits {
		if !e.apply(value) {
			return nil
		}
	}
	return value
}

// Diff shows the changed lines, each with - or + in front.
func (m *Mutant) Diff() string {
	var text strings.Builder
	for _, part := range []struct{ sign, lines string }{{"-", m.Before}, {"+", m.After}} {
		if part.lines == "" {
			continue
		}
		for line := range strings.SplitSeq(part.lines, "\n") {
			text.WriteString(part.sign + line + "\n")
		}
	}
	return text.String()
}

// candidate is a mutant that an operator proposes. It becomes one when it is a
// definition, differs from the original and from all others, and compiles.
type candidate struct {
	operator, field, meaning string
	edits                    []edit
	// at and shown are where the change is and how it looks.
	shown change
}

// edit sets the value at a path of the document, or removes it.
type edit struct {
	path   []any
	value  any
	remove bool
	// add appends the value to the list at the path, made when it is missing.
	add bool
}

// change is a change as a person reads it.
type change struct {
	place         source.Position
	before, after string
}

// Mutants are all mutants of a definition as it was written, in the order of the
// operators and, for each of them, of the definition.
func Mutants(document *source.Document) ([]*Mutant, error) {
	mutants, err := proposals(document)
	if err != nil {
		return nil, err
	}
	err = inParallel(context.Background(), mutants, func(m *Mutant) {
		_, err := resolver.Compile(m.Definition())
		m.broken = err != nil
	})
	return named(mutants), err
}

// mostMutants bounds the work that a definition made to exhaust a machine can
// ask for. The largest of the catalog have some 900.
const mostMutants = 5000

// proposals are the mutants without names, and with those that do not compile.
// To compile one takes longer than all else, and what is compiled is large.
func proposals(document *source.Document) ([]*Mutant, error) {
	o, err := takeApart(document)
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{digest(o.definition): true}
	var mutants []*Mutant
	for _, operator := range operators {
		for _, c := range operator(o) {
			m, definition := o.make(c)
			if m == nil {
				continue
			}
			if key := digest(definition); !seen[key] {
				seen[key] = true
				mutants = append(mutants, m)
			}
			if len(mutants) > mostMutants {
				return nil, fmt.Errorf("the definition in %s has more than %d mutants: replaying the cases would take too long", document.File().Name(), mostMutants)
			}
		}
	}
	return mutants, nil
}

// inParallel visits every item and ends early with the context.
func inParallel[T any](ctx context.Context, items []T, visit func(T)) error {
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for _, item := range items {
		group.Go(func() error {
			if ctx.Err() == nil {
				visit(item)
			}
			return ctx.Err()
		})
	}
	return group.Wait()
}

// named leaves out what does not compile and names the others.
func named(mutants []*Mutant) []*Mutant {
	mutants = slices.DeleteFunc(mutants, func(m *Mutant) bool { return m.broken })
	taken := map[string]int{}
	for _, m := range mutants {
		m.ID = m.name(taken)
	}
	return mutants
}

// operators propose mutants, each one kind of mistake.
var operators = []func(*original) []candidate{
	siblingFields, droppedDefaults, changedBases, droppedPaths,
	comparisons, constants, branches, calls,
	droppedMatchers, negatedMatchers, swappedPhases, droppedConditions, changedWords,
	droppedSelectors, changedSelectors,
	droppedScales, swappedScales,
	gangKeys, gangFilters, gangMembers,
	suspendValues, suspendActions,
}

// make applies a candidate; nil when what comes out is no definition.
func (o *original) make(c candidate) (*Mutant, *v1alpha1.WorkloadMap) {
	m := &Mutant{
		Operator: c.operator, Field: c.field, Meaning: c.meaning,
		Place:  Place{File: o.document.File().Name(), Line: c.shown.place.Line, Column: c.shown.place.Column},
		Before: c.shown.before, After: c.shown.after,
		document: o.document, edits: c.edits,
	}
	definition, err := v1alpha1.Decode(m.value())
	if err != nil {
		return nil, nil
	}
	return m, definition
}

// name tells the mutant apart by its content; taken counts equal contents.
func (m *Mutant) name(taken map[string]int) string {
	squeeze := func(text string) string { return strings.Join(strings.Fields(text), " ") }
	content := squeeze(m.Before) + "\x00" + squeeze(m.After)
	key := m.Operator + "/" + m.Field + "\x00" + content
	taken[key]++
	if taken[key] > 1 {
		content += fmt.Sprintf("\x00%d", taken[key])
	}
	sum := sha256.Sum256([]byte(content))
	return m.Operator + "/" + m.Field + "/" + hex.EncodeToString(sum[:3])
}

// digest is the same for definitions that say the same.
func digest(definition *v1alpha1.WorkloadMap) string {
	content, err := json.Marshal(definition.Spec)
	if err != nil {
		// The types hold nothing that JSON cannot.
		return fmt.Sprint(definition.Spec)
	}
	sum := sha256.Sum256(content)
	return string(sum[:])
}

// apply reports false where the path leads nowhere.
func (e edit) apply(value any) bool {
	parent, holder, last := value, any(nil), e.path[len(e.path)-1]
	for _, step := range e.path[:len(e.path)-1] {
		held, ok := child(parent, step)
		if !ok {
			return false
		}
		holder, parent = parent, held
	}
	switch held := parent.(type) {
	case map[string]any:
		key, isKey := last.(string)
		_, exists := held[key]
		switch {
		case !isKey || e.remove && !exists:
			return false
		case e.remove:
			delete(held, key)
		case e.add:
			list, _ := held[key].([]any)
			held[key] = append(slices.Clone(list), e.value)
		default:
			held[key] = e.value
		}
		return true
	case []any:
		at, isIndex := last.(int)
		if !isIndex || at >= len(held) {
			return false
		}
		if e.remove {
			// A shorter list is another one, which its holder has to be given.
			return put(holder, e.path[len(e.path)-2], slices.Delete(slices.Clone(held), at, at+1))
		}
		held[at] = e.value
		return true
	}
	return false
}

func child(value any, step any) (any, bool) {
	switch step := step.(type) {
	case string:
		object, _ := value.(map[string]any)
		held, ok := object[step]
		return held, ok
	case int:
		if list, ok := value.([]any); ok && step < len(list) {
			return list[step], true
		}
	}
	return nil, false
}

func put(value any, step, held any) bool {
	switch step := step.(type) {
	case string:
		object, ok := value.(map[string]any)
		if ok {
			object[step] = held
		}
		return ok
	case int:
		list, ok := value.([]any)
		if ok && step < len(list) {
			list[step] = held
			return true
		}
	}
	return false
}

func clone(value any) any {
	switch value := value.(type) {
	case map[string]any:
		made := make(map[string]any, len(value))
		for key, held := range value {
			made[key] = clone(held)
		}
		return made
	case []any:
		made := make([]any, len(value))
		for i, held := range value {
			made[i] = clone(held)
		}
		return made
	default:
		return value
	}
}
