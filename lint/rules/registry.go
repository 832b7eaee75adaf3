// Package rules holds the rules of wm lint, one file each, and beside each its
// explanation, a Markdown page whose examples are the rule's tests.
//
// To add a rule: make new-rule ID=WM299 NAME=what-it-finds writes wmNNN_name.go with
// a function that returns the rule, wmNNN_name.md with the sections What it
// finds, Why, Wrong and Right, and a case in testdata/WMNNN. Fill them in: the
// examples are tests, and fail until the rule finds what they say. Then run
// "make generate", which lists the rule.
package rules

import (
	"embed"
	"fmt"

	"github.com/workloadmap/wm/lint"
)

//go:embed wm*.md
var pages embed.FS

// All returns the rules, sorted by id.
func All() []lint.Rule {
	rules := registered()
	for i := range rules {
		rules[i].Explanation = explanation(rules[i])
	}
	return rules
}

func explanation(rule lint.Rule) string {
	name := rule.FileName() + ".md"
	page, err := pages.ReadFile(name)
	if err != nil {
		// The page is part of the program, and a test reads every one.
		panic(fmt.Errorf("read the explanation of %s: %w", rule.ID, err))
	}
	return string(page)
}
