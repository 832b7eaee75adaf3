package lint

import (
	"fmt"

	"github.com/workloadmap/wm/source"
)

// mostFindings is how many findings of one rule a file can have. No person reads
// more, and a hostile file could have millions.
const mostFindings = 1000

// ruleLog takes the findings of one rule in one file.
type ruleLog struct {
	rule    Rule
	file    string
	outcome *outcome
	count   int
	last    source.Range
}

// report is a Report.
func (l *ruleLog) report(where source.Range, message, help string, edits ...source.TextEdit) {
	l.count++
	l.last = where
	if l.count <= mostFindings {
		l.outcome.findings = append(l.outcome.findings, newFinding(l.rule, l.file, where, message, help, edits))
	}
}

// close says how many findings were left out, at the last one.
func (l *ruleLog) close() {
	if more := l.count - mostFindings; more > 0 {
		message := fmt.Sprintf("the file has more than %d findings of this rule: %d are not listed, the last one is here", mostFindings, more)
		l.outcome.findings = append(l.outcome.findings, newFinding(l.rule, l.file, l.last, message, "", nil))
	}
}
