package types

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/workloadmap/wm/internal/suggest"
	"github.com/workloadmap/wm/jq"
)

// step evaluates one step of a path.
func (in *interpreter) step(n *jq.Node, input Value, s *scope) outcome {
	target := in.eval(n.Args[0], input, s)
	count := target.count
	if n.Optional {
		in.caught++
		in.tried++
		defer func() { in.caught--; in.tried-- }()
		count.Min = 0
	}
	switch n.Kind {
	case jq.NodeField:
		return outcome{in.field(target.value, n.Name, n), count}
	case jq.NodeIterate:
		return outcome{in.iterate(target.value, n), count.times(Count{Max: Many})}
	case jq.NodeSlice:
		for _, bound := range n.Args[1:] {
			if bound != nil {
				count = count.times(in.eval(bound, input, s).count)
			}
		}
		return outcome{sliced(target.value), count}
	default:
		count = count.times(in.eval(n.Args[1], input, s).count)
		return outcome{elementAt(target.value, n.Args[1]), count}
	}
}

func sliced(v Value) Value {
	if v.unknown || v.kinds&Object != 0 {
		return anything()
	}
	v.texts, v.path = nil, ""
	return v.only(Null | String | Array)
}

// elementAt is an element of a list: null when there is none, which nobody can
// know from a schema.
func elementAt(v Value, index *jq.Node) Value {
	number, ok := index.Value.(float64)
	// A string gives one of its characters.
	if v.unknown || !ok || v.kinds&(Object|String) != 0 {
		return anything()
	}
	element := v.only(Array | Null).elements()
	element.path = pathThen(v.path, "["+strconv.Itoa(int(number))+"]")
	element.kinds |= Null
	return element
}

// field reads a field. The place of a problem is the node's mark.
func (in *interpreter) field(v Value, name string, n *jq.Node) Value {
	read := Read{Start: n.MarkStart, End: n.MarkEnd}
	if v.unknown {
		in.reads = append(in.reads, read)
		return anything()
	}
	var result Value
	if v.kinds&Object != 0 {
		if v.schema != nil {
			read.Object, read.Path = v.schema, v.path
		}
		result, read.Key = in.fieldOfObject(v, name, n)
	}
	in.reads = append(in.reads, read)
	if scalars := v.without(Null); v.kinds&Object == 0 && scalars.kinds != 0 {
		in.noFields(scalars, name, n)
		return anything()
	}
	if v.kinds&Null != 0 && !result.unknown {
		result.kinds |= Null
		if result.nullAt == "" && !read.Key {
			result.nullAt = v.nullAt
		}
	}
	in.looksAt(result)
	return result
}

// fieldOfObject reads a field of an object, or the value of a map's key. Which
// keys a map has is known to those who write the expression.
func (in *interpreter) fieldOfObject(v Value, name string, n *jq.Node) (_ Value, isKey bool) {
	if held, ok := v.narrowed[name]; ok {
		return held, false
	}
	path := pathThen(v.path, step(name))
	switch {
	case v.fields != nil:
		if _, ok := v.fields[name]; !ok && v.kinds&Array == 0 {
			in.noSuchField(v, name, path, slices.Sorted(maps.Keys(v.fields)), n)
			return anything(), false
		}
		return fieldOrNull(v, name), false
	case v.values != nil && v.kinds&Array == 0:
		// The field of one name is there or is not.
		return join(*v.values, ofKinds(Null)), true
	case v.schema == nil:
		return anything(), false
	}
	if field, ok := v.schema.Field(name); ok {
		return described(field.Schema, path, field.Optional), false
	}
	if values := v.schema.Values(); values != nil {
		return described(values, path, false), true
	}
	if v.schema.Closed() {
		in.noSuchField(v, name, path, v.schema.FieldNames(), n)
	}
	return anything(), false
}

// step writes a field as a step of a jq path.
func step(name string) string {
	for i, c := range name {
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_'
		if !letter && (i == 0 || c < '0' || c > '9') {
			return "[" + strconv.Quote(name) + "]"
		}
	}
	if name == "" {
		return `[""]`
	}
	return "." + name
}

func (in *interpreter) noSuchField(v Value, name, path string, known []string, n *jq.Node) {
	p := Problem{Kind: NoSuchField, Start: n.MarkStart, End: n.MarkEnd, Path: path, Field: name, Known: known}
	p.Message = fmt.Sprintf("%s has no field `%s`", quoted(v.path, "the object"), name)
	if nearest, ok := suggest.Nearest(name, known); ok {
		p.Help = fmt.Sprintf("did you mean `%s`?", nearest)
	}
	in.report(p)
}

func (in *interpreter) noFields(v Value, name string, n *jq.Node) {
	if in.tried > 0 {
		return
	}
	p := Problem{Kind: NoSuchField, Start: n.MarkStart, End: n.MarkEnd, Path: pathThen(v.path, step(name)), Field: name}
	p.Message = fmt.Sprintf("%s is %s and has no field `%s`", quoted(v.path, "the value"), v.kinds.withArticle(), name)
	if v.kinds == Array {
		p.Help = "iterate over the list with `[]`, or take one element"
	}
	in.report(p)
}

func quoted(path, otherwise string) string {
	if path == "" || path == "." {
		return otherwise
	}
	return "`" + path + "`"
}

func (in *interpreter) iterate(v Value, n *jq.Node) Value {
	if v.unknown {
		return anything()
	}
	in.needs(v, Array|Object, iteratedOver, marked(n))
	return v.only(Array | Object).elements()
}

const iteratedOver = "iterated over"

// span is a piece of the expression, in bytes.
type span struct{ start, end int }

func marked(n *jq.Node) span { return span{n.MarkStart, n.MarkEnd} }

// needs reports an operand that is of other kinds than an operation takes: all
// of it, or null where a field may be left out.
func (in *interpreter) needs(v Value, kinds Kinds, done string, at span) {
	if v.unknown || in.caught > 0 || v.kinds == 0 {
		return
	}
	p := Problem{Start: at.start, End: at.end, Path: v.path}
	name := quoted(v.path, "the value")
	switch {
	case v.kinds&kinds == 0 && v.kinds != Null:
		p.Kind = AlwaysFails
		p.Message = fmt.Sprintf("%s is %s, which cannot be %s", name, v.without(Null).kinds.withArticle(), done)
	case v.kinds&Null != 0 && v.nullAt != "" && kinds&Null == 0:
		p.Kind, p.Path = FailsOnNull, v.nullAt
		if v.path == "" {
			name = quoted(v.nullAt, "the value")
		}
		p.Message = fmt.Sprintf("%s may be absent, and null cannot be %s", name, done)
		p.Help = defaultFor(kinds, done)
	default:
		return
	}
	in.report(p)
}

// defaultFor is the smallest change that makes an operation safe.
func defaultFor(kinds Kinds, done string) string {
	switch {
	case done == iteratedOver:
		return "write `[]?`: an absent list gives nothing"
	case kinds&Number != 0 && kinds != AllKinds&^Boolean:
		return "give it a default, such as `// 0`"
	case kinds == String:
		return "give it a default, such as `// \"\"`"
	case kinds&Array != 0:
		return "give it a default, such as `// []`"
	default:
		return "give it a default with `//`"
	}
}
