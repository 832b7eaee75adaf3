package mutation

import (
	"fmt"
	"strconv"

	"github.com/workloadmap/wm/api/v1alpha1"
)

// suspensions visits the actions of all components.
func (o *original) suspensions(visit func(component, list string, i int, action v1alpha1.SuspendAction, path []any)) {
	for _, c := range o.components {
		if c.SuspendDefinition == nil {
			continue
		}
		for i, action := range c.SuspendDefinition.SuspendActions {
			visit(c.Name, "suspendActions", i, action, below(c.Path, "suspendDefinition", "suspendActions", i))
		}
		for i, action := range c.SuspendDefinition.ResumeActions {
			visit(c.Name, "resumeActions", i, action, below(c.Path, "suspendDefinition", "resumeActions", i))
		}
	}
}

func verb(list string) string {
	if list == "resumeActions" {
		return "resuming"
	}
	return "suspending"
}

// suspendValues write another value.
func suspendValues(o *original) []candidate {
	var proposed []candidate
	o.suspensions(func(component, list string, _ int, action v1alpha1.SuspendAction, path []any) {
		other, ok := negation(action.Value)
		if number, err := strconv.Atoi(action.Value); !ok && err == nil {
			other, ok = strconv.Itoa(number+1), true
		}
		if !ok {
			other = quoted("other")
		}
		proposed = append(proposed, o.replace("change-suspend-value", component, "suspendDefinition."+list+".value", below(path, "value"), other,
			fmt.Sprintf("%s %s writes %s to %s instead of %s", verb(list), component, other, action.Path, action.Value)))
	})
	return proposed
}

// suspendActions forget to write.
func suspendActions(o *original) []candidate {
	var proposed []candidate
	o.suspensions(func(component, list string, _ int, action v1alpha1.SuspendAction, path []any) {
		proposed = append(proposed, o.drop("drop-suspend-action", component, "suspendDefinition."+list, path,
			fmt.Sprintf("%s %s does not write %s", verb(list), component, action.Path)))
	})
	return proposed
}
