package resolver

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/workloadmap/wm/api/v1alpha1"
	"github.com/workloadmap/wm/internal/suggest"
)

// Candidate is a definition that a Set may use: what it reads, where it comes
// from, and how to get it when the first object of that kind arrives.
type Candidate struct {
	// Kind is the root's kind. A definition that reads another one when it is
	// loaded is an error of Find.
	Kind v1alpha1.GroupVersionKind
	// Name and Origin are for messages; Origin is shown with every workload.
	Name   string
	Origin string
	// Load returns the definition. It is called at most once, also when it fails.
	Load func() (*v1alpha1.WorkloadMap, error)
}

// Set finds the definition for an object among many and compiles it on first
// use. It is safe for concurrent use.
type Set struct {
	// byKind holds the candidates of one group and kind, sorted by version.
	byKind map[groupKind][]*slot
}

type groupKind struct{ group, kind string }

type slot struct {
	candidate Candidate
	once      sync.Once
	resolver  *Resolver
	err       error
}

func (s *slot) get() (*Resolver, error) {
	s.once.Do(func() {
		definition, err := s.candidate.Load()
		if err != nil {
			s.err = fmt.Errorf("load definition %s (%s): %w", s.candidate.Name, s.candidate.Origin, err)
			return
		}
		resolver, err := Compile(definition, WithOrigin(s.candidate.Origin))
		switch {
		case err != nil:
			s.err = err
		case resolver.root != s.candidate.Kind:
			s.err = fmt.Errorf("definition %s was announced for %s, but it reads %s",
				s.candidate.label(), kindText(s.candidate.Kind), kindText(resolver.root))
		default:
			s.resolver = resolver
		}
	})
	return s.resolver, s.err
}

// DuplicateError says that one layer holds two definitions for the same kind,
// so that neither can be preferred.
type DuplicateError struct {
	Kind v1alpha1.GroupVersionKind
	// First and Second are name and origin of both, in the layer's order.
	First, Second string
}

func (e *DuplicateError) Error() string {
	return fmt.Sprintf("two definitions read %s: %s and %s; keep one", kindText(e.Kind), e.First, e.Second)
}

// NoDefinitionError says that no definition of a Set reads a kind.
type NoDefinitionError struct {
	Kind v1alpha1.GroupVersionKind
	// Nearest is the most similar kind that the Set can read, nil when none is similar.
	Nearest *v1alpha1.GroupVersionKind
}

func (e *NoDefinitionError) Error() string {
	message := "no definition for " + kindText(e.Kind)
	if e.Nearest != nil {
		message += "; the nearest that wm knows is " + kindText(*e.Nearest)
	}
	return message
}

// NewSet builds a Set from layers. A later layer replaces an earlier one for
// the same group, version and kind; two candidates for one kind inside a layer
// are a *DuplicateError.
func NewSet(layers ...[]Candidate) (*Set, error) {
	chosen := map[v1alpha1.GroupVersionKind]Candidate{}
	for _, layer := range layers {
		seen := map[v1alpha1.GroupVersionKind]Candidate{}
		for _, candidate := range layer {
			if earlier, ok := seen[candidate.Kind]; ok {
				return nil, &DuplicateError{Kind: candidate.Kind, First: earlier.label(), Second: candidate.label()}
			}
			seen[candidate.Kind] = candidate
			chosen[candidate.Kind] = candidate
		}
	}
	set := &Set{byKind: map[groupKind][]*slot{}}
	for kind, candidate := range chosen {
		key := groupKind{kind.Group, kind.Kind}
		set.byKind[key] = append(set.byKind[key], &slot{candidate: candidate})
	}
	for _, slots := range set.byKind {
		slices.SortFunc(slots, func(a, b *slot) int { return strings.Compare(a.candidate.Kind.Version, b.candidate.Kind.Version) })
	}
	return set, nil
}

func (c Candidate) label() string { return fmt.Sprintf("%s (%s)", c.Name, c.Origin) }

// Match is the definition found for a kind.
type Match struct {
	// Resolver is nil only beside an error.
	Resolver *Resolver
	// OtherVersion is set when no definition reads exactly the object's version
	// and this one, for another version of the same kind, stands in.
	OtherVersion bool
}

// Find returns the definition for a kind, compiled. The same version is
// preferred; else the only other version stands in. Errors are
// *NoDefinitionError, or the fault of the definition itself.
func (s *Set) Find(kind v1alpha1.GroupVersionKind) (Match, error) {
	slots := s.byKind[groupKind{kind.Group, kind.Kind}]
	for _, slot := range slots {
		if slot.candidate.Kind == kind {
			resolver, err := slot.get()
			return Match{Resolver: resolver}, err
		}
	}
	if len(slots) != 1 {
		return Match{}, &NoDefinitionError{Kind: kind, Nearest: s.nearest(kind)}
	}
	resolver, err := slots[0].get()
	return Match{Resolver: resolver, OtherVersion: true}, err
}

// FindObject is Find for an object's own apiVersion and kind.
func (s *Set) FindObject(object map[string]any) (Match, error) {
	return s.Find(kindIn(object))
}

// nearest is the kind spelt most alike; of several the first in order.
func (s *Set) nearest(kind v1alpha1.GroupVersionKind) *v1alpha1.GroupVersionKind {
	var known []v1alpha1.GroupVersionKind
	for _, slots := range s.byKind {
		for _, slot := range slots {
			known = append(known, slot.candidate.Kind)
		}
	}
	// Of kinds that are equally near, one of the same group is meant.
	slices.SortFunc(known, func(a, b v1alpha1.GroupVersionKind) int {
		if sameA, sameB := a.Group == kind.Group, b.Group == kind.Group; sameA != sameB {
			if sameA {
				return -1
			}
			return 1
		}
		return strings.Compare(kindText(a), kindText(b))
	})
	words := make([]string, len(known))
	for i, k := range known {
		words[i] = k.Kind
	}
	word, ok := suggest.Nearest(kind.Kind, words)
	if !ok {
		return nil
	}
	return &known[slices.Index(words, word)]
}
