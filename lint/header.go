package lint

import (
	"strings"

	"github.com/workloadmap/wm/api/v1alpha1"
	"github.com/workloadmap/wm/internal/suggest"
)

// header reads what decides whether a value is a definition.
func header(value any) (apiVersion, kind string) {
	object, _ := value.(map[string]any)
	apiVersion, _ = object["apiVersion"].(string)
	kind, _ = object["kind"].(string)
	return apiVersion, kind
}

// NearDialect returns the dialect whose header was probably meant by a header
// that is none; false when nothing speaks for it. It must not take the objects
// that stand beside definitions in a folder for misspelt ones: Kueue's Workload
// is three letters from WorkloadMap, and run.ai has other kinds than Karta.
func NearDialect(apiVersion, kind string) (v1alpha1.Dialect, bool) {
	for _, d := range v1alpha1.Dialects() {
		if d.Kind == kind {
			return d, true
		}
	}
	if near, ok := nearKind(kind); ok {
		if group(near.APIVersion) == group(apiVersion) || spelledLike(group(apiVersion), group(near.APIVersion)) || apiVersion == "" {
			return near, true
		}
	}
	for _, d := range v1alpha1.Dialects() {
		// The group is the format's own, so whatever has it is meant for us.
		if d.Name == v1alpha1.DialectWorkloadMap && group(d.APIVersion) == group(apiVersion) {
			return d, true
		}
	}
	return v1alpha1.Dialect{}, false
}

// nearKind finds the dialect whose kind is spelt like a word.
func nearKind(word string) (v1alpha1.Dialect, bool) {
	for _, d := range v1alpha1.Dialects() {
		if spelledLike(word, d.Kind) {
			return d, true
		}
	}
	return v1alpha1.Dialect{}, false
}

func spelledLike(word, wanted string) bool {
	_, near := suggest.Nearest(word, []string{wanted})
	return near
}

func group(apiVersion string) string {
	group, _, found := strings.Cut(apiVersion, "/")
	if !found {
		return ""
	}
	return group
}
