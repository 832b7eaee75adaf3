package rules

import (
	"strings"

	"github.com/workloadmap/wm/jq"
	"github.com/workloadmap/wm/lint"
)

func trailingComment() lint.Rule {
	return lint.Rule{
		ID: "WM207", Name: "trailing-comment", Severity: lint.Warning,
		Summary: "An expression ends in a comment, which breaks tools that put it in parentheses.",
		Check: func(d *lint.Definition, report lint.Report) {
			for _, e := range d.Expressions {
				if e.Program != nil && e.Program.HasTrailingComment() {
					report(e.Node.TextRange(commentStart(e.Text), len(e.Text)), "the expression ends in a comment",
						"move the comment to a line of its own above the expression, or end the expression with a line break")
				}
			}
		},
	}
}

// commentStart finds where the comment at the end of an expression begins: at
// the first # on its last line that is not part of a string, which is the first
// one that leaves a complete expression when it is cut off.
func commentStart(text string) int {
	line := strings.LastIndexByte(text, '\n') + 1
	for at := line; at < len(text); at++ {
		if text[at] != '#' {
			continue
		}
		if program, err := jq.Compile(text[:at]); err == nil && !program.HasTrailingComment() {
			return at
		}
	}
	return 0
}
