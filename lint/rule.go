package lint

import (
	"strings"

	"github.com/workloadmap/wm/source"
)

// Rule finds one kind of mistake. It has one of the three check functions,
// which may be called for several files at the same time.
type Rule struct {
	// ID is permanent: never renumbered, never used again for something else.
	// WM0xx is about the file and its header, WM1xx structure, WM2xx jq and
	// paths, WM3xx status, WM4xx pods and gangs, WM5xx catalog and KAI.
	ID string
	// Name is the mistake in a few words with dashes: "owner-unknown".
	Name string
	// Severity of all findings of the rule.
	Severity Severity
	// Summary is the mistake in one sentence.
	Summary string
	// Explanation is the rule's page in Markdown, without a title: the sections
	// What it finds, Why, Wrong and Right.
	Explanation string
	// CheckFile looks at a file as a whole, also at what is no definition.
	CheckFile func(*File, Report)
	// Check looks at one definition, which may be half right: see Definition.
	Check func(*Definition, Report)
	// CheckIgnores looks at the comments of a file that silence findings, when all
	// other rules have had their say. It is called only for files that have some.
	CheckIgnores func([]Ignore, Report)
}

// Report records a finding of the rule that it was given to. The message is
// one line about what is wrong; help, what to do, may be empty. The edits, when
// there are any, certainly remove the finding: see Fix.
type Report func(where source.Range, message, help string, edits ...source.TextEdit)

// FileName is the name that the rule's files have, without extension:
// "wm101_component_name_not_unique".
func (r Rule) FileName() string {
	return strings.ToLower(r.ID) + "_" + strings.ReplaceAll(r.Name, "-", "_")
}
