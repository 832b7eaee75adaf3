package rules

import (
	"fmt"
	"maps"

	"github.com/workloadmap/wm/api/v1alpha1"
	"github.com/workloadmap/wm/lint"
)

// endedAndActive leaves alone matchers that are the same (WM309) and those of
// which one never decides (WM310).
func endedAndActive() lint.Rule {
	return lint.Rule{
		ID: "WM311", Name: "ended-and-active", Severity: lint.Warning,
		Summary: "A workload can be at its end and at work at the same time.",
		Check: func(d *lint.Definition, report lint.Report) {
			all := judged(d)
			for _, ended := range all {
				if ended.phase != v1alpha1.PhaseCompleted && ended.phase != v1alpha1.PhaseFailed {
					continue
				}
				for _, active := range all {
					if !isActive(active.phase) || !sameSign(ended.matcher, active.matcher) || excludes(ended.matcher, active.matcher) ||
						active.asked.includes(ended.asked) {
						continue
					}
					report(d.Mark(ended.at()), fmt.Sprintf("`%s` and `%s` can match the same workload: both look for the same phase or conditions",
						ended.phase.Key(), active.phase.Key()),
						fmt.Sprintf("make the matcher of `%s` ask for what tells the two apart", active.phase.Key()))
					break
				}
			}
		},
	}
}

func isActive(phase v1alpha1.Phase) bool {
	return phase == v1alpha1.PhaseRunning || phase == v1alpha1.PhaseInitializing || phase == v1alpha1.PhaseResuming
}

// sameSign reports whether two matchers wait for the same native phase, or for
// the same conditions.
func sameSign(a, b matcher) bool {
	if a.ByPhase != "" && a.ByPhase == b.ByPhase {
		return true
	}
	conditions := func(m matcher) map[v1alpha1.ConditionMatcher]bool {
		set := map[v1alpha1.ConditionMatcher]bool{}
		for _, c := range m.ByConditions {
			set[c] = true
		}
		return set
	}
	return len(a.ByConditions) > 0 && maps.Equal(conditions(a), conditions(b))
}
