package rules

import (
	"fmt"
	"strings"

	"github.com/workloadmap/wm/api/v1alpha1"
	"github.com/workloadmap/wm/lint"
	"github.com/workloadmap/wm/source"
)

// kaiLabelsMissing is an info: a Karta without these labels is right for all
// other readers, and most that are published have none.
func kaiLabelsMissing() lint.Rule {
	return lint.Rule{
		ID: "WM510", Name: "kai-labels-missing", Severity: lint.Info,
		Summary: "The labels by which KAI looks a Karta up are missing, or say another kind.",
		Check: func(d *lint.Definition, report lint.Report) {
			dialect, _ := v1alpha1.DialectOf(d.Node([]any{"apiVersion"}).Text(), d.Node([]any{"kind"}).Text())
			kind := d.Map.Spec.StructureDefinition.RootComponent.Kind
			if dialect.Name != v1alpha1.DialectKarta || kind == nil || !isReadable(d) || kind.Version == "" || kind.Kind == "" {
				return
			}
			wanted := []lint.Entry{
				{Name: v1alpha1.LabelKartaGroup, Text: kind.Group},
				{Name: v1alpha1.LabelKartaVersion, Text: kind.Version},
				{Name: v1alpha1.LabelKartaKind, Text: kind.Kind},
			}
			reportLabels(d, wanted, report)
		},
	}
}

func reportLabels(d *lint.Definition, wanted []lint.Entry, report lint.Report) {
	labels := []any{"metadata", "labels"}
	var missing []lint.Entry
	for _, l := range wanted {
		at := []any{"metadata", "labels", l.Name}
		held := d.Node(at)
		switch {
		case d.Lacks(at):
			missing = append(missing, l)
		case held.Tag() == "!!str" && held.Text() != l.Text:
			report(d.Mark(at), fmt.Sprintf("KAI does not find this definition for its root kind: the label is `%s`, not `%s`", held.Text(), l.Text),
				"write "+fmt.Sprintf("%q", l.Text), lint.Rewrite(held, l.Text)...)
		}
	}
	// Without gangs there is nothing that KAI would read, unless the author wants it to.
	if len(missing) == 0 || len(missing) == len(wanted) && !hasGangs(d) {
		return
	}
	names := make([]string, len(missing))
	for i, l := range missing {
		names[i] = "`" + l.Name + "`"
	}
	report(labelsPlace(d), "KAI looks for the definition of a kind by labels that are missing: "+strings.Join(names, ", "),
		"wm lint --fix adds them", newLabels(d, labels, missing)...)
}

// newLabels adds labels to those that there are.
func newLabels(d *lint.Definition, labels []any, missing []lint.Entry) []source.TextEdit {
	if node := d.Node(labels); node.Exists() {
		return lint.InsertFirst(node, missing...)
	}
	return lint.InsertMapping(d.Node([]any{"metadata"}), "labels", missing...)
}

func labelsPlace(d *lint.Definition) source.Range {
	if labels := []any{"metadata", "labels"}; d.Node(labels).Exists() {
		return d.Key(labels)
	}
	return d.Key([]any{"metadata"})
}

func hasGangs(d *lint.Definition) bool {
	g := gangs(d)
	return len(g.PodGroups) > 0 || g.PodGroup != nil
}
