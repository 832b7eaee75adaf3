package source

import (
	"bytes"
	"fmt"
	"sort"
	"strings"
	"unicode/utf8"
)

// Limits of what is read. Each ends in one Error, so that a file made to
// exhaust a machine costs milliseconds.
const (
	// MaxFileSize is the largest file in bytes (16 MiB). etcd refuses objects
	// beyond 1.5 MiB; the rest is room for lists.
	MaxFileSize = 16 << 20
	// MaxDepth is how deep values may be nested, aliases unfolded.
	MaxDepth = 500
	// MaxNodes is how many values and keys a document may have, aliases unfolded.
	MaxNodes = 2_000_000
	// MaxText is how many bytes of text a document may have, aliases unfolded.
	MaxText = 64 << 20
	// MaxDocuments is how many documents a file may have.
	MaxDocuments = 10_000
)

// Parse reads a YAML or JSON stream. It returns the documents that are in
// order, and an Error for each one that is not; both in file order. An empty
// file, or one of comments only, gives neither. It never panics. The content
// must not be changed afterwards.
func Parse(name string, content []byte) ([]*Document, []*Error) {
	f := NewFile(name, content)
	if fault := f.check(); fault != nil {
		return nil, []*Error{fault}
	}
	chunks := split(f)
	if len(chunks) > MaxDocuments {
		return nil, []*Error{tooManyDocuments(f, chunks[MaxDocuments].start)}
	}
	p := &parser{file: f, yamlLines: f.yamlLines()}
	for _, c := range chunks {
		p.chunk(c)
	}
	if p.count > MaxDocuments {
		return nil, []*Error{tooManyDocuments(f, p.overflow)}
	}
	return p.documents, p.faults
}

func tooDeep() string {
	return fmt.Sprintf("values are nested too deep: at most %d levels are read", MaxDepth)
}

func tooMany() string {
	return fmt.Sprintf("too many values: with aliases unfolded there are more than %d values or %d MiB of text", MaxNodes, MaxText>>20)
}

// short cuts text of the file to what a message can hold.
func short(text string) string {
	const most = 60
	if len(text) <= most {
		return text
	}
	cut := most
	for !utf8.RuneStart(text[cut]) {
		cut--
	}
	return text[:cut] + "..."
}

func tooManyDocuments(f *File, offset int) *Error {
	return &Error{
		File: f, Range: f.span(offset, offset),
		Message: fmt.Sprintf("more than %d documents in one file", MaxDocuments),
		Help:    "split the file",
	}
}

// check refuses what is not text or too large.
func (f *File) check() *Error {
	c := f.content
	fault := func(offset int, message, help string) *Error {
		return &Error{File: f, Range: f.span(offset, offset), Message: message, Help: help}
	}
	if len(c) > MaxFileSize {
		return fault(0, fmt.Sprintf("the file is too large: %d bytes, at most %d are read", len(c), MaxFileSize), "split the file")
	}
	if bytes.HasPrefix(c, []byte("\xff\xfe")) || bytes.HasPrefix(c, []byte("\xfe\xff")) {
		return fault(0, "the file is encoded as UTF-16", "save it as UTF-8")
	}
	at := bytes.IndexByte(c, 0)
	if at < 0 && utf8.Valid(c) {
		return nil
	}
	for i := 0; i < len(c) && (at < 0 || i < at); {
		r, size := utf8.DecodeRune(c[i:])
		if r == utf8.RuneError && size == 1 {
			at = i
			break
		}
		i += size
	}
	return fault(at, fmt.Sprintf("this is not text (byte 0x%02x at offset %d)", c[at], at), "definitions and objects are YAML or JSON in UTF-8")
}

// chunk is the part of a file that holds one YAML document, or several JSON
// values, with its markers. It starts at the start of a line.
type chunk struct {
	start, end int
	body       int  // behind the `---`, or start
	bodyEnd    int  // before the line of the `...`, or end
	marked     bool // has a `---`
	directives bool // has a line like %YAML
	content    bool // has more than comments and blank lines
}

