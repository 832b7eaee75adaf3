package index

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"
)

// matcher finds the core type that a type is most of.
type matcher struct {
	in *interner
	// core are the candidates: numbers of core types worth a reference.
	core []int
	// byField lists candidates by the name of a field.
	byField map[string][]int
	names   map[int]string
	costs   map[int]int
	kin     map[[2]int]bool
	chosen  map[int]int
}

// clone is a matcher with the same candidates and an interner of its own.
func (m *matcher) clone() *matcher {
	in := newInterner()
	in.shapes = slices.Clone(m.in.shapes)
	in.numbers = maps.Clone(m.in.numbers)
	own := newMatcher(in)
	own.core, own.byField, own.names = m.core, m.byField, m.names
	return own
}

// none says that no core type is near.
const none = -1

// leastReferenced is how long in bytes a type has to be before a name is put in
// its place; shorter ones read better written out.
const leastReferenced = 48

// landmarks are the core types that definitions speak of. A reference to one is
// worth some bytes, since it says what a field is.
var landmarks = map[string]bool{
	"PodTemplateSpec": true, "PodSpec": true, "Container": true, "ObjectMeta": true,
	"ResourceRequirements": true, "Condition": true, "JobTemplateSpec": true, "JobSpec": true,
}

// leastOfLandmark is how many fields a type has to share with a landmark that it
// has less than most of. A name and an image are not yet a container.
const leastOfLandmark = 3

// landmarkWorth is how many bytes longer than the type written out a reference to
// a landmark may be.
const landmarkWorth = 64

func newMatcher(in *interner) *matcher {
	return &matcher{
		in: in, byField: map[string][]int{}, names: map[int]string{},
		costs: map[int]int{}, kin: map[[2]int]bool{}, chosen: map[int]int{},
	}
}

// offer makes core types candidates.
func (m *matcher) offer(numbers map[string]int) {
	names := slices.SortedFunc(maps.Keys(numbers), func(a, b string) int {
		return cmp.Or(
			// A type is numbered after those inside it.
			cmp.Compare(numbers[a], numbers[b]),
			// Of two names for the same structure, the better known one.
			-compareBools(landmarks[a], landmarks[b]),
			cmp.Compare(len(a), len(b)),
			cmp.Compare(a, b),
		)
	})
	for _, name := range names {
		number := numbers[name]
		if _, taken := m.names[number]; taken || m.in.shapes[number].open {
			continue
		}
		// Conditions of custom resources have nothing to do with those of other kinds.
		if !landmarks[name] && (strings.HasSuffix(name, "Condition") || m.writtenOut(number) < leastReferenced || m.partOfLandmark(number, numbers)) {
			continue
		}
		m.names[number] = name
		m.core = append(m.core, number)
		for _, field := range m.in.shapes[number].fields {
			m.byField[field.name] = append(m.byField[field.name], number)
		}
	}
	// What was found with some of the candidates may be wrong with all of them.
	clear(m.costs)
	clear(m.chosen)
}

// partOfLandmark reports whether a type is a landmark with fields taken away.
// Volumes have resource requirements of their own, and a CRD of an older release
// does not mean them where it has those of containers.
func (m *matcher) partOfLandmark(number int, numbers map[string]int) bool {
	for name := range landmarks {
		landmark, known := numbers[name]
		if !known {
			continue
		}
		if d := m.in.difference(number, landmark); len(d.changed) == 0 && d.required == nil {
			return true
		}
	}
	return false
}

