package jq

import "github.com/itchyny/gojq"

// term reads a term and its suffixes. Each suffix becomes a node around what
// is before it.
func (b *syntaxBuilder) term(t *gojq.Term) *Node {
	start := b.start()
	n := b.bare(t, start)
	for i, suffix := range t.SuffixList {
		n = b.suffix(n, suffix, start, i == 0 && t.Type == gojq.TermTypeIdentity)
	}
	return n
}

func (b *syntaxBuilder) bare(t *gojq.Term, start int) *Node {
	switch t.Type {
	case gojq.TermTypeIdentity:
		b.take(".")
		return b.node(NodeIdentity, start)
	case gojq.TermTypeRecurse:
		b.take("..")
		return b.node(NodeRecurse, start)
	case gojq.TermTypeNull:
		return b.literal("null", nil)
	case gojq.TermTypeTrue:
		return b.literal("true", true)
	case gojq.TermTypeFalse:
		return b.literal("false", false)
	case gojq.TermTypeNumber:
		return b.number(t.Number)
	case gojq.TermTypeIndex:
		// The input itself has no characters in .name.
		return b.index(&Node{Kind: NodeIdentity, Start: start, End: start, MarkStart: start, MarkEnd: start}, t.Index, start)
	case gojq.TermTypeFunc:
		return b.call(t.Func)
	case gojq.TermTypeObject:
		return b.object(t.Object)
	case gojq.TermTypeArray:
		return b.array(t.Array)
	case gojq.TermTypeUnary:
		return b.unary(t.Unary)
	case gojq.TermTypeFormat:
		return b.format(t)
	case gojq.TermTypeString:
		return b.str(t.Str, "", start)
	case gojq.TermTypeQuery:
		b.take("(")
		n := b.query(t.Query)
		b.take(")")
		return n
	default:
		return b.control(t)
	}
}

func (b *syntaxBuilder) array(a *gojq.Array) *Node {
	start := b.start()
	b.take("[")
	var args []*Node
	if a.Query != nil {
		args = []*Node{b.query(a.Query)}
	}
	b.take("]")
	return b.node(NodeArray, start, args...)
}

func (b *syntaxBuilder) unary(u *gojq.Unary) *Node {
	start := b.start()
	b.take(u.Op.String())
	operand := b.term(u.Term)
	if u.Op == gojq.OpSub {
		return b.node(NodeNegate, start, operand)
	}
	return operand
}

func (b *syntaxBuilder) format(t *gojq.Term) *Node {
	start := b.start()
	b.take(t.Format)
	if t.Str != nil {
		return b.str(t.Str, t.Format, start)
	}
	n := b.node(NodeFormat, start)
	n.Name = t.Format
	return n
}

func (b *syntaxBuilder) call(f *gojq.Func) *Node {
	start := b.start()
	b.take(f.Name)
	nameEnd := b.end()
	var args []*Node
	for i, argument := range f.Args {
		b.take(separator(i))
		args = append(args, b.query(argument))
	}
	if len(args) > 0 {
		b.take(")")
	}
	kind := NodeCall
	if f.Name[0] == '$' {
		kind = NodeVariable
	}
	n := marked(b.node(kind, start, args...), start, nameEnd)
	n.Name = f.Name
	return n
}

// suffix reads what follows a term. The dot of ".[]" has been read as the term.
func (b *syntaxBuilder) suffix(target *Node, s *gojq.Suffix, start int, dotted bool) *Node {
	own := b.start()
	if dotted {
		own = start
	}
	switch {
	case s.Optional:
		b.take("?")
		switch target.Kind {
		case NodeField, NodeIndex, NodeSlice, NodeIterate:
			if !target.Optional {
				target.Optional, target.End = true, b.end()
				return target
			}
		}
		return b.node(NodeTry, start, target, nil)
	case s.Iter:
		b.skip(".")
		b.take("[", "]")
		return marked(b.node(NodeIterate, start, target), own, b.end())
	default:
		return b.index(target, s.Index, start)
	}
}

