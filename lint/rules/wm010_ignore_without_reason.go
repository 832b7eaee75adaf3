package rules

import "github.com/workloadmap/wm/lint"

// ignoreWithoutReason reports comments that silence a rule and do not say why.
func ignoreWithoutReason() lint.Rule {
	return lint.Rule{
		ID: "WM010", Name: "ignore-without-reason", Severity: lint.Warning,
		Summary: "A comment silences a rule and does not say why.",
		CheckIgnores: func(ignores []lint.Ignore, report lint.Report) {
			for _, ignore := range ignores {
				if ignore.Valid() && ignore.First && ignore.Rule != "" && ignore.Reason == "" {
					report(ignore.Where, "nothing says why this may be ignored", "write the reason behind two dashes: `"+ignore.Rule+" -- reason`")
				}
			}
		},
	}
}
