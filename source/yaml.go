package source

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"sort"

	"go.yaml.in/yaml/v4"
	kubernetes "sigs.k8s.io/yaml"
)

// tree is the positional reading of one document.
type tree struct {
	root       *node
	duplicates []Duplicate
}

// yamlTree reads a chunk as YAML. Both results are nil for a document that
// turns out to be empty.
func (p *parser) yamlTree(c chunk) (result *tree, fault *Error) {
	defer func() {
		if recover() != nil {
			result, fault = nil, p.fault(c.start, c.start, "this YAML cannot be read: the parser gave up on it", "")
		}
	}()
	if fault := p.unreadable(c); fault != nil {
		return nil, fault
	}
	loader, err := yaml.NewLoader(bytes.NewReader(p.yamlText(c)))
	if err != nil {
		return nil, p.fault(c.start, c.start, "the YAML reader cannot be set up: "+err.Error(), "")
	}
	var document yaml.Node
	switch err := loader.Load(&document); {
	case errors.Is(err, io.EOF):
		return nil, nil
	case err != nil:
		return nil, p.syntaxFault(c, err)
	}
	var next yaml.Node
	switch err := loader.Load(&next); {
	case err == nil:
		return nil, p.fault(c.start, c.start, "a document marker follows a line separator (U+0085, U+2028 or U+2029)", "use plain line breaks")
	case !errors.Is(err, io.EOF):
		return nil, p.syntaxFault(c, err)
	}
	b := &builder{parser: p, chunk: c, anchors: map[*yaml.Node]*anchor{}, line: p.firstLine(c)}
	if len(document.Content) != 1 {
		return nil, nil
	}
	root, _ := b.value(document.Content[0], nil, 1)
	if b.fault != nil {
		return nil, b.fault
	}
	return &tree{root: root, duplicates: b.duplicates}, nil
}

// yamlText is what both YAML readers get to see of a chunk: they refuse the
// directive of YAML 1.2 although they read most of it, so it becomes a comment.
func (p *parser) yamlText(c chunk) []byte {
	text := p.file.content[c.start:c.end]
	if !c.directives {
		return text
	}
	text = bytes.Clone(text)
	for at := range text[:c.body-c.start] {
		if (at == 0 || text[at-1] == '\n' || text[at-1] == '\r') && bytes.HasPrefix(text[at:], []byte("%YAML 1.")) {
			text[at] = '#'
		}
	}
	return text
}

// yamlValue reads a chunk as kubectl does.
func (p *parser) yamlValue(c chunk) (r reading) {
	defer func() {
		if recover() != nil {
			r = reading{err: errors.New("the parser gave up on it")}
		}
	}()
	text, err := kubernetes.YAMLToJSON(p.yamlText(c))
	if err != nil {
		return reading{err: err}
	}
	return decodeJSON(text)
}

// unreadable refuses what the YAML readers should not see: the characters that
// one of them refuses without saying where, and so many separators that there
// are far more than MaxNodes values, which would cost the readers gigabytes
// before they could be counted.
func (p *parser) unreadable(c chunk) *Error {
	text := p.file.content[c.start:c.end]
	separators := 0
	for i := 0; i < len(text); i++ {
		if separates(text, i) {
			if separators++; separators > MaxNodes {
				return p.fault(c.start+i, c.start+i, tooMany(), "split the document")
			}
		}
		switch b := text[i]; {
		case b >= 0x20 && b < 0x7F, b == '\t', b == '\n', b == '\r':
			continue
		case b < 0x80:
			return p.fault(c.start+i, c.start+i+1, fmt.Sprintf("control character U+%04X is not allowed in YAML", b), "write it as an escape in double quotes")
		case b == 0xC2 && text[i+1] < 0xA0 && text[i+1] != 0x85:
			return p.fault(c.start+i, c.start+i+2, fmt.Sprintf("control character U+%04X is not allowed in YAML", text[i+1]), "write it as an escape in double quotes")
		case b == 0xEF && text[i+1] == 0xBF && text[i+2] >= 0xBE:
			return p.fault(c.start+i, c.start+i+3, "U+FFFE and U+FFFF are not characters", "")
		case b == 0xEF && bytes.HasPrefix(text[i:], []byte(byteOrderMark)) && (i == 0 || text[i-1] == '\n' || text[i-1] == '\r'):
			return p.fault(c.start+i, c.start+i+3, "a byte order mark in the middle of the file", "remove it; it often comes from files that were joined")
		}
	}
	return nil
}

