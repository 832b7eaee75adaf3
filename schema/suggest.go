package schema

import (
	"slices"
	"strings"
	"unicode"

	"github.com/workloadmap/wm/internal/suggest"
)

// otherWords are names that people write from memory of other files, too far
// from the format's own for a spelling guess: phases of unmerged proposals and of
// pods, and field names from a guide that the format never had.
func otherWords(name string) string {
	switch name {
	case "pending", "progressing", "queued":
		return "initializing"
	case "succeeded", "complete", "finished":
		return "completed"
	case "paused":
		return "suspended"
	case "ownerName", "owner", "parent":
		return "ownerRef"
	case "fragmentedPodDefinition":
		return "fragmentedPodSpecDefinition"
	case "selector":
		return "podSelector"
	default:
		return ""
	}
}

// knownField returns the known field that an unknown one was probably meant to be,
// "" when there is none.
func knownField(name string, known []string) string {
	if word := otherWords(name); slices.Contains(known, word) {
		return word
	}
	if near, ok := suggest.Nearest(name, known); ok {
		return near
	}
	// The same first word (replicas for replicasPath, podTemplatePath for
	// podTemplateSpecPath) is a hint only when spelling gives none.
	best, bestDistance := "", len(name)+1
	for _, candidate := range known {
		if firstWord(candidate) != firstWord(name) {
			continue
		}
		if d := suggest.Distance(name, candidate); d < bestDistance {
			best, bestDistance = candidate, d
		}
	}
	return best
}

// firstWord is the part of a camel-case name before the first capital.
func firstWord(name string) string {
	if i := strings.IndexFunc(name, unicode.IsUpper); i > 0 {
		return name[:i]
	}
	return name
}

// collectOwners fills found with the owner of each field below r; name is the
// field that leads to r.
func collectOwners(r *rules, name string, found map[string][]string) {
	if r.Items != nil {
		collectOwners(r.Items, name, found)
	}
	for field, below := range r.Properties {
		if r.closed() && name != "" {
			i, known := slices.BinarySearch(found[field], name)
			if !known {
				found[field] = slices.Insert(found[field], i, name)
			}
		}
		collectOwners(below, field, found)
	}
}
