package rules

import (
	"slices"
	"strings"

	"github.com/workloadmap/wm/lint"
	"github.com/workloadmap/wm/schema/types"
	"github.com/workloadmap/wm/source"
)

// conditionStatus is the status of conditions that a word is, but for its case.
func conditionStatus(word string) (string, bool) {
	for _, status := range []string{"True", "False", "Unknown"} {
		if strings.EqualFold(word, status) {
			return status, true
		}
	}
	return "", false
}

// isConditionStatus reports whether a path leads to the status that a matcher
// asks a condition for.
func isConditionStatus(path []any) bool {
	n := len(path)
	return n >= 3 && path[n-1] == "status" && path[n-3] == "byConditions" && slices.Contains(path, any("statusMappings"))
}

// respeltStatus writes a condition's status in the only case that it has.
func respeltStatus(d *lint.Definition, fault types.Fault) []source.TextEdit {
	node := d.Node(fault.Path)
	word, known := conditionStatus(node.Text())
	// A condition without such a field has it in no case.
	if !isConditionStatus(fault.Path) || !known || word == node.Text() || !strings.Contains(fault.Message, "is never") {
		return nil
	}
	return lint.Rewrite(node, word)
}
