package report

import (
	"strings"
	"unicode"

	"github.com/mattn/go-runewidth"

	"github.com/workloadmap/wm/lint"
)

// maxWidth bounds a source line in columns of the terminal; longer ones are cut
// around the mark.
const maxWidth = 120

const cut = '…'

// excerpt returns a source line and the line of marks below it. A finding over
// several lines is marked to the end of its first line; where nothing is, one
// mark shows the place.
func excerpt(line string, f lint.Finding) (text, marks string) {
	runes := []rune(line)
	start := min(max(f.Column-1, 0), len(runes))
	end := len(runes)
	if f.EndLine == f.Line {
		end = min(max(f.EndColumn-1, start), len(runes))
	}
	for i, r := range runes {
		runes[i] = harmlessRune(r)
	}
	runes, start, end = window(runes, start, end)

	var under strings.Builder
	for _, r := range runes[:start] {
		if r == '\t' {
			// The terminal decides how wide a tab is, so it must be the same one.
			under.WriteByte('\t')
			continue
		}
		under.WriteString(strings.Repeat(" ", width(r)))
	}
	marked := 0
	for _, r := range runes[start:end] {
		marked += width(r)
	}
	under.WriteString(strings.Repeat("^", max(marked, 1)))
	return noCommand(strings.TrimRightFunc(string(runes), unicode.IsSpace)), under.String()
}

// noCommand takes the meaning from a line that CI systems would obey when they
// read the log: GitHub Actions looks for :: at the start of a line, whatever
// space is before it, and for ##[ anywhere.
func noCommand(line string) string {
	if rest := strings.TrimLeftFunc(line, unicode.IsSpace); strings.HasPrefix(rest, "::") {
		line = line[:len(line)-len(rest)] + string(unicode.ReplacementChar) + rest[1:]
	}
	return strings.ReplaceAll(line, "##[", "#"+string(unicode.ReplacementChar)+"[")
}

// window cuts a long line around its marked part and returns what remains, with
// the marked part's new place.
func window(runes []rune, start, end int) ([]rune, int, int) {
	if columns(runes) <= maxWidth {
		return runes, start, end
	}
	// What is marked matters more than what follows, and a little of what comes
	// before tells where one is.
	const before = 40
	from := start
	for used := 0; from > 0 && used < before; from-- {
		used += width(runes[from-1])
	}
	to, used := from, 0
	for ; to < len(runes) && used < maxWidth-2; to++ {
		used += width(runes[to])
	}
	for ; from > 0 && used < maxWidth-2; from-- {
		used += width(runes[from-1])
	}
	shown := runes[from:to]
	start, end = start-from, min(end, to)-from
	if from > 0 {
		shown = append([]rune{cut}, shown...)
		start, end = start+1, end+1
	}
	if to < len(runes) {
		shown = append(shown[:len(shown):len(shown)], cut)
	}
	return shown, start, end
}

func columns(runes []rune) int {
	total := 0
	for _, r := range runes {
		total += width(r)
	}
	return total
}

// width counts a tab as one column: how many it takes is not known here.
// Characters of ambiguous width are narrow, whatever the locale: the output must
// not depend on the environment.
func width(r rune) int {
	if r == '\t' {
		return 1
	}
	return (&runewidth.Condition{StrictEmojiNeutral: true}).RuneWidth(r)
}

// harmless replaces what could act on a terminal or hide text from the reader:
// control characters, and marks that turn the direction of writing.
func harmless(text string) string { return strings.Map(harmlessNoTab, text) }

func harmlessNoTab(r rune) rune {
	if r == '\t' {
		return ' '
	}
	return harmlessRune(r)
}

func harmlessRune(r rune) rune {
	if r != '\t' && unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' || r == '\u2029' {
		return unicode.ReplacementChar
	}
	return r
}