// separates reports whether the byte at i looks like the end or the beginning
// of a value.
func separates(text []byte, i int) bool {
	next := byte('\n')
	if i+1 < len(text) {
		next = text[i+1]
	}
	switch text[i] {
	case ',', '\n':
		return true
	case '[', '{':
		return next != text[i]+2 // the closing bracket, in ASCII
	case ':', '-':
		return next == ' ' || next == '\t' || next == '\n' || next == '\r'
	}
	return false
}

func (p *parser) fault(start, end int, message, help string) *Error {
	return &Error{File: p.file, Range: p.file.span(start, end), Message: message, Help: help}
}

// offset finds a place that the YAML parser names by line and column, both
// from 1, of the chunk.
func (p *parser) offset(c chunk, firstLine, line, column int) int {
	i := firstLine + line - 1
	if i >= len(p.yamlLines) {
		return c.end
	}
	return min(p.file.offset(p.yamlLines[i], column), c.end)
}

// builder turns YAML nodes into a tree.
type builder struct {
	*parser
	chunk      chunk
	line       int // index of the chunk's first line
	anchors    map[*yaml.Node]*anchor
	duplicates []Duplicate
	fault      *Error
}

// anchor is an anchored node; size is zero while it is being built, which is
// how an alias to its own ancestor is seen.
type anchor struct {
	node *node
	size size
}

// size is what a value is once its aliases are unfolded.
type size struct {
	nodes, text, depth int
}

func (s *size) add(child size) {
	s.nodes += child.nodes
	s.text += child.text
	s.depth = max(s.depth, child.depth+1)
}

func (b *builder) stop(start, end int, message, help string) {
	if b.fault == nil {
		b.fault = b.parser.fault(start, end, message, help)
	}
}

// build makes the node of y, which key holds, and its size.
func (b *builder) build(y *yaml.Node, key *node, depth int) (*node, size) {
	at := b.offset(b.chunk, b.line, y.Line, y.Column)
	n := &node{key: key, start: at, end: at}
	own := size{nodes: 1, text: len(y.Value), depth: 1}
	if depth > MaxDepth {
		b.stop(at, at, tooDeep(), "")
		return n, own
	}
	if y.Kind == yaml.AliasNode {
		return n, b.alias(y, n, depth)
	}
	var a *anchor
	if y.Anchor != "" {
		a = &anchor{node: n}
		b.anchors[y] = a
	}
	tag := b.skipProperties(y, n)
	switch y.Kind {
	case yaml.ScalarNode:
		b.scalar(y, n, tag)
	case yaml.SequenceNode:
		n.kind = Sequence
		b.checkTag(y, tag, "!!seq")
		for _, item := range y.Content {
			child, childSize := b.value(item, nil, depth+1)
			n.items = append(n.items, child)
			n.end = max(n.end, child.end)
			if !b.grow(&own, childSize, child) {
				break
			}
		}
		b.collectionEnd(y, n, ']')
	case yaml.MappingNode:
		n.kind = Mapping
		b.checkTag(y, tag, "!!map")
		b.fields(y, n, depth, &own)
		b.collectionEnd(y, n, '}')
	}
	if a != nil {
		a.size = own
	}
	return n, own
}

// grow adds a child's size; it stops the document at the child that breaks a
// limit.
func (b *builder) grow(own *size, child size, n *node) bool {
	own.add(child)
	switch {
	case own.nodes > MaxNodes || own.text > MaxText:
		b.stop(n.start, n.end, tooMany(), "")
	case own.depth > MaxDepth:
		b.stop(n.start, n.end, tooDeep(), "")
	}
	return b.fault == nil
}

func (b *builder) alias(y *yaml.Node, n *node, depth int) size {
	n.end = n.start + 1 + len(y.Value)
	a := b.anchors[y.Alias]
	if a == nil || a.size.nodes == 0 {
		b.stop(n.start, n.end, fmt.Sprintf("the alias *%s is inside the value of its own anchor", short(y.Value)), "")
		return size{}
	}
	n.alias, n.kind = a.node, a.node.kind
	if depth+a.size.depth-1 > MaxDepth {
		b.stop(n.start, n.end, tooDeep(), "")
	}
	return a.size
}

