package review

import (
	"slices"
	"strings"
)

// pair is a definition before and after; one of the two is nil when it was added
// or removed.
type pair struct{ base, head *version }

// name is the definition's name now, or as it last was.
func (p pair) name() string {
	if p.head != nil {
		return p.head.name
	}
	return p.base.name
}

// oldName is what the definition was called, "" when it was not there.
func (p pair) oldName() string {
	if p.base == nil {
		return ""
	}
	return p.base.name
}

func (p pair) file() string {
	if p.head != nil {
		return p.head.file
	}
	return p.base.file
}

// pairs matches the definitions of two trees: by name, then by the kind that they
// read, then by file. The last two find a definition that was renamed, which is
// more than one that went and another that came.
func pairs(base, head *tree) []pair {
	taken := map[*version]bool{}
	partner := map[*version]*version{}
	for _, same := range []func(a, b *version) bool{
		func(a, b *version) bool { return a.name == b.name && a.file == b.file },
		func(a, b *version) bool { return a.name == b.name },
		func(a, b *version) bool {
			return a.fault == nil && b.fault == nil && a.resolver.Root() == b.resolver.Root()
		},
		func(a, b *version) bool { return a.file == b.file },
	} {
		for _, now := range head.versions {
			if partner[now] != nil {
				continue
			}
			before := base.find(func(v *version) bool { return !taken[v] && same(v, now) })
			if before != nil {
				partner[now], taken[before] = before, true
			}
		}
	}
	var found []pair
	for _, now := range head.versions {
		found = append(found, pair{base: partner[now], head: now})
	}
	for _, before := range base.versions {
		if !taken[before] {
			found = append(found, pair{base: before})
		}
	}
	slices.SortStableFunc(found, func(a, b pair) int { return strings.Compare(a.name(), b.name()) })
	return found
}
