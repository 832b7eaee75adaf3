package lsp

import (
	"regexp"
	"strings"

	"github.com/workloadmap/wm/jq"
	"github.com/workloadmap/wm/lint"
	"github.com/workloadmap/wm/schema/types"
)

// cursor is the name of a field that no object has: the checker is asked what
// the object is whose field is being written.
const cursor = "wm_cursor_"

var (
	// fieldBegun is a field whose name is being written.
	fieldBegun = regexp.MustCompile(`\.([A-Za-z_][A-Za-z0-9_]*)?$`)
	// fieldName are names that need no quotes behind a dot.
	fieldName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
)

// expressionItems are the fields that the object under the cursor has.
func (s *server) expressionItems(definition *lint.Definition, p place, offset int, edit makeEdit) []completionItem {
	items := []completionItem{}
	object, path, written, ok := fieldsAt(p.written, s.schemaOf(definition, onPods(below(definition, p.path))))
	if !ok {
		return items
	}
	dot := ""
	if p.written == "" {
		dot = "."
	}
	for _, name := range object.FieldNames() {
		field, exists := object.Field(name)
		if !exists || !fieldName.MatchString(name) {
			continue
		}
		help := markdown("`" + strings.TrimSuffix(path, ".") + "." + name + "`: " + fieldWords(field))
		items = append(items, completionItem{
			Label: dot + name, Kind: kindField, Detail: fieldWords(field), Documentation: &help,
			TextEdit: edit(offset-len(written), dot+name),
		})
	}
	return items
}

// fieldsAt finds the object whose field is being written at the end of an
// expression, its path, and the part of the name that is there.
func fieldsAt(before string, input types.Schema) (object types.Schema, path, written string, ok bool) {
	if input == nil {
		return nil, "", "", false
	}
	if strings.TrimSpace(before) == "" {
		return input, ".", "", true
	}
	// Beyond the bound of expressions nothing is looked for.
	found := fieldBegun.FindStringSubmatch(before)
	if found == nil || len(before) > jq.MaxExpressionBytes || inText(before) {
		return nil, "", "", false
	}
	written = found[1]
	start := len(before) - len(written)
	program, err := jq.Compile(before[:start] + cursor + closers(before))
	if err != nil {
		return nil, "", "", false
	}
	for _, read := range types.Check(program.Syntax(), input).Reads {
		if read.End == start+len(cursor) && read.Object != nil {
			return read.Object, read.Path, written, true
		}
	}
	return nil, "", "", false
}

// inText reports whether an expression ends within a text or a comment.
func inText(before string) bool {
	_, open := openBrackets(before)
	return open
}

// closers is what a half-written expression lacks at its end.
func closers(before string) string {
	open, _ := openBrackets(before)
	var text strings.Builder
	for i := len(open) - 1; i >= 0; i-- {
		switch open[i] {
		case "(":
			text.WriteString(")")
		case "[":
			text.WriteString("]")
		case "{":
			text.WriteString("}")
		case "if", "elif":
			text.WriteString(" then . end")
		case "then", "else":
			text.WriteString(" end")
		}
	}
	return text.String()
}

// openBrackets lists the brackets and conditionals that are not closed, and
// tells whether the end is within a text. What is interpolated into a text is
// taken for text.
func openBrackets(before string) (open []string, inText bool) {
	pop := func(which ...string) {
		for _, word := range which {
			if len(open) > 0 && open[len(open)-1] == word {
				open = open[:len(open)-1]
				return
			}
		}
	}
	for i := 0; i < len(before); i++ {
		c := before[i]
		switch {
		case c == '"':
			for i++; i < len(before) && before[i] != '"'; i++ {
				if before[i] == '\\' {
					i++
				}
			}
			if i >= len(before) {
				return open, true
			}
		case c == '#':
			end := strings.IndexByte(before[i:], '\n')
			if end < 0 {
				return open, true
			}
			i += end
		case c == '(' || c == '[' || c == '{':
			open = append(open, string(c))
		case c == ')':
			pop("(")
		case c == ']':
			pop("[")
		case c == '}':
			pop("{")
		case isWord(c):
			end := i
			for end < len(before) && isWord(before[end]) {
				end++
			}
			if i == 0 || before[i-1] != '.' && before[i-1] != '$' {
				open = keyword(open, before[i:end], end == len(before))
			}
			i = end - 1
		}
	}
	return open, false
}

// keyword follows a word that opens, continues or ends a conditional.
func keyword(open []string, word string, last bool) []string {
	top := len(open) - 1
	switch {
	case last:
		// It is still being written.
	case word == "if":
		return append(open, word)
	case top < 0:
	case word == "then" && (open[top] == "if" || open[top] == "elif"),
		word == "elif" && open[top] == "then",
		word == "else" && open[top] == "then":
		open[top] = word
	case word == "end" && (open[top] == "then" || open[top] == "else"):
		return open[:top]
	}
	return open
}
