package source

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"
)

// written is a scalar decoded with a map back to the file: byte i of text was
// written as the bytes from[i] up to to[i].
type written struct {
	text     []byte
	from, to []int
	length   int  // bytes of text, which are not kept when endOnly
	end      int  // offset behind the scalar, quotes included
	endOnly  bool // only length and end are wanted
}

func (w *written) add(text string, from, to int) {
	w.length += len(text)
	if w.endOnly {
		return
	}
	for i := range len(text) {
		w.text = append(w.text, text[i])
		w.from = append(w.from, from)
		w.to = append(w.to, to)
	}
}

// copy adds bytes that stand in the file as they are.
func (w *written) copy(src []byte, from, to int) {
	w.length += to - from
	if w.endOnly {
		return
	}
	for i := from; i < to; i++ {
		w.text = append(w.text, src[i])
		w.from = append(w.from, i)
		w.to = append(w.to, i+1)
	}
}

// fold reads white space that contains line breaks, from p on, and adds what
// folding makes of it: one break is a space, more are one less. joined is true
// when a backslash ended the line already. It returns the offset of the next
// text.
func (w *written) fold(src []byte, p int, joined bool) int {
	first := !joined
	var firstText, rest string
	var firstAt, restAt, end int
	for p < len(src) {
		if src[p] == ' ' || src[p] == '\t' {
			p++
			continue
		}
		n, becomes := lineBreak(src[p:])
		if n == 0 {
			break
		}
		if first {
			first, firstText, firstAt = false, becomes, p
		} else {
			if rest == "" {
				restAt = p
			}
			rest += becomes
		}
		p += n
		end = p
	}
	switch {
	case firstText == "\n" && rest == "":
		w.add(" ", firstAt, end)
		return p
	case firstText != "" && firstText != "\n":
		w.add(firstText, firstAt, firstAt+len(firstText))
	}
	for i := 0; i < len(rest); {
		n := 1
		if rest[i] != '\n' {
			n = 3
		}
		w.add(rest[i:i+n], restAt, end)
		i += n
	}
	return p
}

// blanks is the length of the spaces and tabs at p, and whether a line break
// follows them.
func blanks(src []byte, p int) (n int, breaks bool) {
	for p+n < len(src) && (src[p+n] == ' ' || src[p+n] == '\t') {
		n++
	}
	length, _ := lineBreak(src[p+n:])
	return n, length > 0
}

// startsBreak reports whether a blank or a line break may start with c.
func startsBreak(c byte) bool {
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == 0xC2 || c == 0xE2
}

// white handles white space inside a plain or quoted scalar at p; it returns p
// when there is none.
func (w *written) white(src []byte, p int) int {
	if !startsBreak(src[p]) {
		return p
	}
	n, breaks := blanks(src, p)
	if breaks {
		return w.fold(src, p+n, false)
	}
	w.copy(src, p, p+n)
	return p + n
}

// plainText decodes a plain scalar of which the text is known: a plain scalar
// ends where its text ends.
func plainText(src []byte, p int, text string, endOnly bool) (written, bool) {
	w := written{end: p, endOnly: endOnly}
	for p < len(src) && w.length < len(text) {
		if next := w.white(src, p); next > p {
			p = next
			continue
		}
		_, size := utf8.DecodeRune(src[p:])
		w.copy(src, p, p+size)
		p += size
		w.end = p
	}
	return w, endOnly || string(w.text) == text
}

// singleText decodes a scalar in single quotes; p is the opening quote.
func singleText(src []byte, p int) (written, bool) {
	var w written
	for p++; p < len(src); {
		if src[p] == '\'' {
			if p+1 < len(src) && src[p+1] == '\'' {
				w.add("'", p, p+2)
				p += 2
				continue
			}
			w.end = p + 1
			return w, true
		}
		if next := w.white(src, p); next > p {
			p = next
			continue
		}
		w.copy(src, p, p+1)
		p++
	}
	return w, false
}

