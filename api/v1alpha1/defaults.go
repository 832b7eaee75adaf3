package v1alpha1

import "cmp"

// SetDefaults fills in what the CRD defaults on the server, so that a definition
// means the same however it was loaded. It changes w; [Decode] has already done
// it.
func SetDefaults(w *WorkloadMap) {
	for _, c := range w.Components() {
		if c.StatusDefinition != nil && c.StatusDefinition.ConditionsDefinition != nil {
			c.StatusDefinition.ConditionsDefinition.SetDefaults()
		}
	}
}

// SetDefaults names the fields of a Kubernetes condition where d names none.
func (d *ConditionsDefinition) SetDefaults() {
	d.TypeFieldName = cmp.Or(d.TypeFieldName, "type")
	d.StatusFieldName = cmp.Or(d.StatusFieldName, "status")
	d.MessageFieldName = cmp.Or(d.MessageFieldName, "message")
	d.ReasonFieldName = cmp.Or(d.ReasonFieldName, "reason")
}
