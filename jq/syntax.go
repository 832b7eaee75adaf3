package jq

import (
	"sync"

	"github.com/itchyny/gojq"
)

// NodeKind is the kind of a [Node].
type NodeKind int

// The kinds of nodes. What stands in Args is written beside each; "?" may be nil.
const (
	_            NodeKind = iota
	NodeIdentity          // .
	NodeLiteral           // Value: nil, bool, float64 or string
	NodeField             // target, Name: .name, ."name", ["name"]
	NodeIndex             // target, index; the index is evaluated on the input of the whole term
	NodeSlice             // target, from?, to?
	NodeIterate           // target
	NodeTry               // body, handler?; also body?
	NodePipe              // left, right
	NodeComma             // left, right
	NodeBinary            // left, right; Name is the operator: // + - * / % == != < <= > >= and or
	NodeNegate            // operand
	NodeIf                // condition, then, else?; elif is an if in the else
	NodeReduce            // source, start, update; Patterns
	NodeForeach           // source, start, update, extract?; Patterns
	NodeBind              // source, body; Patterns: source as $x | body
	NodeDef               // body of the function, rest; Name, Parameters
	NodeCall              // arguments; Name
	NodeVariable          // Name with its $
	NodeString            // the parts of an interpolated string; Name is its format or empty
	NodeFormat            // Name: @base64
	NodeObject            // Entries
	NodeArray             // elements?
	NodeLabel             // body; Name
	NodeBreak             // Name
	NodeRecurse           // ..; no compiled program has it
)

// Node is one construct of an expression. Parentheses have no node of their
// own. Nodes must not be changed.
type Node struct {
	Kind NodeKind
	// Start and End are the construct's byte offsets in the expression.
	Start, End int
	// MarkStart and MarkEnd are the characters that are the construct itself,
	// without its operands: ".name" of a field, the operator, the function's
	// name. Where that is not one piece they are Start and End.
	MarkStart, MarkEnd int
	// Name, Value, Args and the rest have the meaning that the kind gives them.
	Name       string
	Value      any
	Args       []*Node
	Parameters []string
	Patterns   []*Pattern
	Entries    []KeyValue
	// Optional is a "?" after one step of a path (NodeField, NodeIndex,
	// NodeSlice, NodeIterate): errors of that step, not of what is before it,
	// give nothing.
	Optional bool
}

// KeyValue is one entry of an object construction. Key is never nil; a nil Value
// stands for the field of the input, or for the variable, that the key names.
type KeyValue struct{ Key, Value *Node }

// Pattern is what "as" takes apart a value with: exactly one of its parts is set.
type Pattern struct {
	// Variable has its $.
	Variable string
	Array    []*Pattern
	Object   []PatternEntry
}

// PatternEntry reads one field of an object. Variable, with its $, is set in
// {$name} and {$name: pattern}; Value may be nil.
type PatternEntry struct {
	Variable string
	Key      *Node
	Value    *Pattern
}

// Syntax is the expression's syntax tree. It is made when first asked for and
// the same one each time.
func (p *Program) Syntax() *Node {
	p.syntax.once.Do(func() { p.syntax.root = syntaxOf(p.source) })
	return p.syntax.root
}

// syntaxTree holds the tree of a program.
type syntaxTree struct {
	once sync.Once
	root *Node
}

// syntaxOf parses anew: the engine changes its tree while it compiles.
func syntaxOf(source string) *Node {
	q, err := gojq.Parse(source)
	if err != nil {
		// The text has been compiled before.
		return &Node{Kind: NodeRecurse, End: len(source), MarkEnd: len(source)}
	}
	b := &syntaxBuilder{text: lex(source)}
	root := b.query(q)
	if b.at != len(b.text.tokens) {
		b.lost = true
	}
	if b.lost {
		mark(root, len(source))
	}
	return root
}

// mark gives every node the whole expression as its place: no place is better
// than a wrong one.
func mark(n *Node, end int) {
	if n == nil {
		return
	}
	n.Start, n.End, n.MarkStart, n.MarkEnd = 0, end, 0, end
	for _, argument := range n.Args {
		mark(argument, end)
	}
	for _, entry := range n.Entries {
		mark(entry.Key, end)
		mark(entry.Value, end)
	}
	for _, pattern := range n.Patterns {
		markPattern(pattern, end)
	}
}

func markPattern(p *Pattern, end int) {
	if p == nil {
		return
	}
	for _, element := range p.Array {
		markPattern(element, end)
	}
	for _, entry := range p.Object {
		mark(entry.Key, end)
		markPattern(entry.Value, end)
	}
}
