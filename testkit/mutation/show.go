package mutation

import (
	"fmt"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/workloadmap/wm/source"
)

// rewrite replaces a part of an expression.
func (o *original) rewrite(operator string, x *expression, start, end int, replacement, meaning string) candidate {
	c := candidate{operator: operator, field: label(x.Component, x.Field), meaning: meaning}
	text := x.Text[:start] + replacement + x.Text[end:]
	for _, twin := range o.twinsOf(x.Path) {
		c.edits = append(c.edits, edit{path: twin, value: text})
	}
	c.shown = o.showText(x.node, start, end, replacement)
	return c
}

// replace gives a scalar another text.
func (o *original) replace(operator, component, field string, path []any, text, meaning string) candidate {
	c := candidate{operator: operator, field: label(component, field), meaning: meaning}
	for _, twin := range o.twinsOf(path) {
		c.edits = append(c.edits, edit{path: twin, value: text})
	}
	node, _ := o.document.Find(path...)
	c.shown = o.showText(node, 0, len(node.Text()), text)
	return c
}

// drop removes a field or an item of a list, and what repeats it by an alias.
func (o *original) drop(operator, component, field string, path []any, meaning string) candidate {
	c := candidate{operator: operator, field: label(component, field), meaning: meaning}
	parent, last := path[:len(path)-1], path[len(path)-1]
	for _, twin := range o.twinsOf(parent) {
		c.edits = append(c.edits, edit{path: append(slices.Clone(twin), last), remove: true})
	}
	node, _ := o.document.Find(path...)
	c.shown = o.showDrop(node, last)
	return c
}

// showText shows the lines of a scalar of which a part is replaced.
func (o *original) showText(node source.Node, start, end int, replacement string) change {
	if anchor, ok := node.Anchor(); ok {
		node = anchor
	}
	content := o.document.File().Content()
	at := node.TextRange(start, end)
	raw := string(content[at.Start.Offset:at.End.Offset])
	if node.Quoted() && start == 0 && end == len(node.Text()) {
		// The quotes stay.
		if inner := node.TextRange(0, end); string(content[inner.Start.Offset:inner.End.Offset]) == node.Text() {
			at = inner
			raw = node.Text()
		}
	}
	if !sameWords(raw, node.Text()[start:end]) || !fits(node, content, replacement) {
		return o.showRewritten(node, node.Text()[:start]+replacement+node.Text()[end:])
	}
	from, to := lineStart(content, at.Start.Offset), lineEnd(content, at.End.Offset)
	return change{
		place:  at.Start,
		before: trimRight(string(content[from:to])),
		after:  trimRight(string(content[from:at.Start.Offset]) + replacement + string(content[at.End.Offset:to])),
	}
}

// showRewritten shows a scalar that has to be written in another style.
func (o *original) showRewritten(node source.Node, text string) change {
	content := o.document.File().Content()
	at := node.Range()
	from, to := lineStart(content, at.Start.Offset), lineEnd(content, at.End.Offset)
	head, tail := string(content[from:at.Start.Offset]), string(content[at.End.Offset:to])
	before := trimRight(string(content[from:to]))
	if !strings.Contains(text, "\n") {
		return change{place: at.Start, before: before, after: trimRight(head + "'" + strings.ReplaceAll(text, "'", "''") + "'" + tail)}
	}
	inner := strings.Repeat(" ", len(head)-len(strings.TrimLeft(head, " -"))+2)
	after := head + "|-"
	for line := range strings.Lines(text) {
		after += "\n" + inner + trimRight(line)
	}
	return change{place: at.Start, before: before, after: after}
}

// fits tells whether a text can be put into a scalar as it is.
func fits(node source.Node, content []byte, text string) bool {
	switch {
	case node.Block():
		return true
	case node.Plain():
		return !strings.Contains(text, ": ") && !strings.ContainsAny(text, "#\n")
	case content[node.Range().Start.Offset] == '\'':
		return !strings.ContainsAny(text, "'\n")
	}
	return !strings.ContainsAny(text, "\"\\\n")
}

// sameWords compares texts without their white space: the lines of a block
// scalar are indented in the file.
func sameWords(a, b string) bool {
	return slices.Equal(strings.Fields(a), strings.Fields(b))
}

// showDrop shows the lines of a value that goes, with its key or its dash.
func (o *original) showDrop(node source.Node, last any) change {
	content := o.document.File().Content()
	at := node.Range()
	start := at.Start
	if _, isKey := last.(string); isKey {
		start = node.KeyRange().Start
	}
	from, to := lineStart(content, start.Offset), lineEnd(content, at.End.Offset)
	before := trimRight(string(content[from:to]))
	lead := strings.TrimLeft(string(content[from:start.Offset]), " -")
	rest := strings.TrimSpace(string(content[at.End.Offset:to]))
	if lead == "" && (rest == "" || strings.HasPrefix(rest, "#")) {
		return change{place: start, before: before}
	}
	// Others stand on the same line: only the piece is cut out.
	head := strings.TrimRight(string(content[from:start.Offset]), " ")
	tail := string(content[at.End.Offset:to])
	if strings.HasPrefix(strings.TrimLeft(tail, " "), ",") {
		tail = strings.TrimLeft(strings.TrimLeft(tail, " ")[1:], " ")
	} else {
		head = strings.TrimSuffix(head, ",")
	}
	return change{place: start, before: before, after: trimRight(head + tail)}
}

// showMoved shows values as YAML below the names of the fields that hold them.
func (o *original) showMoved(path []any, value any, from, to string) change {
	node, _ := o.document.Find(path...)
	under := func(key string) string {
		content, err := yaml.Marshal(map[string]any{key: []any{value}})
		if err != nil {
			return fmt.Sprintf("%s: %v", key, value)
		}
		return strings.TrimRight(string(content), "\n")
	}
	return change{place: node.Range().Start, before: under(from), after: under(to)}
}

func lineStart(content []byte, offset int) int {
	for offset > 0 && content[offset-1] != '\n' && content[offset-1] != '\r' {
		offset--
	}
	return offset
}

func lineEnd(content []byte, offset int) int {
	for offset < len(content) && content[offset] != '\n' && content[offset] != '\r' {
		offset++
	}
	return offset
}

func trimRight(text string) string { return strings.TrimRight(text, " \t\r\n") }
