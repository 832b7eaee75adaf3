package printer

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// What is shown comes from files that anybody may have written, so that none of
// it may act as Markdown: it could hide parts of a report, or mention people.

// prose is text inside a paragraph or a table, with every character that Markdown
// knows taken literally.
func prose(text string) string {
	var shown strings.Builder
	for _, r := range Visible(cut(text), "") {
		switch {
		case r == '@':
			// A character of no width behind it keeps a name from being a mention.
			shown.WriteString("@\u200b")
			continue
		case strings.ContainsRune("\\`*_{}[]<>#|~!&$", r):
			shown.WriteByte('\\')
		}
		shown.WriteRune(r)
	}
	return shown.String()
}

// mostText bounds a single value, in characters.
const mostText = 400

// cut is the beginning of a text in one line.
func cut(text string) string {
	const longer = 16 * mostText // bytes in which there mostly are so many characters
	long := len(text) > longer
	if long {
		text = strings.ToValidUTF8(text[:longer], "")
	}
	text = strings.Join(strings.Fields(text), " ")
	if utf8.RuneCountInString(text) > mostText {
		long = true
		text = string([]rune(text)[:mostText])
	}
	if long {
		text += "…"
	}
	return text
}

// code is text in a code span.
func code(text string) string {
	text = Visible(cut(text), "")
	if text == "" {
		return "–"
	}
	fence := fenceFor(text, 1)
	if strings.HasPrefix(text, "`") || strings.HasSuffix(text, "`") {
		text = " " + text + " "
	}
	return fence + text + fence
}

// fenceFor is a run of backticks, at least so many, that the text does not hold.
func fenceFor(text string, least int) string {
	longest, run := 0, 0
	for _, r := range text {
		if r != '`' {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return strings.Repeat("`", max(least, longest+1))
}

// cell is a value in a table, which is cut into cells before code spans are looked
// for; a dash where there is none.
func cell(text string) string { return strings.ReplaceAll(code(text), "|", "\\|") }

func codes(texts []string) string {
	shown := make([]string, 0, len(texts))
	for i, text := range texts {
		if i == mostListed {
			return strings.Join(shown, ", ") + fmt.Sprintf(" and %d more", len(texts)-mostListed)
		}
		shown = append(shown, code(text))
	}
	return strings.Join(shown, ", ")
}

// bullets is a list, of which the end is counted when it is long.
func bullets[T any](items []T, show func(T) string) string {
	var text strings.Builder
	for i, item := range items {
		if i == mostListed {
			fmt.Fprintf(&text, "- and %d more\n", len(items)-mostListed)
			break
		}
		text.WriteString("- " + show(item) + "\n")
	}
	return text.String()
}

// excerpts are two texts cut to where they differ: long expressions mostly
// differ in a word.
func excerpts(before, after string) (string, string) {
	const context, short = 40, 120
	a, b := []rune(strings.Join(strings.Fields(before), " ")), []rune(strings.Join(strings.Fields(after), " "))
	if len(a) == 0 || len(b) == 0 || max(len(a), len(b)) <= short {
		return string(a), string(b)
	}
	same := 0
	for same < min(len(a), len(b)) && a[same] == b[same] {
		same++
	}
	tail := 0
	for tail < min(len(a), len(b))-same && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	start, end := max(0, same-context), max(0, tail-context)
	part := func(text []rune) string {
		shown := string(text[start : len(text)-end])
		if start > 0 {
			shown = "…" + shown
		}
		if end > 0 {
			shown += "…"
		}
		return shown
	}
	return part(a), part(b)
}
