package lint

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"github.com/workloadmap/wm/source"
)

// Fix is the change to a file that certainly removes a finding and means what
// the author meant. It is the same for programs and people: there is nothing to
// decide.
type Fix struct {
	// Edits belong together; their ranges are those of the file that was checked,
	// they do not overlap, and there is at least one.
	Edits []source.TextEdit
}

// Fixed is a file that has been repaired.
type Fixed struct {
	// Name is the file's name as in Finding.File.
	Name string
	// Before and After are the whole content; they differ.
	Before, After []byte
	// Changes is how many findings have been repaired, at least one.
	Changes int
}

// mostRounds bounds how often a file is repaired and checked again. What a
// repair brings to light can have one of its own: a misspelt field hides all that
// is below it. That goes as deep as the format, and not on for ever.
const mostRounds = 20

// mostFixes bounds the fixes of one round, as each is compared with all others.
const mostFixes = 1000

// Repair applies the fixes of a result's findings, and those of findings that
// come to light by that, until there are none. Nothing is written: the files are
// returned, sorted by name, and the result is what a run over them would say.
// A change after which a file cannot be read any more, or after which its finding
// is still there, is not made.
//
// The options are those of the run. The error is that of the context.
func (r *Result) Repair(ctx context.Context, options Options) ([]Fixed, error) {
	var names []string
	for _, f := range r.Findings {
		if f.Fix != nil && (len(names) == 0 || names[len(names)-1] != f.File) {
			names = append(names, f.File)
		}
	}
	run := newRun(options)
	var all []Fixed
	for _, name := range names {
		if err := ctx.Err(); err != nil {
			return all, fmt.Errorf("repair stopped: %w", err)
		}
		before := r.sources[name].content
		in := inputFile{name: name, named: slices.Contains(options.Paths, name)}
		repaired := repair(options, in, before, run)
		if repaired.changes == 0 {
			continue
		}
		all = append(all, Fixed{Name: name, Before: before, After: repaired.content, Changes: repaired.changes})
		r.replace(name, repaired)
	}
	return all, nil
}

// replace makes what is known of a file what is known of it after the repair.
func (r *Result) replace(name string, to repaired) {
	r.Findings = slices.DeleteFunc(r.Findings, func(f Finding) bool { return f.File == name })
	r.Findings = sorted(append(r.Findings, to.last.findings...))
	r.Definitions += to.last.definitions - to.first.definitions
	r.Ignored += to.last.ignored - to.first.ignored
	delete(r.sources, name)
	if to.last.kept != nil {
		r.sources[name] = to.last.kept
	}
}

type repaired struct {
	content     []byte
	changes     int
	first, last outcome
}

func repair(options Options, in inputFile, content []byte, run *run) repaired {
	result := repaired{content: content, first: checkContent(options, in, content, run)}
	result.last = result.first
	for range mostRounds {
		fixes := applicable(result.last.findings)
		if len(fixes) == 0 {
			break
		}
		var edits []source.TextEdit
		for _, f := range fixes {
			edits = append(edits, f.Fix.Edits...)
		}
		changed, err := source.NewFile(in.name, result.content).Apply(edits)
		if err != nil || bytes.Equal(changed, result.content) {
			break
		}
		next := checkContent(options, in, changed, run)
		if next.err != nil || next.faults > result.last.faults || remains(fixes, result.last.findings, next.findings) {
			break
		}
		result.content, result.last = changed, next
		result.changes += len(fixes)
	}
	return result
}

// applicable chooses findings whose fixes can be made at once: of fixes that
// touch the same characters the first, the others come in the next round.
func applicable(findings []Finding) []Finding {
	var chosen []Finding
	var taken []source.Range
	for _, f := range sorted(slices.Clone(findings)) {
		if f.Fix == nil || slices.ContainsFunc(f.Fix.Edits, func(e source.TextEdit) bool { return touches(e.Range, taken) }) {
			continue
		}
		for _, e := range f.Fix.Edits {
			taken = append(taken, e.Range)
		}
		if chosen = append(chosen, f); len(chosen) == mostFixes {
			break
		}
	}
	return chosen
}

// touches reports whether a range has characters, or an end, in common with others.
func touches(r source.Range, others []source.Range) bool {
	return slices.ContainsFunc(others, func(o source.Range) bool {
		return r.Start.Offset <= o.End.Offset && o.Start.Offset <= r.End.Offset
	})
}

// remains reports whether some finding that was to be removed is still there.
func remains(fixed, before, after []Finding) bool {
	counts := func(findings []Finding) map[[2]string]int {
		n := map[[2]string]int{}
		for _, f := range findings {
			if f.Fix != nil {
				n[[2]string{f.Rule, f.Message}]++
			}
		}
		return n
	}
	were, are := counts(before), counts(after)
	return slices.ContainsFunc(fixed, func(f Finding) bool {
		key := [2]string{f.Rule, f.Message}
		return are[key] >= were[key]
	})
}
