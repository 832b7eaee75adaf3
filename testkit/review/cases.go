package review

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/workloadmap/wm/testkit"
)

// goldenFile is the approved view of a case. It follows from the case and the
// definition, so it does not make a case another one.
const goldenFile = "golden.yaml"

// casesDiffer reports whether a definition's cases are other ones.
func (r *reviewer) casesDiffer(p pair) bool {
	change := r.caseChange(p)
	return len(change.New)+len(change.Gone)+len(change.Rewritten) > 0
}

// caseChange compares the files of a definition's cases.
func (r *reviewer) caseChange(p pair) CaseChange {
	change := CaseChange{Failing: []FailingCase{}, New: []string{}, Gone: []string{}, Rewritten: []string{}}
	before, after := r.base.cases[p.oldName()], r.head.cases[p.name()]
	for _, name := range slices.Sorted(maps.Keys(after)) {
		old, known := before[name]
		switch {
		case !known:
			change.New = append(change.New, name)
		case !sameFiles(r.base.files, old, r.head.files, after[name]):
			change.Rewritten = append(change.Rewritten, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(before)) {
		if _, kept := after[name]; !kept {
			change.Gone = append(change.Gone, name)
		}
	}
	if !bytes.Equal(r.base.equivalents(p.oldName()), r.head.equivalents(p.name())) {
		change.Rewritten = append(change.Rewritten, testkit.EquivalentsFile)
	}
	return change
}

// equivalents is the list of mistakes that need not be caught, which is a judgement
// as an expectation is; nil when a definition's cases have none.
func (t *tree) equivalents(definition string) []byte {
	var content []byte
	seen := map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(t.cases[definition])) {
		folder := path.Dir(t.cases[definition][name])
		if seen[folder] {
			continue
		}
		seen[folder] = true
		if held, err := fs.ReadFile(t.files, path.Join(folder, testkit.EquivalentsFile)); err == nil {
			content = append(content, bytes.ReplaceAll(held, []byte("\r\n"), []byte("\n"))...)
		}
	}
	return content
}

// sameFiles reports whether two folders hold the same files, goldens left out.
func sameFiles(a fs.FS, folderA string, b fs.FS, folderB string) bool {
	held := func(files fs.FS, folder string) map[string][]byte {
		contents := map[string][]byte{}
		entries, err := fs.ReadDir(files, folder)
		if err != nil {
			return nil
		}
		for _, entry := range entries {
			switch path.Ext(entry.Name()) {
			case ".yaml", ".yml", ".json":
			default:
				continue
			}
			if content, err := fs.ReadFile(files, path.Join(folder, entry.Name())); err == nil && entry.Name() != goldenFile {
				// A checkout may write other line ends than the commit has.
				contents[entry.Name()] = bytes.ReplaceAll(content, []byte("\r\n"), []byte("\n"))
			}
		}
		return contents
	}
	return maps.EqualFunc(held(a, folderA), held(b, folderB), bytes.Equal)
}

// caseNames matches the cases of some definitions.
func caseNames(definitions []string) *regexp.Regexp {
	quoted := make([]string, len(definitions))
	for i, name := range definitions {
		quoted[i] = regexp.QuoteMeta(name)
	}
	return regexp.MustCompile("^(" + strings.Join(quoted, "|") + ")/")
}

// replay compares how the cases fare.
func (r *reviewer) replay(ctx context.Context) error {
	before, err := r.outcomes(ctx, r.base, pair.oldName)
	if err != nil {
		return fmt.Errorf("replay the cases of the base: %w", err)
	}
	after, err := r.outcomes(ctx, r.head, pair.name)
	if err != nil {
		return fmt.Errorf("replay the cases: %w", err)
	}
	for i, p := range r.reviewed {
		d := &r.report.Definitions[i]
		d.Cases = r.caseChange(p)
		passed := map[string]bool{}
		if p.base != nil {
			d.Cases.Before = count(before[p.oldName()])
			for _, outcome := range before[p.oldName()] {
				passed[path.Base(outcome.Name)] = len(outcome.Failures) == 0
			}
		}
		// The cases of a definition that is gone have to go too.
		if p.head != nil || len(after[p.name()]) > 0 {
			d.Cases.After = count(after[p.name()])
		}
		for _, outcome := range after[p.name()] {
			if len(outcome.Failures) == 0 {
				continue
			}
			failing := FailingCase{Name: path.Base(outcome.Name), Before: passed[path.Base(outcome.Name)]}
			for _, failure := range outcome.Failures {
				failing.Failures = append(failing.Failures, failure.String())
			}
			d.Cases.Failing = append(d.Cases.Failing, failing)
		}
	}
	return nil
}

func count(outcomes []testkit.Outcome) *CaseCount {
	counted := &CaseCount{}
	for _, outcome := range outcomes {
		if len(outcome.Failures) == 0 {
			counted.Passed++
		} else {
			counted.Failed++
		}
	}
	return counted
}

// outcomes replays one tree's cases on its own definitions, by definition.
func (r *reviewer) outcomes(ctx context.Context, t *tree, name func(pair) string) (map[string][]testkit.Outcome, error) {
	names := r.withCases(t, name)
	if len(names) == 0 {
		return nil, nil
	}
	options := t.options(names)
	options.Written = nil
	report, err := testkit.Replay(ctx, options)
	if err != nil {
		return nil, err
	}
	byDefinition := map[string][]testkit.Outcome{}
	for _, outcome := range report.Cases {
		byDefinition[outcome.Definition] = append(byDefinition[outcome.Definition], outcome)
	}
	return byDefinition, nil
}

// withCases are those names of the reviewed definitions that have cases in a tree.
func (r *reviewer) withCases(t *tree, name func(pair) string) []string {
	var names []string
	for _, p := range r.reviewed {
		if named := name(p); len(t.cases[named]) > 0 {
			names = append(names, named)
		}
	}
	return names
}

// measure compares what the cases exercise and prove.
func (r *reviewer) measure(ctx context.Context) error {
	for _, score := range []struct {
		measure Measure
		of      func(*Definition) **ScoreChange
	}{
		{r.options.Coverage, func(d *Definition) **ScoreChange { return &d.Coverage }},
		{r.options.Mutation, func(d *Definition) **ScoreChange { return &d.Mutation }},
	} {
		if score.measure == nil {
			continue
		}
		for i, p := range r.reviewed {
			change := &ScoreChange{}
			change.Before = r.score(ctx, score.measure, r.base, p.base, nil)
			change.After = r.score(ctx, score.measure, r.head, p.head, change)
			*score.of(&r.report.Definitions[i]) = change
		}
	}
	return ctx.Err()
}

// score measures one version; nil when it has no cases or cannot be measured,
// which is then said in said.
func (r *reviewer) score(ctx context.Context, measure Measure, t *tree, v *version, said *ScoreChange) *Score {
	if v == nil || v.fault != nil || len(t.cases[v.name]) == 0 {
		return nil
	}
	scores, err := measure(ctx, t.options([]string{v.name}))
	if score, ok := scores[v.name]; err == nil && ok {
		return &score
	}
	if err != nil && said != nil {
		said.Fault = err.Error()
	}
	return nil
}
