package rules

import (
	"fmt"
	"strings"

	"github.com/workloadmap/wm/lint"
)

func membersSizedApart() lint.Rule {
	return lint.Rule{
		ID: "WM411", Name: "members-sized-apart", Severity: lint.Warning,
		Summary: "Several members make one gang, and the KAI scheduler sizes it by each of them alone.",
		Check: func(d *lint.Definition, report lint.Report) {
			family, ok := familyOf(d)
			if !ok {
				return
			}
			first := map[string]member{}
			for _, m := range members(d, family) {
				key := fmt.Sprint(m.group, " ") + strings.Join(m.keys, "\x00")
				earlier, shared := first[key]
				if !shared {
					first[key] = m
					continue
				}
				if earlier.component != m.component {
					report(d.Mark(m.at("componentName")),
						fmt.Sprintf("the gang of `%s` and `%s` is one, and the KAI scheduler sizes it by the member of each pod alone", earlier.name, m.name),
						memberInstead(d, commonOwner(family, earlier.component, m.component)))
				}
			}
		},
	}
}

// commonOwner is the nearest component that two are, or are below. In a hierarchy
// that nobody has written by hand it is the root.
func commonOwner(f *family, a, b int) int {
	const levels = 20
	for i := 0; a >= 0 && i < levels; i++ {
		for at, j := b, 0; at >= 0 && j < levels; j++ {
			if at == a {
				return at
			}
			at = f.owner[at]
		}
		a = f.owner[a]
	}
	return 0
}

// memberInstead is help that names the component to make the only member.
func memberInstead(d *lint.Definition, component int) string {
	return fmt.Sprintf("name `%s`, which owns them, as the only member: its size is that of everything below it", d.Components[component].Name)
}
