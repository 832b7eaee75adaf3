package source

import "strings"

// blockText decodes a block scalar (`|` or `>`) of which the text is known; p
// is its indicator. The map covers as much of the body as the text needs, so
// that chomping needs no rules of its own. The end is behind the last line with
// text, or behind the header when there is none.
func blockText(src []byte, p int, text string, folded, endOnly bool) (written, bool) {
	header := lineEnd(src, p)
	n, _ := lineBreak(src[header:])
	p = header + n
	w := written{end: header, endOnly: endOnly}
	indent := blockIndent(src, p, text)
	if indent < 0 {
		return w, text == ""
	}
	var pending, trailing []mark // the break of the last line, and of blank lines
	lastBlank := false
	for p < len(src) {
		column := spaces(src, p, indent)
		n, becomes := lineBreak(src[p+column:])
		if n > 0 {
			trailing = append(trailing, mark{becomes, p + column, p + column + n})
			p += column + n
			continue
		}
		p += column
		if column < indent || p == len(src) {
			break
		}
		blank := src[p] == ' ' || src[p] == '\t'
		if folded && len(pending) > 0 && pending[0].text == "\n" && !lastBlank && !blank {
			if len(trailing) == 0 {
				w.add(" ", pending[0].from, pending[0].to)
			}
		} else {
			w.addMarks(pending)
		}
		w.addMarks(trailing)
		pending, trailing, lastBlank = nil, nil, blank
		w.end = lineEnd(src, p)
		w.copy(src, p, w.end)
		n, becomes = lineBreak(src[w.end:])
		if p = w.end + n; n > 0 {
			pending = []mark{{becomes, w.end, p}}
		}
	}
	if endOnly {
		return w, true
	}
	w.addMarks(pending)
	w.addMarks(trailing)
	if string(w.text)+"\n" == text {
		w.add("\n", w.end, w.end) // the parser ends the last line of a file
	}
	if len(w.text) > len(text) {
		w.text, w.from, w.to = w.text[:len(text)], w.from[:len(text)], w.to[:len(text)]
	}
	return w, string(w.text) == text
}

// mark is a line break that is added when the next line is known.
type mark struct {
	text     string
	from, to int
}

func (w *written) addMarks(marks []mark) {
	for _, m := range marks {
		w.add(m.text, m.from, m.to)
	}
}

// blockIndent is the number of columns that belong to the indentation of a
// block scalar whose body starts at p, and -1 when the body has no text: what
// the first line that is not blank has more in the file than in the value. This
// holds with and without an indentation indicator.
func blockIndent(src []byte, p int, text string) int {
	first := strings.TrimLeft(text, "\n\u2028\u2029")
	if first == "" {
		return -1
	}
	leading := len(first) - len(strings.TrimLeft(first, " "))
	for p < len(src) {
		column := spaces(src, p, -1)
		n, _ := lineBreak(src[p+column:])
		if n == 0 || onlySpaces(first) && column > leading {
			if column <= leading {
				return -1
			}
			return column - leading
		}
		p += column + n
	}
	return -1
}

// onlySpaces reports whether the first line of a text has nothing but spaces.
func onlySpaces(text string) bool {
	line, _, _ := strings.Cut(text, "\n")
	return strings.Trim(line, " ") == ""
}

// spaces counts the spaces at p, at most limit when it is not negative.
func spaces(src []byte, p, limit int) int {
	n := 0
	for p+n < len(src) && src[p+n] == ' ' && (limit < 0 || n < limit) {
		n++
	}
	return n
}

// lineEnd is the offset of the line break that ends the line p is in.
func lineEnd(src []byte, p int) int {
	for p < len(src) {
		switch c := src[p]; {
		case c == '\n' || c == '\r':
			return p
		case c == 0xC2 || c == 0xE2:
			if n, _ := lineBreak(src[p:]); n > 0 {
				return p
			}
		}
		p++
	}
	return p
}
