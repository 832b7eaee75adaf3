package v1alpha1

// Dialect is one of the headers that a definition can carry. The spec below the
// header is the same in all of them.
//
// +kubebuilder:object:generate=false
type Dialect struct {
	// Name is what --to and messages call it: "karta".
	Name string
	// APIVersion and Kind are the document's header.
	APIVersion string
	Kind       string
}

// Names of the dialects.
const (
	// DialectKarta is what the world publishes today.
	DialectKarta = "karta"
	// DialectResourceInterface is the format's first name, until spring 2026.
	DialectResourceInterface = "resourceinterface"
	// DialectWorkloadMap is the canonical one.
	DialectWorkloadMap = "workloadmap"
)

// Labels by which the KAI scheduler looks up the Karta of a root kind. Each holds
// the field of the root component's kind; the core group is an empty value.
const (
	LabelKartaGroup   = "run.ai/karta-group"
	LabelKartaVersion = "run.ai/karta-version"
	LabelKartaKind    = "run.ai/karta-kind"
)

// Dialects lists the dialects by name.
func Dialects() []Dialect {
	return []Dialect{
		{Name: DialectKarta, APIVersion: "run.ai/v1alpha1", Kind: "Karta"},
		{Name: DialectResourceInterface, APIVersion: "optimization.nvidia.com/v1alpha1", Kind: "ResourceInterface"},
		{Name: DialectWorkloadMap, APIVersion: Group + "/" + Version, Kind: Kind},
	}
}

// DialectOf returns the dialect with exactly this header; false when the
// document is not a definition.
func DialectOf(apiVersion, kind string) (Dialect, bool) {
	for _, d := range Dialects() {
		if d.APIVersion == apiVersion && d.Kind == kind {
			return d, true
		}
	}
	return Dialect{}, false
}
