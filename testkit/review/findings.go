package review

import (
	"context"
	"fmt"

	"github.com/workloadmap/wm/lint"
)

// lint compares the findings of the files with reviewed definitions.
func (r *reviewer) lint(ctx context.Context) error {
	if len(r.options.Rules) == 0 {
		return nil
	}
	var old, now []*version
	for _, p := range r.reviewed {
		if p.base != nil {
			old = append(old, p.base)
		}
		if p.head != nil {
			now = append(now, p.head)
		}
	}
	before, err := r.findings(ctx, r.base, old)
	if err != nil {
		return err
	}
	after, err := r.findings(ctx, r.head, now)
	if err != nil {
		return err
	}
	for i, p := range r.reviewed {
		change := &r.report.Definitions[i].Lint
		change.New = append(change.New, without(after[p.head], before[p.base])...)
		change.Gone = append(change.Gone, without(before[p.base], after[p.head])...)
	}
	return nil
}

// findings are those of some definitions. A finding belongs to the last
// definition of its file that does not begin after it, so that what stands in
// the comment above the first one counts too.
func (r *reviewer) findings(ctx context.Context, t *tree, versions []*version) (map[*version][]lint.Finding, error) {
	found := map[*version][]lint.Finding{}
	if len(versions) == 0 {
		return found, nil
	}
	var files []string
	seen := map[string]bool{}
	for _, v := range versions {
		if !seen[v.file] {
			seen[v.file] = true
			files = append(files, v.file)
		}
	}
	result, err := lint.Run(ctx, lint.Options{Files: t.files, Paths: files, Rules: r.options.Rules, Schemas: r.options.Schemas})
	if err != nil {
		return nil, fmt.Errorf("lint %s: %w", files, err)
	}
	for _, finding := range result.Findings {
		if owner := t.ownerOf(finding); owner != nil {
			found[owner] = append(found[owner], finding)
		}
	}
	return found, nil
}

func (t *tree) ownerOf(finding lint.Finding) *version {
	var owner *version
	for _, v := range t.versions {
		if v.file != finding.File {
			continue
		}
		start := v.document.Range().Start.Line
		begun := start <= finding.Line
		switch {
		case owner == nil:
			owner = v
		case begun && (owner.document.Range().Start.Line < start || owner.document.Range().Start.Line > finding.Line):
			owner = v
		case !begun && owner.document.Range().Start.Line > start:
			owner = v
		}
	}
	return owner
}

// without are the findings of one list that the other does not have. Lines move
// with every edit, so a finding is the same when it says the same.
func without(findings, others []lint.Finding) []lint.Finding {
	type saying struct{ rule, message string }
	left := map[saying]int{}
	for _, other := range others {
		left[saying{other.Rule, other.Message}]++
	}
	var kept []lint.Finding
	for _, finding := range findings {
		key := saying{finding.Rule, finding.Message}
		if left[key]--; left[key] < 0 {
			kept = append(kept, finding)
		}
	}
	return kept
}
