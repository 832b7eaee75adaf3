package resolver

import (
	"strings"

	"github.com/workloadmap/wm/jq"
)

// sameKey reports whether two expressions read the same thing of a pod; a
// default behind // makes no difference.
func sameKey(a, b *expression) bool {
	return a != nil && b != nil && a.reads == b.reads
}

// readsOf names what an expression reads, whatever its spelling and its default.
func readsOf(program *jq.Program) string {
	text := program.String()
	path, plain := program.Path()
	if !plain {
		text = withoutDefault(text)
		if inner, err := jq.Compile(text); err == nil {
			path, plain = inner.Path()
		}
	}
	if !plain {
		return strings.Join(strings.Fields(text), " ")
	}
	for i := range path {
		path[i].Optional = false
	}
	return path.String()
}

// withoutDefault cuts "// something" off the end of an expression.
func withoutDefault(expression string) string {
	path, _, _ := cutDefault(expression)
	return path
}

// cutDefault splits an expression at the "//" before its default. What goes on
// after a default is no default: then nothing is cut.
func cutDefault(expression string) (path, fallback string, found bool) {
	text := strings.TrimSpace(expression)
	for strings.HasPrefix(text, "(") && closes(text) == len(text)-1 {
		text = strings.TrimSpace(text[1 : len(text)-1])
	}
	cut := -1
	for i, c := range topLevel(text) {
		switch {
		case c == '/' && cut < 0 && strings.HasPrefix(text[i:], "//"):
			cut = i
		case cut >= 0 && (c == '|' || c == ','):
			return expression, "", false
		}
	}
	if cut < 0 {
		return text, "", false
	}
	return strings.TrimSpace(text[:cut]), strings.TrimSpace(text[cut+2:]), true
}

// closes is the position of the parenthesis that closes the first one; -1 when none does.
func closes(text string) int {
	opened := false
	for i, c := range topLevel(text) {
		if c == ')' && opened {
			return i
		}
		opened = opened || c == '('
	}
	return -1
}

// topLevel gives the bytes of an expression that are in no string and in no
// brackets, the brackets themselves included.
func topLevel(text string) func(yield func(int, byte) bool) {
	return func(yield func(int, byte) bool) {
		depth, quoted := 0, false
		for i := 0; i < len(text); i++ {
			c := text[i]
			switch {
			case quoted:
				if c == '\\' {
					i++
				}
				quoted = c != '"'
				continue
			case c == '"':
				quoted = true
				continue
			case strings.IndexByte("([{", c) >= 0:
				depth++
				if depth > 1 {
					continue
				}
			case strings.IndexByte(")]}", c) >= 0:
				depth--
				if depth > 0 {
					continue
				}
			case depth > 0:
				continue
			}
			if !yield(i, c) {
				return
			}
		}
	}
}
