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
	if n.base == nil {
		return n.own
	}
	n.once.Do(func() { n.flat = n.merged() })
	return n.flat
}

func (n *node) merged() []nodeField {
	merged := slices.Clone(n.own)
	required := map[string]bool{}
	if n.base != nil {
		for _, field := range n.base.fields() {
			if n.keeps(field.name) {
				required[field.name] = field.required
				if !contains(n.own, field.name) {
					merged = append(merged, field)
				}
			}
		}
		slices.SortFunc(merged, func(a, b nodeField) int { return compareNames(a, b.name) })
	}
	if n.required != nil {
		clear(required)
		for _, name := range *n.required {
			required[name] = true
		}
	}
	for i := range merged {
		merged[i].required = required[merged[i].name]
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
	if err := n.boundBase(level); err != nil {
		return nil, err
	}
	// What is written is bounded first: merging fields needs it to end.
	for _, field := range n.own {
		if _, err := field.node.bound(level + 1); err != nil {
			return nil, err
		}
	}
	levels, types := 0, 1
	if element := n.target().element; element != nil {
		bounded, err := element.bound(level + 1)
		if err != nil {
			return nil, err
		}
		levels, types = bounded.levels+1, add(types, bounded.types)
	}
	for _, field := range n.fields() {
		levels = max(levels, field.node.levels+1)
		types = add(types, field.node.types)
	}
	n.levels, n.types, n.visiting = levels, types, false
	return n, n.tooLarge(level)
}

func (n *node) boundBase(level int) error {
	if n.base == nil {
		return nil
	}
	base, err := n.base.bound(level + 1)
	if err != nil {
		return err
	}
	if base.target().kind != Object && n.changed() || base.nullable || base.def != nil || base.enum != nil {
		return fmt.Errorf("a type is written against one that is not a plain object")
	}
	return nil
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
