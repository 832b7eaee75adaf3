package source

import "fmt"

// Document is one document of a stream. It is immutable and safe for
// concurrent use.
type Document struct {
	file       *File
	index      int
	root       *node
	value      any
	duplicates []Duplicate
}

// Duplicate is a key that a mapping has more than once, or a repeated `<<`.
type Duplicate struct {
	// Key is the key's name in the JSON value.
	Key string
	// First is where the key stands first; Second is the repetition, which
	// hides the first (a repeated `<<` only hides keys that both bring). A key
	// that is there three times makes two Duplicates.
	First, Second Range
}

// Unambiguous is an error when a key of the document stands twice in its
// mapping, at the first repetition. The last one would count, so half of what
// the author wrote would silently mean nothing. Nil when there is none.
func (d *Document) Unambiguous() error {
	if len(d.duplicates) == 0 {
		return nil
	}
	first := d.duplicates[0]
	message := fmt.Sprintf("`%s` is in this mapping already, at %s; keep one of them", first.Key, first.First)
	if more := len(d.duplicates) - 1; more > 0 {
		message += fmt.Sprintf(" (the document has %d more duplicate keys)", more)
	}
	return &Error{File: d.file, Range: first.Second, Message: message}
}

// File is the file the document is part of.
func (d *Document) File() *File { return d.file }

// Index is the document's number in its stream, from 0. Empty documents have
// no number, broken ones have.
func (d *Document) Index() int { return d.index }

// Range runs from the first character of the document's value to its last.
func (d *Document) Range() Range { return d.Root().Range() }

// Value is the JSON value as kubectl reads it: map[string]any, []any, string,
// bool, nil, int64 for integers, json.Number for integers between int64 and
// uint64, and float64. (A larger integer is a float64 when that holds it
// exactly; otherwise the document is refused.) Value is nil for a document that
// says null. All callers share it: it must not be changed.
func (d *Document) Value() any { return d.value }

// Root is the document's value as a Node.
func (d *Document) Root() Node {
	n := Node{doc: d, n: d.root.target()}
	if d.root.alias != nil {
		n.use = d.root
	}
	return n
}

// Find walks from the document along a path: see [Node.Find].
func (d *Document) Find(path ...any) (Node, int) { return d.Root().Find(path...) }

// Pointer walks from the document along a JSON pointer (RFC 6901): see
// [Node.Find]. The empty pointer is the document itself.
func (d *Document) Pointer(pointer string) (Node, int) { return d.Root().Lookup(pointer) }

// Duplicates are the keys that are there more than once, in file order of the
// repetition.
func (d *Document) Duplicates() []Duplicate { return d.duplicates }

// Error is a problem that stops one document, or the whole file when the file
// is not text or too large.
type Error struct {
	File  *File
	Range Range
	// Message says what is wrong, in one line.
	Message string
	// Help says what to do; often empty.
	Help string

	limit bool // one of the limits of this package is exceeded
}

// Error is "name:line:column: message".
func (e *Error) Error() string {
	return e.File.Name() + ":" + e.Range.String() + ": " + e.Message
}