// fields builds the entries of a mapping.
func (b *builder) fields(y *yaml.Node, n *node, depth int, own *size) {
	for i := 0; i+1 < len(y.Content); i += 2 {
		key, keySize := b.build(y.Content[i], nil, depth+1)
		value, valueSize := b.value(y.Content[i+1], key, depth+1)
		if empty := value; empty.alias == nil && empty.kind == Scalar && empty.text == "" && empty.start == empty.end &&
			empty.start > key.end && bytes.IndexByte(b.file.content[key.end:empty.start], ':') < 0 {
			// A key without a colon: the parser notices at the next token.
			value.start, value.end = key.end, key.end
		}
		f := field{key: key, value: value, merge: y.Content[i].Kind == yaml.ScalarNode && y.Content[i].Tag == "!!merge"}
		if b.fault == nil {
			b.name(&f)
		}
		n.fields = append(n.fields, f)
		n.merges = n.merges || f.merge
		n.end = max(n.end, key.end, value.end)
		if !b.grow(own, keySize, key) || !b.grow(own, valueSize, value) {
			return
		}
	}
	b.duplicates = append(b.duplicates, n.finish(b.file)...)
}

// name gives a field the name that it has in the JSON value.
func (b *builder) name(f *field) {
	key := f.key.target()
	if f.merge {
		f.name = "<<"
		for source := range f.value.mergeSources() {
			if source.kind != Mapping {
				b.stop(source.start, source.end, "`<<` merges mappings: an alias of a mapping, a mapping, or a list of these is needed", `quote the key ("<<") if it is text`)
				return
			}
		}
		return
	}
	if key.kind != Scalar {
		b.stop(f.key.start, f.key.end, "a "+key.kind.String()+" cannot be a key in JSON", "quote the key if it is text")
		return
	}
	c, number := key.class, 0.0
	if c != classString {
		_, number = classOf(key.text)
	}
	name, ok := keyName(key.text, c, number)
	if !ok {
		b.stop(f.key.start, f.key.end, fmt.Sprintf("`%s` cannot be a key in JSON", short(key.text)), "quote the key if it is text")
		return
	}
	f.name = name
}

// checkTag refuses tags on collections that mean nothing to Kubernetes.
func (b *builder) checkTag(y *yaml.Node, at [2]int, want string) {
	if tag := explicitTag(y); tag != "" && tag != want {
		b.stop(at[0], at[1], fmt.Sprintf("the tag %s has no meaning in Kubernetes", short(tag)), "remove it")
	}
}

func explicitTag(y *yaml.Node) string {
	if y.Style&yaml.TaggedStyle != 0 || y.Tag == "!" {
		return y.Tag
	}
	return ""
}

func (b *builder) scalar(y *yaml.Node, n *node, at [2]int) {
	n.kind, n.text = Scalar, y.Value
	switch {
	case y.Style&yaml.DoubleQuotedStyle != 0:
		n.style = styleDouble
	case y.Style&yaml.SingleQuotedStyle != 0:
		n.style = styleSingle
	case y.Style&yaml.LiteralStyle != 0:
		n.style = styleLiteral
	case y.Style&yaml.FoldedStyle != 0:
		n.style = styleFolded
	}
	n.end = scalarEnd(b.file.content, n)
	switch tag := explicitTag(y); tag {
	case "":
		if n.style == stylePlain && y.Tag != "!!merge" {
			n.class, _ = classOf(n.text)
		}
	case "!", "!!str", "!!merge":
	case "!!null", "!!bool", "!!int", "!!float":
		n.class, _ = classOf(n.text)
		if got := classTags[n.class]; got != tag && (tag != "!!float" || got != "!!int") {
			b.stop(at[0], at[1], fmt.Sprintf("the tag %s does not fit %q", tag, short(n.text)), "remove the tag")
		}
	default:
		b.stop(at[0], at[1], fmt.Sprintf("the tag %s has no meaning in Kubernetes", short(tag)), "remove it; quote the value if it is text")
	}
}

// value builds a node that is a value rather than a key.
func (b *builder) value(y *yaml.Node, key *node, depth int) (*node, size) {
	n, s := b.build(y, key, depth)
	if n.kind == Scalar && n.class == classNoNumber {
		b.stop(n.start, n.end, n.text+" is not a number in JSON", "quote it if it is text")
	}
	return n, s
}

// firstLine is the index of a chunk's first line in the table of YAML lines.
func (p *parser) firstLine(c chunk) int { return sort.SearchInts(p.yamlLines, c.start) }