// doubleText decodes a scalar in double quotes; p is the opening quote. A
// string of JSON is not folded: U+2028 is no line break there.
func doubleText(src []byte, p int, json bool) (written, bool) {
	var w written
	for p++; p < len(src); {
		switch {
		case src[p] == '"':
			w.end = p + 1
			return w, true
		case src[p] == '\\':
			next := w.escape(src, p)
			if next < 0 {
				return w, false
			}
			p = next
		default:
			next := p
			if !json {
				next = w.white(src, p)
			}
			if next == p {
				w.copy(src, p, p+1)
				next++
			}
			p = next
		}
	}
	return w, false
}

var simpleEscapes = map[byte]string{
	'0': "\x00", 'a': "\a", 'b': "\b", 't': "\t", '\t': "\t", 'n': "\n", 'v': "\v", 'f': "\f",
	'r': "\r", 'e': "\x1b", ' ': " ", '"': "\"", '\'': "'", '/': "/", '\\': "\\",
	'N': "\u0085", '_': "\u00a0", 'L': "\u2028", 'P': "\u2029",
}

// escape decodes the escape at p and returns the offset behind it, -1 when it
// is none.
func (w *written) escape(src []byte, p int) int {
	if p+1 >= len(src) {
		return -1
	}
	if n, _ := lineBreak(src[p+1:]); n > 0 {
		return w.fold(src, p+1+n, true)
	}
	if text, ok := simpleEscapes[src[p+1]]; ok {
		w.add(text, p, p+2)
		return p + 2
	}
	digits := map[byte]int{'x': 2, 'u': 4, 'U': 8}[src[p+1]]
	r, ok := hex(src, p+2, digits)
	if !ok {
		return -1
	}
	end := p + 2 + digits
	if utf16.IsSurrogate(r) {
		low, paired := rune(0), false
		if bytes.HasPrefix(src[end:], []byte(`\u`)) {
			low, paired = hex(src, end+2, 4)
		}
		r = utf16.DecodeRune(r, low)
		if paired && r != utf8.RuneError {
			end += 6
		}
	}
	w.add(string(r), p, end)
	return end
}

func hex(src []byte, p, digits int) (rune, bool) {
	if digits == 0 || p+digits > len(src) {
		return 0, false
	}
	var r rune
	for _, c := range src[p : p+digits] {
		switch {
		case c >= '0' && c <= '9':
			r = r<<4 | rune(c-'0')
		case c >= 'a' && c <= 'f':
			r = r<<4 | rune(c-'a'+10)
		case c >= 'A' && c <= 'F':
			r = r<<4 | rune(c-'A'+10)
		default:
			return 0, false
		}
	}
	return r, true
}

// TextRange maps bytes [start, end) of a scalar's decoded Text to the place in
// the file where they are written, through quotes, escapes, indentation and
// folding. Ends inside a character move outwards. Behind an alias, for
// collections, and where a scalar cannot be mapped, it is Range.
func (n Node) TextRange(start, end int) Range {
	if n.Kind() != Scalar || n.use != nil {
		return n.Range()
	}
	w, ok := n.n.written(n.doc.file.content)
	if !ok || len(w.text) == 0 {
		return n.Range()
	}
	text := w.text
	start = min(max(start, 0), len(text))
	end = min(max(end, start), len(text))
	for start > 0 && start < len(text) && !utf8.RuneStart(text[start]) {
		start--
	}
	for end < len(text) && !utf8.RuneStart(text[end]) {
		end++
	}
	var from, to int
	switch {
	case start == len(text):
		from = w.to[start-1]
		to = from
	case start == end:
		from = w.from[start]
		to = from
	default:
		from, to = w.from[start], w.to[end-1]
	}
	// Line breaks that a block scalar keeps lie behind its range.
	return n.doc.file.span(min(from, n.n.end), min(to, n.n.end))
}

// written decodes a scalar again with its map; false when that does not give
// the text that the parser found.
func (n *node) written(src []byte) (written, bool) {
	var w written
	ok := false
	switch n.style {
	case stylePlain:
		w, ok = plainText(src, n.start, n.text, false)
	case styleSingle:
		w, ok = singleText(src, n.start)
	case styleDouble, styleJSON:
		w, ok = doubleText(src, n.start, n.style == styleJSON)
	case styleLiteral, styleFolded:
		w, ok = blockText(src, n.start, n.text, n.style == styleFolded, false)
	}
	return w, ok && string(w.text) == n.text
}