func (b *syntaxBuilder) index(target *Node, i *gojq.Index, start int) *Node {
	own := b.start()
	if i.Name != "" {
		b.takeKind(tokenField)
		return b.field(target, i.Name, start, own)
	}
	b.skip(".")
	if i.Str != nil {
		key := b.str(i.Str, "", b.start())
		return b.step(target, key, start, own)
	}
	b.take("[")
	from := b.query(i.Start)
	if !i.IsSlice {
		b.take("]")
		return b.step(target, from, start, own)
	}
	b.take(":")
	to := b.query(i.End)
	b.take("]")
	return marked(b.node(NodeSlice, start, target, from, to), own, b.end())
}

// step is a field when its key is a string, an index otherwise.
func (b *syntaxBuilder) step(target, key *Node, start, own int) *Node {
	if name, ok := key.Value.(string); ok && key.Kind == NodeLiteral && key.Name == "" {
		return b.field(target, name, start, own)
	}
	return marked(b.node(NodeIndex, start, target, key), own, b.end())
}

func (b *syntaxBuilder) field(target *Node, name string, start, own int) *Node {
	n := marked(b.node(NodeField, start, target), own, b.end())
	n.Name = name
	return n
}

func (b *syntaxBuilder) control(t *gojq.Term) *Node {
	start := b.start()
	switch t.Type {
	case gojq.TermTypeIf:
		return b.conditional(t.If)
	case gojq.TermTypeTry:
		b.take("try")
		body := b.query(t.Try.Body)
		var handler *Node
		if t.Try.Catch != nil {
			b.take("catch")
			handler = b.query(t.Try.Catch)
		}
		return b.node(NodeTry, start, body, handler)
	case gojq.TermTypeReduce:
		r := t.Reduce
		return b.loop(NodeReduce, "reduce", r.Query, r.Patterns, r.Start, r.Update, nil)
	case gojq.TermTypeForeach:
		f := t.Foreach
		return b.loop(NodeForeach, "foreach", f.Query, f.Patterns, f.Start, f.Update, f.Extract)
	case gojq.TermTypeLabel:
		b.take("label", t.Label.Ident, "|")
		n := b.node(NodeLabel, start, b.query(t.Label.Body))
		n.End, n.MarkEnd, n.Name = b.end(), b.end(), t.Label.Ident
		return n
	case gojq.TermTypeBreak:
		b.take("break", t.Break)
		n := b.node(NodeBreak, start)
		n.Name = t.Break
		return n
	default:
		b.lost = true
		return b.node(NodeRecurse, start)
	}
}

func (b *syntaxBuilder) conditional(c *gojq.If) *Node {
	start := b.start()
	b.take("if")
	condition := b.query(c.Cond)
	b.take("then")
	root := b.node(NodeIf, start, condition, b.query(c.Then), nil)
	last := root
	for _, branch := range c.Elif {
		at := b.start()
		b.take("elif")
		condition := b.query(branch.Cond)
		b.take("then")
		next := b.node(NodeIf, at, condition, b.query(branch.Then), nil)
		last.Args[2], last = next, next
	}
	if c.Else != nil {
		b.take("else")
		last.Args[2] = b.query(c.Else)
	}
	b.take("end")
	for n := root; n != nil && n.Kind == NodeIf; n = n.Args[2] {
		n.End, n.MarkEnd = b.end(), b.end()
		if n == last {
			break
		}
	}
	return root
}

func (b *syntaxBuilder) loop(kind NodeKind, word string, source *gojq.Query, patterns []*gojq.Pattern, first, update, extract *gojq.Query) *Node {
	start := b.start()
	b.take(word)
	from := b.query(source)
	b.take("as")
	bound := b.patterns(patterns)
	b.take("(")
	initial := b.query(first)
	b.take(";")
	args := []*Node{from, initial, b.query(update)}
	if kind == NodeForeach {
		var last *Node
		if extract != nil {
			b.take(";")
			last = b.query(extract)
		}
		args = append(args, last)
	}
	b.take(")")
	n := b.node(kind, start, args...)
	n.Patterns = bound
	return n
}
