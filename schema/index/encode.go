package index

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
)

// leastShared is how long in bytes a type has to be before it is written once and
// referred to from the places where it occurs.
const leastShared = 40

// encoder writes types as NODEs of the file format.
type encoder struct {
	in      *interner
	matcher *matcher
	// apart keeps the types of a library from being written as differences of
	// each other.
	apart bool
	uses  map[int]int
	// hints are names for types that may become definitions: the field where the
	// type was seen first.
	hints map[int]string
	// order lists types by where they were seen first.
	order []int
	local map[int]string
}

func newEncoder(in *interner, m *matcher) *encoder {
	return &encoder{in: in, matcher: m, uses: map[int]int{}, hints: map[int]string{}, local: map[int]string{}}
}

// count visits what will be written, each type once.
func (e *encoder) count(number int, hint string) {
	if _, core := e.matcher.names[number]; core {
		return
	}
	if e.transparent(number) {
		e.count(e.in.shapes[number].element, hint)
		return
	}
	e.uses[number]++
	if e.uses[number] > 1 {
		return
	}
	e.hints[number] = hint
	e.order = append(e.order, number)
	if bare := e.in.bare(number); bare != number {
		e.count(bare, hint)
		return
	}
	s := e.in.shapes[number]
	if s.kind == List || s.kind == Map {
		e.count(s.element, hint)
	}
	fields := s.fields
	if base := e.base(number); base != none {
		fields = e.in.difference(number, base).changed
	}
	for _, field := range fields {
		e.count(field.shape, field.name)
	}
}

// transparent types are written as two characters in front of what they hold.
func (e *encoder) transparent(number int) bool {
	s := &e.in.shapes[number]
	return (s.kind == List || s.kind == Map) && len(s.keys) == 0 && s.bare()
}

// share gives a name to each type that is written more than once.
func (e *encoder) share() {
	taken := map[string]bool{}
	last := map[string]int{}
	for _, number := range e.order {
		if e.uses[number] < 2 || e.matcher.cost(number) < leastShared {
			continue
		}
		hint := e.hints[number]
		name := hint
		for taken[name] {
			last[hint]++
			name = hint + "-" + strconv.Itoa(last[hint]+1)
		}
		taken[name] = true
		e.local[number] = name
	}
}

func (e *encoder) base(number int) int {
	if e.apart {
		return none
	}
	return e.matcher.nearest(number)
}

// node writes a use of a type: a reference where it has a name.
func (e *encoder) node(number int) []byte {
	if name, core := e.matcher.names[number]; core {
		return text(name)
	}
	if name, shared := e.local[number]; shared {
		return text("#" + name)
	}
	return e.definition(number)
}

// definition writes a type itself, whether it has a name or not.
func (e *encoder) definition(number int) []byte {
	s := &e.in.shapes[number]
	var o object
	switch bare := e.in.bare(number); {
	case bare == number:
		e.body(&o, number)
	default:
		// The part that does not belong to the place may have a name.
		if node := e.node(bare); node[0] == '"' {
			o.put("t", node)
		} else {
			e.body(&o, bare)
		}
	}
	if len(s.enum) > 0 {
		o.put("e", value(s.enum))
	}
	if s.def != nil {
		o.put("d", value(s.def))
	}
	if s.nullable {
		o.put("n", []byte("true"))
	}
	if only, ok := o.only("t"); ok {
		return only
	}
	return o.bytes()
}

// body writes a bare type.
func (e *encoder) body(o *object, number int) {
	s := &e.in.shapes[number]
	switch s.kind {
	case List, Map:
		prefix, word := "[]", "list"
		if s.kind == Map {
			prefix, word = "{}", "map"
		}
		if element := e.node(s.element); element[0] == '"' {
			o.put("t", append([]byte(`"`+prefix), element[1:]...))
		} else {
			o.put("t", text(word))
			o.put("i", element)
		}
		if len(s.keys) > 0 {
			o.put("k", value(s.keys))
		}
	case Object:
		e.object(o, number)
	default:
		word := string(s.format)
		if word == "" {
			word = s.kind.String()
		}
		o.put("t", text(word))
	}
}

func (e *encoder) object(o *object, number int) {
	s := &e.in.shapes[number]
	base := e.base(number)
	if base == number {
		base = none
	}
	fields, required := s.fields, s.required()
	switch {
	case base != none:
		d := e.in.difference(number, base)
		fields, required = d.changed, d.required
		o.put("t", text(e.matcher.names[base]))
		if d.gone != nil {
			o.put("g", value(d.gone))
		}
		if d.left != nil {
			o.put("l", value(d.left))
		}
	case len(fields) == 0:
		o.put("t", text("object"))
	}
	if required != nil {
		o.put("r", value(required))
	}
	if s.open {
		o.put("o", []byte("true"))
	}
	if len(fields) > 0 {
		var inner object
		for _, field := range fields {
			inner.put(field.name, e.node(field.shape))
		}
		o.put("f", inner.bytes())
	}
}

// object is a JSON object that is written key by key.
type object struct {
	out   bytes.Buffer
	count int
	last  []byte
}

func (o *object) put(key string, content []byte) {
	if o.count > 0 {
		o.out.WriteByte(',')
	}
	o.out.Write(text(key))
	o.out.WriteByte(':')
	o.out.Write(content)
	o.count++
	o.last = content
}

// only is the value of an object that has a single key of that name.
func (o *object) only(key string) ([]byte, bool) {
	return o.last, o.count == 1 && bytes.HasPrefix(o.out.Bytes(), text(key))
}

func (o *object) bytes() []byte {
	return append(append([]byte{'{'}, o.out.Bytes()...), '}')
}

func text(word string) []byte { return value(word) }

// value writes a JSON value; the interner has proved that it can be written.
func value(v any) []byte {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		panic(fmt.Errorf("write a value of an index: %w", err))
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n"))
}

// lines writes an object with each key on a line of its own, so that a changed
// type is one changed line.
func lines(nodes map[string][]byte) []byte {
	var out bytes.Buffer
	out.WriteString("{")
	for i, name := range slices.Sorted(maps.Keys(nodes)) {
		if i > 0 {
			out.WriteString(",")
		}
		out.WriteString("\n")
		out.Write(text(name))
		out.WriteString(":")
		out.Write(nodes[name])
	}
	out.WriteString("\n}")
	return out.Bytes()
}
