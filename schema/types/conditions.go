package types

import (
	"fmt"
	"slices"

	"github.com/workloadmap/wm/api/v1alpha1"
)

// conditions reports types, statuses and reasons that no condition of the
// object can have, because of the words that its schema allows.
func (j *judge) conditions(at []any, wanted []v1alpha1.ConditionMatcher, named v1alpha1.ConditionsDefinition, read Result) {
	named.SetDefaults()
	condition := read.Value.only(Array).elements().without(Null)
	if condition.unknown || condition.kinds != Object || condition.schema == nil {
		return
	}
	for i, w := range wanted {
		for _, part := range []struct{ key, field, text string }{
			{"type", named.TypeFieldName, w.Type},
			{"status", named.StatusFieldName, w.Status},
			{"reason", named.ReasonFieldName, w.Reason},
		} {
			if part.text == "" {
				continue
			}
			path := slices.Concat(at, []any{i, part.key})
			field, exists := condition.schema.Field(part.field)
			switch {
			case exists:
				value := described(field.Schema, "", false)
				if !value.unknown && value.kinds&String != 0 && !value.Contains(part.text) {
					j.never(path, part.text, fmt.Sprintf("the %s of a condition", part.key), Result{Value: value})
				}
			case condition.schema.Closed():
				j.faults = append(j.faults, Fault{FaultNeverMatches, path, 0, len(part.text),
					fmt.Sprintf("conditions have no field `%s`, so none has this %s", part.field, part.key), ""})
			}
		}
	}
}
