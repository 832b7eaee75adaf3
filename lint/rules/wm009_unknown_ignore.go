package rules

import (
	"fmt"

	"github.com/workloadmap/wm/lint"
)

// unknownIgnore reports comments that look like ones that silence a rule and
// are not.
func unknownIgnore() lint.Rule {
	return lint.Rule{
		ID: "WM009", Name: "unknown-ignore", Severity: lint.Error,
		Summary: "A comment that should silence a rule names none that exists.",
		CheckIgnores: func(ignores []lint.Ignore, report lint.Report) {
			for _, ignore := range ignores {
				switch {
				case !ignore.Valid():
					report(ignore.Where, fmt.Sprintf("`wm:%s` is not known", ignore.Directive), meant("wm:"+ignore.Nearest))
				case ignore.Rule == "":
					report(ignore.Where, "the rule that should be ignored is missing", "name it by its id: `# wm:"+ignore.Directive+" WM203 -- reason`")
				case !ignore.Known:
					help := "rules are named by their id, as in WM203"
					if ignore.Nearest != "" {
						help = meant(ignore.Nearest)
					}
					report(ignore.Where, fmt.Sprintf("there is no rule `%s`", ignore.Rule), help)
				}
			}
		},
	}
}

func meant(word string) string { return "did you mean `" + word + "`?" }