func compareBools(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// nearest returns the core type that a bare object is to be written against, or
// none. A core type itself is its own nearest.
func (m *matcher) nearest(number int) int {
	if _, core := m.names[number]; core {
		return number
	}
	if chosen, known := m.chosen[number]; known {
		return chosen
	}
	m.chosen[number] = m.choose(number)
	return m.chosen[number]
}

func (m *matcher) choose(number int) int {
	s := &m.in.shapes[number]
	if s.kind != Object || s.open {
		return none
	}
	shared := map[int]int{}
	for _, field := range s.fields {
		for _, candidate := range m.byField[field.name] {
			shared[candidate]++
		}
	}
	best, bestWorth := none, 0
	for _, candidate := range m.core {
		if shared[candidate] < 2 || !m.akin(number, candidate) {
			continue
		}
		worth := m.writtenOut(number) - m.difference(number, candidate)
		least := 0
		if landmarks[m.names[candidate]] {
			least = -landmarkWorth
		}
		if worth > least && (best == none || worth > bestWorth) {
			best, bestWorth = candidate, worth
		}
	}
	return best
}

// akin reports whether an object is what a core type became when it was cut and
// extended. Most of the object's fields come from the core type, next to none of
// them is something else there; and unless the core type is a landmark, two thirds of it
// are left.
func (m *matcher) akin(number, core int) bool {
	pair := [2]int{number, core}
	akin, known := m.kin[pair]
	if !known {
		akin = m.mostlyFrom(number, core)
		m.kin[pair] = akin
	}
	return akin
}

func (m *matcher) mostlyFrom(number, core int) bool {
	s, c := &m.in.shapes[number], &m.in.shapes[core]
	alike, unlike := 0, 0
	for _, field := range s.fields {
		other, found := c.field(field.name)
		switch {
		case !found:
		case m.alike(field.shape, other.shape):
			alike++
		default:
			unlike++
		}
	}
	if 2*alike < len(s.fields) || 4*unlike >= max(alike, 1) {
		return false
	}
	return landmarks[m.names[core]] && alike >= leastOfLandmark || 3*alike >= 2*len(c.fields)
}

// alike reports whether a type may be what became of another one. Where that one is
// a core type, the type has to be nearest to it of all: what has a spec and a
// status is not yet a Deployment.
func (m *matcher) alike(a, b int) bool {
	first, second := m.in.shapes[a], m.in.shapes[b]
	switch {
	case a == b:
		return true
	case first.kind != second.kind:
		return false
	case first.kind == List || first.kind == Map:
		return m.alike(first.element, second.element)
	case first.kind != Object:
		return true
	case len(first.fields) == 0:
		// Generators leave metadata empty unless told otherwise.
		return true
	}
	b = m.in.bare(b)
	if _, core := m.names[b]; core {
		return m.nearest(m.in.bare(a)) == b
	}
	return m.akin(m.in.bare(a), b)
}

// cost is about how many bytes a type takes in an index.
func (m *matcher) cost(number int) int {
	if cost, known := m.costs[number]; known {
		return cost
	}
	bare := m.in.bare(number)
	cost := 0
	switch nearest := m.nearest(bare); nearest {
	case bare:
		cost = len(m.names[bare]) + 2
	case none:
		cost = m.writtenOut(bare)
	default:
		cost = m.difference(bare, nearest)
	}
	if bare != number {
		cost = add(cost, 16+8*len(m.in.shapes[number].enum))
	}
	m.costs[number] = cost
	return cost
}

func (m *matcher) writtenOut(number int) int {
	s := &m.in.shapes[number]
	cost := 8
	if s.kind == List || s.kind == Map {
		cost = add(2+10*len(s.keys), m.cost(s.element))
	}
	for _, field := range s.fields {
		cost = add(cost, len(field.name)+4+m.cost(field.shape))
		if field.required {
			cost += len(field.name) + 3
		}
	}
	return cost
}

// difference is about how many bytes a type takes when written against another.
func (m *matcher) difference(number, base int) int {
	d := m.in.difference(number, base)
	cost := len(m.names[base]) + 8 + bytesOf(d.gone) + bytesOf(d.left)
	for _, field := range d.changed {
		cost = add(cost, len(field.name)+4+m.cost(field.shape))
	}
	if d.required != nil {
		cost += 6 + bytesOf(d.required)
	}
	return cost
}

func bytesOf(names []string) int {
	sum := 0
	for _, name := range names {
		sum += len(name) + 3
	}
	return sum
}

// add does not overflow: a type written out may be larger than any number.
func add(a, b int) int {
	if a > math.MaxInt/2-b {
		return math.MaxInt / 2
	}
	return a + b
}

// difference is what to change about a base type to get another one.
type difference struct {
	changed []shapeField
	// gone are the fields to take away. When left is not nil it is shorter to
	// name the fields that stay.
	gone, left []string
	// required is nil when the base's required fields that stay are the required
	// ones.
	required []string
}

func (in *interner) difference(number, base int) difference {
	s, b := &in.shapes[number], &in.shapes[base]
	var d difference
	required, inherited := []string{}, []string{}
	var kept []string
	for _, field := range s.fields {
		if field.required {
			required = append(required, field.name)
		}
		other, found := b.field(field.name)
		if found {
			kept = append(kept, field.name)
			if other.required {
				inherited = append(inherited, field.name)
			}
		}
		if !found || other.shape != field.shape {
			d.changed = append(d.changed, field)
		}
	}
	for _, field := range b.fields {
		if _, found := s.field(field.name); !found {
			d.gone = append(d.gone, field.name)
		}
	}
	if bytesOf(kept) < bytesOf(d.gone) {
		d.gone, d.left = nil, append([]string{}, kept...)
	}
	if !slices.Equal(required, inherited) {
		d.required = required
	}
	return d
}
