package cluster

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/workloadmap/wm/api/v1alpha1"
	"github.com/workloadmap/wm/internal/suggest"
	"github.com/workloadmap/wm/resolver"
)

// Type is a kind that the server serves and a definition reads.
type Type struct {
	Resource
	Resolver *resolver.Resolver
	// OtherVersion is set when the definition was written for another version of the kind.
	OtherVersion bool
	// Also names other resources that the same word can mean.
	Also []string
}

func (t Type) isPod() bool { return t.Group == "" && t.Kind == "Pod" }

// UnservedError says that the cluster has no such type.
type UnservedError struct {
	Word string
	// Kinds are those that a definition knows by this word.
	Kinds []v1alpha1.GroupVersionKind
	// Nearest is a word for a type that can be read, "" when none is similar.
	Nearest string
}

func (e *UnservedError) Error() string {
	switch {
	case len(e.Kinds) > 0:
		kind := e.Kinds[0]
		return fmt.Sprintf("the cluster does not serve %s %s: its CRD is not installed, or serves no version", kind.Group, kind.Kind)
	case e.Nearest != "":
		return fmt.Sprintf("the cluster serves no type %q; did you mean %s?", e.Word, e.Nearest)
	default:
		return fmt.Sprintf("the cluster serves no type %q", e.Word)
	}
}

// Types are the kinds of a cluster, with the definitions that read them.
type Types struct {
	served *Resources
	set    *resolver.Set
}

// Types asks the server what it serves.
func (c *Client) Types(ctx context.Context, set *resolver.Set) (*Types, error) {
	served, err := c.Resources(ctx)
	if err != nil {
		return nil, err
	}
	return &Types{served: served, set: set}, nil
}

// Find takes a word for a type as kubectl does, or the kind of a definition. Of
// several kinds those that a definition reads come first, in the server's
// order. Errors are *UnservedError, *resolver.NoDefinitionError, and the faults
// of a definition.
func (t *Types) Find(word string) (Type, error) {
	kinds := t.served.find(word)
	var first error
	var found []Type
	for _, versions := range kinds {
		pair, err := t.pair(versions)
		if err != nil {
			if first == nil {
				first = err
			}
			continue
		}
		found = append(found, pair)
	}
	switch {
	case len(found) > 0:
		for _, other := range found[1:] {
			found[0].Also = append(found[0].Also, other.Resource.String())
		}
		return found[0], nil
	case first != nil:
		return Type{}, first
	}
	return Type{}, t.unserved(word)
}

// pair finds the definition for a kind: the first version that a definition was
// written for, else the first that one can stand in for.
func (t *Types) pair(versions []Resource) (Type, error) {
	var standIn *Type
	var first error
	for _, resource := range versions {
		match, err := t.set.Find(v1alpha1.GroupVersionKind{Group: resource.Group, Version: resource.Version, Kind: resource.Kind})
		pair := Type{Resource: resource, Resolver: match.Resolver, OtherVersion: match.OtherVersion}
		switch {
		case err != nil:
			if first == nil {
				first = err
			}
		case !match.OtherVersion:
			return pair, nil
		case standIn == nil:
			standIn = &pair
		}
	}
	if standIn != nil {
		return *standIn, nil
	}
	return Type{}, first
}

func (t *Types) unserved(word string) error {
	missing := &UnservedError{Word: word}
	name, group, _ := strings.Cut(strings.ToLower(word), ".")
	for _, kind := range t.set.Kinds() {
		lower := strings.ToLower(kind.Kind)
		if (name == lower || name == lower+"s") && (group == "" || group == kind.Group) {
			missing.Kinds = append(missing.Kinds, kind)
		}
	}
	missing.Nearest, _ = suggest.Nearest(name, t.Words())
	return missing
}

// Covered are all types that definitions read and the server serves. The faults
// name definitions that cannot be used and API groups of definitions that could
// not be looked at.
func (t *Types) Covered() (types []Type, faults []error) {
	groups := map[string]bool{}
	var seen []v1alpha1.GroupVersionKind
	for _, kind := range t.set.Kinds() {
		groups[kind.Group] = true
		if slices.ContainsFunc(seen, func(k v1alpha1.GroupVersionKind) bool { return k.Group == kind.Group && k.Kind == kind.Kind }) {
			continue
		}
		seen = append(seen, kind)
		versions := t.served.kind(kind.Group, kind.Kind)
		if len(versions) == 0 {
			continue
		}
		pair, err := t.pair(versions)
		if err != nil {
			faults = append(faults, err)
			continue
		}
		types = append(types, pair)
	}
	for _, broken := range t.served.broken {
		if groups[broken.group] {
			faults = append(faults, broken.fault)
		}
	}
	return types, faults
}

// Words are the singular names of all types that can be read, for completion
// and suggestions.
func (t *Types) Words() []string {
	var words []string
	types, _ := t.Covered()
	for _, pair := range types {
		words = append(words, pair.Singular)
	}
	slices.Sort(words)
	return slices.Compact(words)
}
