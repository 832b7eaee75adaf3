package source

import (
	"bytes"
	"strings"

	"go.yaml.in/yaml/v4"
)

// skipProperties moves a node's start behind its own anchor and tag, where the
// parser does not point. It returns where the tag is, a zero-width place when
// there is none.
func (b *builder) skipProperties(y *yaml.Node, n *node) (tag [2]int) {
	src := b.file.content
	anchored, tagged := y.Anchor != "", explicitTag(y) != ""
	const written = yaml.SingleQuotedStyle | yaml.DoubleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle
	empty := y.Kind == yaml.ScalarNode && y.Value == "" && y.Style&written == 0
	p := n.start
	tag = [2]int{p, p}
	for p < b.chunk.end {
		if src[p] == '&' && anchored {
			anchored = false
			p += 1 + len(y.Anchor)
		} else if src[p] == '!' && tagged {
			tagged = false
			tag[0], tag[1] = p, tagEnd(src, p)
			p = tag[1]
		} else {
			break
		}
		n.start, n.end = p, p
		if empty && !anchored && !tagged {
			return tag // what follows is not this value
		}
		p = skipWhite(src, p)
		n.start, n.end = p, p
	}
	return tag
}

func tagEnd(src []byte, p int) int {
	if bytes.HasPrefix(src[p:], []byte("!<")) {
		if end := bytes.IndexByte(src[p:], '>'); end > 0 {
			return p + end + 1
		}
	}
	for p < len(src) && strings.IndexByte(" \t\r\n,[]{}", src[p]) < 0 {
		p++
	}
	return p
}

// skipWhite skips blanks, line breaks and comments.
func skipWhite(src []byte, p int) int {
	for p < len(src) {
		switch c := src[p]; {
		case c == ' ' || c == '\t':
			p++
		case c == '#' && p > 0 && strings.IndexByte(" \t\r\n", src[p-1]) >= 0:
			p = lineEnd(src, p)
		default:
			n, _ := lineBreak(src[p:])
			if n == 0 {
				return p
			}
			p += n
		}
	}
	return p
}

// collectionEnd puts the end of a flow collection behind its bracket. Block
// collections have the end of their last value already.
func (b *builder) collectionEnd(y *yaml.Node, n *node, bracket byte) {
	n.style = styleBlock
	if y.Style&yaml.FlowStyle == 0 {
		return
	}
	n.style = styleFlow
	src := b.file.content
	opening := bracket - 2 // in ASCII, for [] and {} alike
	if n.start >= len(src) || src[n.start] != opening {
		return // the pair in [a: b] is a mapping without brackets
	}
	p := max(n.end, n.start+1)
	for p < b.chunk.end {
		p = skipWhite(src, p)
		if p == b.chunk.end {
			return
		}
		switch src[p] {
		case bracket:
			n.end = p + 1
			return
		case ',':
			p++
		default:
			return
		}
	}
}

// scalarEnd is the offset behind a scalar that starts at n.start.
func scalarEnd(src []byte, n *node) int {
	switch n.style {
	case styleSingle:
		p := n.start + 1
		for {
			i := bytes.IndexByte(src[min(p, len(src)):], '\'')
			if i < 0 {
				return len(src)
			}
			p += i + 1
			if p >= len(src) || src[p] != '\'' {
				return p
			}
			p++
		}
	case styleDouble:
		for p := n.start + 1; p < len(src); p++ {
			switch src[p] {
			case '\\':
				p++
			case '"':
				return p + 1
			}
		}
		return len(src)
	case styleLiteral, styleFolded:
		w, _ := blockText(src, n.start, n.text, false, true)
		return w.end
	}
	if bytes.HasPrefix(src[n.start:], []byte(n.text)) {
		return n.start + len(n.text)
	}
	w, _ := plainText(src, n.start, n.text, true)
	return w.end
}
