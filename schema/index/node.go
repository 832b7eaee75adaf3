package index

import (
	"fmt"
	"slices"
	"sync"
)

// node is a type as an index has it. It does not change once it is loaded, but
// for what it remembers of the fields that it has with its base.
type node struct {
	// core is the name of a library's type, empty for other nodes.
	core     string
	kind     Kind
	format   Format
	nullable bool
	open     bool
	enum     []any
	def      any
	keys     []string
	element  *node

	// base is the type that this one is written against. Nothing of what belongs
	// to the place where base stands (null, default, enum) is taken from it.
	base     *node
	own      []nodeField
	gone     []string
	left     *[]string
	required *[]string

	once sync.Once
	flat []nodeField

	// levels and types are what bound found: how deep the type is and how many
	// types are in it.
	levels, types int
	visiting      bool
}

type nodeField struct {
	name     string
	required bool
	node     *node
}

// target is the node that says what kind of value this is.
func (n *node) target() *node {
	for n.base != nil {
		n = n.base
	}
	return n
}

// fields are those of an object, by name.
func (n *node) fields() []nodeField {
	n.once.Do(func() { n.flat = n.merged() })
	return n.flat
}

func (n *node) merged() []nodeField {
	merged := slices.Clone(n.own)
	if n.base != nil {
		for _, field := range n.base.fields() {
			if n.keeps(field.name) && !contains(n.own, field.name) {
				merged = append(merged, field)
			}
		}
		slices.SortFunc(merged, func(a, b nodeField) int { return compareNames(a, b.name) })
	}
	for i := range merged {
		merged[i].required = n.requires(merged[i].name)
	}
	return merged
}

// keeps reports whether a field of the base is left.
func (n *node) keeps(name string) bool {
	if n.left != nil {
		return slices.Contains(*n.left, name)
	}
	return !slices.Contains(n.gone, name)
}

func (n *node) requires(name string) bool {
	if n.required != nil {
		return slices.Contains(*n.required, name)
	}
	if n.base == nil {
		return false
	}
	field, found := find(n.base.fields(), name)
	return found && field.required
}

// changed reports whether a node differs from its base in what is inside it.
func (n *node) changed() bool {
	return len(n.own) > 0 || len(n.gone) > 0 || n.left != nil || n.required != nil || n.open
}

// isOpen reports whether an object keeps fields that are not listed.
func (n *node) isOpen() bool {
	for ; n != nil; n = n.base {
		if n.open {
			return true
		}
	}
	return false
}

func contains(fields []nodeField, name string) bool {
	_, found := find(fields, name)
	return found
}

func find(fields []nodeField, name string) (nodeField, bool) {
	i, found := slices.BinarySearchFunc(fields, name, compareNames)
	if !found {
		return nodeField{}, false
	}
	return fields[i], true
}

func compareNames(field nodeField, name string) int {
	switch {
	case field.name < name:
		return -1
	case field.name > name:
		return 1
	}
	return 0
}

// bound refuses a type that contains itself, and one that is too deep or too large
// with everything written out, so that nobody who walks a type has to count. It
// runs while a file is loaded, before others see the node.
func (n *node) bound(level int) (*node, error) {
	if n.types > 0 {
		return n, n.tooLarge(level)
	}
	if n.visiting {
		return nil, fmt.Errorf("a type contains itself")
	}
	if level > maxLevels {
		return nil, fmt.Errorf("types are nested deeper than %d levels", maxLevels)
	}
	n.visiting = true
	inside := []*node{}
	if n.element != nil {
		inside = append(inside, n.element)
	}
	for _, field := range n.own {
		inside = append(inside, field.node)
	}
	levels, types := 0, 1
	if n.base != nil {
		base, err := n.base.bound(level)
		if err != nil {
			return nil, err
		}
		if base.target().kind != Object && n.changed() || base.nullable || base.def != nil || base.enum != nil {
			return nil, fmt.Errorf("a type is written against one that is not a plain object")
		}
		levels, types = base.levels, base.types
	}
	for _, below := range inside {
		bounded, err := below.bound(level + 1)
		if err != nil {
			return nil, err
		}
		levels = max(levels, bounded.levels+1)
		types = add(types, bounded.types)
	}
	n.levels, n.types, n.visiting = levels, types, false
	return n, n.tooLarge(level)
}

func (n *node) tooLarge(level int) error {
	if level+n.levels > maxLevels {
		return fmt.Errorf("types are nested deeper than %d levels", maxLevels)
	}
	if n.types > maxTypes {
		return fmt.Errorf("it describes more than %d types", maxTypes)
	}
	return nil
}
