package cli

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/workloadmap/wm/internal/suggest"
	"github.com/workloadmap/wm/lint"
	"github.com/workloadmap/wm/lint/rules"
)

func newExplain(world World) *cobra.Command {
	return &cobra.Command{
		Use:   "explain [RULE|FIELD]",
		Short: "Explain a rule of wm lint, or a field of the format",
		Long: "Explain a rule by its id or name, or a field of the format by its path or name.\n" +
			"Without an argument all rules are listed.",
		Example: "  wm explain WM203\n  wm explain owner-unknown\n" +
			"  wm explain spec.structureDefinition.rootComponent.scaleDefinition\n  wm explain groupByKeyPaths",
		Args: func(_ *cobra.Command, arguments []string) error {
			if len(arguments) > 1 {
				return fmt.Errorf("explain one rule or field at a time, not %d", len(arguments))
			}
			return nil
		},
		RunE: func(_ *cobra.Command, arguments []string) error {
			all := rules.All()
			if len(arguments) == 0 {
				return listRules(world.Stdout, all)
			}
			p := page{out: world.Stdout, colour: world.Colour}
			if rule, found := ruleNamed(all, arguments[0]); found {
				return p.rule(rule)
			}
			if looksLikeRule(arguments[0]) {
				return unknownRule(all, arguments[0])
			}
			return explainField(p, all, arguments[0])
		},
	}
}

func listRules(out io.Writer, all []lint.Rule) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, r := range all {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", r.ID, r.Severity, r.Name, strings.ReplaceAll(r.Summary, "`", ""))
	}
	return table.Flush()
}

func ruleNamed(all []lint.Rule, word string) (lint.Rule, bool) {
	for _, r := range all {
		if strings.EqualFold(r.ID, word) || strings.EqualFold(r.Name, word) {
			return r, true
		}
	}
	return lint.Rule{}, false
}

// looksLikeRule tells ids and names of rules from fields, which have neither
// dashes nor start with WM and a digit.
func looksLikeRule(word string) bool {
	upper := strings.ToUpper(word)
	return strings.Contains(word, "-") || strings.HasPrefix(upper, "WM") && strings.Trim(upper[2:], "0123456789O") == ""
}

func unknownRule(all []lint.Rule, word string) error {
	var words []string
	for _, r := range all {
		words = append(words, r.ID, r.Name)
	}
	if near, ok := suggest.Nearest(word, words); ok {
		return fmt.Errorf("there is no rule %q; did you mean %s?", word, near)
	}
	return fmt.Errorf("there is no rule %q; wm explain lists all", word)
}

// page writes Markdown the way a terminal shows it best.
type page struct {
	out    io.Writer
	colour bool
}

// rule writes a rule's page: its title, its summary, and the sections.
func (p page) rule(r lint.Rule) error {
	var text strings.Builder
	fmt.Fprintf(&text, "%s\n\n%s\n", p.bold(fmt.Sprintf("%s %s (%s)", r.ID, r.Name, r.Severity)), plain(r.Summary))
	inExample := false
	for line := range strings.Lines(r.Explanation) {
		line = strings.TrimRight(line, "\r\n")
		title, isTitle := strings.CutPrefix(line, "## ")
		switch {
		case strings.HasPrefix(line, "```"):
			inExample = !inExample
		case inExample && line != "":
			text.WriteString("    " + line + "\n")
		case isTitle:
			if !strings.HasSuffix(text.String(), "\n\n") {
				text.WriteString("\n")
			}
			text.WriteString(p.bold(strings.ToUpper(title)) + "\n")
		case line != "" || !strings.HasSuffix(text.String(), "\n\n"):
			text.WriteString(plain(line) + "\n")
		}
	}
	_, err := io.WriteString(p.out, strings.TrimRight(text.String(), "\n")+"\n")
	return err
}

func (p page) bold(text string) string {
	if !p.colour {
		return text
	}
	return "\x1b[1m" + text + "\x1b[0m"
}

// plain takes out the marks of code that stand for themselves in a terminal.
func plain(text string) string { return strings.ReplaceAll(text, "`", "") }
