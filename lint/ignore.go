package lint

import (
	"slices"
	"strings"

	"github.com/workloadmap/wm/internal/suggest"
	"github.com/workloadmap/wm/source"
)

// Ignore is what a comment says about one rule:
//
//	# wm:ignore WM203,WM204 -- reason
//	# wm:ignore-file WM203 -- reason
//
// The first silences findings that begin on its own line or, when the comment
// stands alone, on the next line that has content; a text over several lines
// counts as its first one. The second silences the whole file. Only comments of
// YAML count: a # inside a block scalar is the author's text.
type Ignore struct {
	// Directive is the word before the rules: "ignore", "ignore-file", or
	// something else that was probably meant to be one of them.
	Directive string
	// Rule is what stands in the place of a rule's id; empty when nothing does.
	Rule string
	// Where is the rule's id, or the directive when it names no rule.
	Where source.Range
	// Reason is empty when the comment gives none.
	Reason string
	// First is set for the first rule that a comment names: what is wrong with a
	// comment as a whole is said there.
	First bool
	// Known says that the rule exists, Asked that it had its say in this run.
	Known, Asked bool
	// Used says that a finding was silenced.
	Used bool
	// Nearest is the known rule or directive that was probably meant.
	Nearest string

	// from and to are the lines that it speaks about; 0 is the whole file.
	from, to int
}

// The directives.
const (
	ignoreLine = "ignore"
	ignoreFile = "ignore-file"
)

// Valid reports whether the directive is one.
func (i *Ignore) Valid() bool { return i.Directive == ignoreLine || i.Directive == ignoreFile }

// WholeFile reports whether the directive speaks about all of its file.
func (i *Ignore) WholeFile() bool { return i.Directive == ignoreFile }

// silences reports whether a finding is one that the comment speaks about. A
// file that cannot be read must never pass for one that is right, and what is
// wrong with the comments themselves is not theirs to silence.
func (i *Ignore) silences(f Finding) bool {
	if !i.Valid() || i.Rule != f.Rule || f.Rule == syntaxErrors {
		return false
	}
	return i.WholeFile() || i.from <= f.Line && f.Line <= i.to
}

// maxIgnores bounds the comments of one file that count. What more of them would
// silence is reported, which is safe.
const maxIgnores = 1000

// syntaxErrors is the rule about documents that cannot be read.
const syntaxErrors = "WM001"

// silence drops the findings that comments of the file silence, and marks the
// comments that did.
func silence(findings []Finding, ignores []Ignore) []Finding {
	return slices.DeleteFunc(findings, func(f Finding) bool {
		silenced := false
		for i := range ignores {
			if ignores[i].silences(f) {
				ignores[i].Used, silenced = true, true
			}
		}
		return silenced
	})
}

// ignoresOf reads the comments of a file.
func ignoresOf(file *source.File, documents []*source.Document, options Options) []Ignore {
	texts := textsOf(file, documents)
	ends := lastLines(texts)
	var ignores []Ignore
	// From the end, so that the next line with content is known.
	next := file.Lines() + 1
	for number := file.Lines(); number > 0 && len(ignores) < maxIgnores; number-- {
		line := file.Line(number)
		comment, ok := commentOf(file, number, line, texts)
		if bare := strings.TrimSpace(line); bare != "" && !strings.HasPrefix(bare, "#") {
			next = number
		}
		if !ok {
			continue
		}
		about := number
		if comment.alone {
			about = next
		}
		found := directive(comment)
		slices.Reverse(found)
		for _, ignore := range found {
			ignore.from, ignore.to = about, max(about, ends[about])
			ignore.know(options)
			ignores = append(ignores, ignore)
		}
	}
	slices.Reverse(ignores)
	return ignores
}

// know compares the rule of a comment with the rules that there are.
func (i *Ignore) know(options Options) {
	var ids []string
	for _, rule := range options.Rules {
		ids = append(ids, rule.ID)
	}
	i.Asked = slices.Contains(ids, i.Rule)
	ids = append(ids, options.Unasked...)
	i.Known = slices.Contains(ids, i.Rule)
	if i.Known {
		return
	}
	for _, rule := range options.Rules {
		if rule.Name == i.Rule {
			i.Nearest = rule.ID
			return
		}
	}
	slices.Sort(ids)
	i.Nearest, _ = suggest.Nearest(i.Rule, ids)
}

// directive reads a comment that starts with wm:, one Ignore for each rule.
func directive(c comment) []Ignore {
	word, rest := cutWord(c.text)
	name := strings.TrimPrefix(word, "wm:")
	place := func(start, length int) source.Range {
		return source.Range{Start: c.file.Position(c.offset + start), End: c.file.Position(c.offset + start + length)}
	}
	whole := Ignore{Directive: name, Where: place(0, len(word)), First: true}
	if !whole.Valid() {
		nearest, ok := suggest.Nearest(name, []string{ignoreLine, ignoreFile})
		if !ok {
			return nil
		}
		whole.Nearest = nearest
		return []Ignore{whole}
	}
	rules, reason := splitRules(c.text[rest:])
	whole.Reason = reason
	if len(rules) == 0 {
		return []Ignore{whole}
	}
	rules = rules[:min(len(rules), maxIgnores)]
	ignores := make([]Ignore, len(rules))
	for i, r := range rules {
		ignores[i] = whole
		ignores[i].Rule, ignores[i].Where, ignores[i].First = r.text, place(rest+r.start, len(r.text)), i == 0
	}
	return ignores
}

// cutWord returns the first word of a text and where the rest begins.
func cutWord(text string) (string, int) {
	end := strings.IndexAny(text, " \t")
	if end < 0 {
		end = len(text)
	}
	return text[:end], end
}

type placedText struct {
	text  string
	start int
}

// splitRules reads "WM203, WM204 -- reason". The dashes may be missing when the
// list of rules ends without them.
func splitRules(text string) (rules []placedText, reason string) {
	at := 0
	skip := func(characters string) bool {
		before := at
		at += len(text[at:]) - len(strings.TrimLeft(text[at:], characters))
		return at > before
	}
	for skip(" \t"); at < len(text) && !strings.HasPrefix(text[at:], "--"); {
		length := strings.IndexAny(text[at:], ", \t")
		if length < 0 {
			length = len(text) - at
		}
		rules = append(rules, placedText{text[at : at+length], at})
		at += length
		skip(" \t")
		if !skip(",") {
			break
		}
		skip(" \t")
	}
	return rules, strings.TrimSpace(strings.TrimPrefix(text[at:], "--"))
}