// split cuts a file at its document markers and drops documents without
// content. A line that starts with a marker is one wherever it stands, in
// quotes and block scalars too: YAML defines it so.
func split(f *File) []chunk {
	var chunks []chunk
	c := chunk{start: f.text, body: f.text}
	closeAt := func(bodyEnd, end int) {
		c.bodyEnd, c.end = bodyEnd, end
		if c.content || c.directives && !c.marked {
			chunks = append(chunks, c)
		}
		c = chunk{start: end, body: end}
	}
	for i, start := range f.lines {
		next := len(f.content)
		if i+1 < len(f.lines) {
			next = f.lines[i+1]
		}
		line := f.content[start:next]
		switch {
		case isMarker(line, "---"):
			if c.content || c.marked {
				closeAt(start, start)
			}
			c.marked, c.body = true, start+3
			c.content = !isBlank(line[3:])
		case isMarker(line, "..."):
			c.content = c.content || !isBlank(line[3:])
			closeAt(start, next)
		case isBlank(line):
		case line[0] == '%' && !c.content && !c.marked:
			c.directives = true
		default:
			c.content = true
		}
	}
	closeAt(len(f.content), len(f.content))
	return chunks
}

func isMarker(line []byte, marker string) bool {
	return bytes.HasPrefix(line, []byte(marker)) &&
		(len(line) == 3 || strings.IndexByte(" \t\r\n", line[3]) >= 0)
}

// isBlank reports whether a line holds nothing but blanks and a comment.
func isBlank(line []byte) bool {
	line = bytes.TrimLeft(line, " \t\r\n")
	return len(line) == 0 || line[0] == '#'
}

// parser collects the documents of a file.
type parser struct {
	file      *File
	yamlLines []int
	documents []*Document
	faults    []*Error
	count     int // documents seen, broken ones included
	overflow  int // offset of the first document beyond MaxDocuments
}

// claim gives the next document its index.
func (p *parser) claim(offset int) int {
	p.count++
	if p.count == MaxDocuments+1 {
		p.overflow = offset
	}
	return p.count - 1
}

func (p *parser) chunk(c chunk) {
	if !p.looksLikeJSON(c) {
		p.yaml(c)
		return
	}
	values, fault := p.json(c)
	if fault == nil {
		p.jsonDocuments(values)
		return
	}
	if fault.limit {
		p.claim(c.start)
		p.faults = append(p.faults, fault)
		return
	}
	root, yamlFault := p.yamlTree(c)
	switch {
	case yamlFault == nil:
		p.add(root, p.claim(c.start), p.yamlValue(c))
	case p.surelyJSON(c):
		p.jsonStream(c)
	default:
		p.claim(c.start)
		p.faults = append(p.faults, yamlFault)
	}
}

func (p *parser) yaml(c chunk) {
	root, fault := p.yamlTree(c)
	switch {
	case fault != nil:
		p.claim(c.start)
		p.faults = append(p.faults, fault)
	case root != nil:
		p.add(root, p.claim(c.start), p.yamlValue(c))
	}
}

// reading is what the value reader made of a document: exactly one is set,
// or neither for a null.
type reading struct {
	value any
	err   error
}

// add joins the two readings of a document.
func (p *parser) add(root *tree, index int, r reading) {
	if root == nil {
		return
	}
	value, fault := p.agree(root, r)
	if fault != nil {
		p.faults = append(p.faults, fault)
		return
	}
	sort.SliceStable(root.duplicates, func(i, j int) bool {
		return root.duplicates[i].Second.Start.Offset < root.duplicates[j].Second.Start.Offset
	})
	p.documents = append(p.documents, &Document{
		file: p.file, index: index, root: root.root, value: value, duplicates: root.duplicates,
	})
}
