package jq

import (
	"strconv"

	"github.com/itchyny/gojq"
)

// syntaxBuilder turns the engine's tree, which has no positions, into nodes that
// have: it goes through the tokens in step with the tree. When they do not fit
// together it is lost, and all positions are given up.
type syntaxBuilder struct {
	text *lexed
	at   int
	lost bool
}

func (b *syntaxBuilder) peek() string {
	if b.at >= len(b.text.tokens) {
		return ""
	}
	return b.text.text(b.text.tokens[b.at])
}

// start is where the next token starts, end where the last one ended.
func (b *syntaxBuilder) start() int {
	if b.at >= len(b.text.tokens) {
		return len(b.text.source)
	}
	return b.text.tokens[b.at].start
}

func (b *syntaxBuilder) end() int {
	if b.at == 0 {
		return 0
	}
	return b.text.tokens[b.at-1].end
}

func (b *syntaxBuilder) take(texts ...string) {
	for _, text := range texts {
		if !b.skip(text) {
			b.lost = true
		}
	}
}

func (b *syntaxBuilder) skip(text string) bool {
	if b.peek() != text || text == "" {
		return false
	}
	b.at++
	return true
}

func (b *syntaxBuilder) takeKind(kind tokenKind) {
	if b.at < len(b.text.tokens) && b.text.tokens[b.at].kind == kind {
		b.at++
		return
	}
	b.lost = true
}

// node makes a node from start to the last token.
func (b *syntaxBuilder) node(kind NodeKind, start int, args ...*Node) *Node {
	return &Node{Kind: kind, Start: start, End: b.end(), MarkStart: start, MarkEnd: b.end(), Args: args}
}

func marked(n *Node, start, end int) *Node {
	n.MarkStart, n.MarkEnd = start, end
	return n
}

func (b *syntaxBuilder) query(q *gojq.Query) *Node {
	if q == nil {
		return nil
	}
	if len(q.FuncDefs) > 0 {
		return b.define(q)
	}
	start := b.start()
	if q.Term != nil {
		return b.term(q.Term)
	}
	left := b.query(q.Left)
	operatorStart := b.start()
	if len(q.Patterns) > 0 {
		b.take("as")
		patterns := b.patterns(q.Patterns)
		b.take("|")
		n := b.node(NodeBind, start, left, b.query(q.Right))
		n.End, n.MarkEnd, n.Patterns = b.end(), b.end(), patterns
		return n
	}
	b.take(q.Op.String())
	operatorEnd := b.end()
	right := b.query(q.Right)
	kind := NodeBinary
	switch q.Op {
	case gojq.OpPipe:
		kind = NodePipe
	case gojq.OpComma:
		kind = NodeComma
	}
	n := marked(b.node(kind, start, left, right), operatorStart, operatorEnd)
	n.Name = q.Op.String()
	return n
}

func (b *syntaxBuilder) define(q *gojq.Query) *Node {
	start, define := b.start(), q.FuncDefs[0]
	b.take("def")
	nameStart := b.start()
	b.take(define.Name)
	nameEnd := b.end()
	for i, parameter := range define.Args {
		b.take(separator(i), parameter)
	}
	if len(define.Args) > 0 {
		b.take(")")
	}
	b.take(":")
	body := b.query(define.Body)
	b.take(";")
	rest := *q
	rest.FuncDefs = q.FuncDefs[1:]
	var after *Node
	if len(rest.FuncDefs) > 0 || rest.Term != nil || rest.Left != nil {
		after = b.query(&rest)
	}
	n := marked(b.node(NodeDef, start, body, after), nameStart, nameEnd)
	n.Name, n.Parameters = define.Name, define.Args
	return n
}

func separator(i int) string {
	if i == 0 {
		return "("
	}
	return ";"
}

func (b *syntaxBuilder) patterns(patterns []*gojq.Pattern) []*Pattern {
	var result []*Pattern
	for i, p := range patterns {
		if i > 0 {
			b.take("?", "//")
		}
		result = append(result, b.pattern(p))
	}
	return result
}

func (b *syntaxBuilder) pattern(p *gojq.Pattern) *Pattern {
	switch {
	case p.Name != "":
		b.take(p.Name)
		return &Pattern{Variable: p.Name}
	case len(p.Array) > 0:
		result := &Pattern{}
		for i, element := range p.Array {
			if i == 0 {
				b.take("[")
			} else {
				b.take(",")
			}
			result.Array = append(result.Array, b.pattern(element))
		}
		b.take("]")
		return result
	}
	result := &Pattern{Object: []PatternEntry{}}
	for i, entry := range p.Object {
		if i == 0 {
			b.take("{")
		} else {
			b.take(",")
		}
		result.Object = append(result.Object, b.patternEntry(entry))
	}
	b.take("}")
	return result
}

func (b *syntaxBuilder) patternEntry(entry *gojq.PatternObject) PatternEntry {
	result := PatternEntry{Key: b.key(entry.Key, entry.KeyString, entry.KeyQuery)}
	if len(entry.Key) > 0 && entry.Key[0] == '$' {
		result.Variable = entry.Key
		result.Key.Kind, result.Key.Value = NodeLiteral, entry.Key[1:]
	}
	if entry.Val != nil {
		b.take(":")
		result.Value = b.pattern(entry.Val)
	}
	return result
}

// key reads the key of an object's entry: a name, a variable, a string or an
// expression in parentheses.
func (b *syntaxBuilder) key(name string, text *gojq.String, query *gojq.Query) *Node {
	start := b.start()
	switch {
	case text != nil:
		return b.str(text, "", start)
	case query != nil:
		b.take("(")
		key := b.query(query)
		b.take(")")
		return key
	case name[0] == '$':
		b.take(name)
		n := b.node(NodeVariable, start)
		n.Name = name
		return n
	default:
		b.take(name)
		n := b.node(NodeLiteral, start)
		n.Value = name
		return n
	}
}

func (b *syntaxBuilder) object(o *gojq.Object) *Node {
	start := b.start()
	b.take("{")
	var entries []KeyValue
	for i, entry := range o.KeyVals {
		if i > 0 {
			b.take(",")
		}
		made := KeyValue{Key: b.key(entry.Key, entry.KeyString, entry.KeyQuery)}
		if entry.Val != nil {
			b.take(":")
			made.Value = b.query(entry.Val)
		}
		entries = append(entries, made)
	}
	b.skip(",")
	b.take("}")
	n := b.node(NodeObject, start)
	n.Entries = entries
	return n
}

// str reads a string. Its literal parts have no places of their own.
func (b *syntaxBuilder) str(s *gojq.String, format string, start int) *Node {
	b.takeKind(tokenString)
	if s.Queries == nil {
		n := b.node(NodeLiteral, start)
		n.Value, n.Name = s.Str, format
		return n
	}
	var parts []*Node
	for _, part := range s.Queries {
		if part.Term.Type == gojq.TermTypeQuery {
			parts = append(parts, b.query(part.Term.Query))
			b.takeKind(tokenString)
			continue
		}
		literal := b.node(NodeLiteral, start)
		literal.Value = part.Term.Str.Str
		parts = append(parts, literal)
	}
	n := b.node(NodeString, start, parts...)
	n.Name = format
	return n
}

func (b *syntaxBuilder) literal(text string, value any) *Node {
	start := b.start()
	b.take(text)
	n := b.node(NodeLiteral, start)
	n.Value = value
	return n
}

func (b *syntaxBuilder) number(text string) *Node {
	value, err := strconv.ParseFloat(text, 64)
	if err != nil {
		value = 0
	}
	return b.literal(text, value)
}
