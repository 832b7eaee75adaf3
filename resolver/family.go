package resolver

// Family is one root object of a list and the objects that it owns, directly
// or through others of the same list, as indexes into that list.
type Family struct {
	// Root is an index into the list.
	Root int
	// Owned is in list order. An object belongs to one family: the one whose
	// root its owner references lead to.
	Owned []int
}

// Families splits a list of objects into roots and what they own, following
// owner references by UID. An object whose owners are not in the list is a
// root, and so is one without owner references. Families are in the order of
// their roots.
func Families(objects []map[string]any) []Family {
	byUID := make(map[string]int, len(objects))
	for i, object := range objects {
		if uid := uidOf(object); uid != "" {
			byUID[uid] = i
		}
	}
	var families []Family
	familyOf := make(map[int]int, len(objects))
	roots := make([]int, len(objects))
	for i := range objects {
		roots[i] = rootIndex(objects, byUID, i)
		if roots[i] == i {
			familyOf[i] = len(families)
			families = append(families, Family{Root: i})
		}
	}
	for i, root := range roots {
		if root != i {
			family := &families[familyOf[root]]
			family.Owned = append(family.Owned, i)
		}
	}
	return families
}

// rootIndex follows owners upwards. Owner references that form a circle, which
// the API server allows nobody to make but a file can hold, end the walk at
// the first object of the list that is in the circle.
func rootIndex(objects []map[string]any, byUID map[string]int, start int) int {
	visited := map[int]bool{}
	for at := start; ; {
		visited[at] = true
		next, ok := ownerIndex(objects[at], byUID)
		if !ok {
			return at
		}
		if visited[next] {
			for i := range visited {
				next = min(next, i)
			}
			return next
		}
		at = next
	}
}

// ownerIndex finds the owner in the list, the controlling one first.
func ownerIndex(object map[string]any, byUID map[string]int) (int, bool) {
	metadata, _ := object["metadata"].(map[string]any)
	references, _ := metadata["ownerReferences"].([]any)
	found, ok := 0, false
	for _, entry := range references {
		reference, _ := entry.(map[string]any)
		index, known := byUID[text(reference["uid"])]
		if !known {
			continue
		}
		if reference["controller"] == true {
			return index, true
		}
		if !ok {
			found, ok = index, true
		}
	}
	return found, ok
}

func uidOf(object map[string]any) string {
	metadata, _ := object["metadata"].(map[string]any)
	return text(metadata["uid"])
}
