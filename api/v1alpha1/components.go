package v1alpha1

// PlacedComponent is a component and where it stands in the document.
//
// +kubebuilder:object:generate=false
type PlacedComponent struct {
	// Component is the definition's own, not a copy.
	*Component
	// Path leads to it from the document's root: field names as strings, list
	// indexes as ints, counted from 0.
	Path []any
	// Root says that it is the root component.
	Root bool
}

// Components returns the root component and then its children as declared.
func (w *WorkloadMap) Components() []PlacedComponent {
	structure := &w.Spec.StructureDefinition
	placed := make([]PlacedComponent, 0, 1+len(structure.ChildComponents))
	placed = append(placed, PlacedComponent{
		Component: &structure.RootComponent,
		Path:      []any{"spec", "structureDefinition", "rootComponent"},
		Root:      true,
	})
	for i := range structure.ChildComponents {
		placed = append(placed, PlacedComponent{
			Component: &structure.ChildComponents[i],
			Path:      []any{"spec", "structureDefinition", "childComponents", i},
		})
	}
	return placed
}
