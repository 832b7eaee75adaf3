package config

import (
	"errors"
	"path"
	"strings"
)

// Glob is a pattern of files and folders. Without a slash it is the name of a
// file or folder at any depth; with one, a path from the folder of the
// configuration. * and ? stand for characters of one name, [a-z] for one of
// them, and ** for any number of folders. A slash at the end is for folders and
// changes nothing: what is in an excluded folder is excluded.
type Glob struct {
	segments []string
}

// maxGlob bounds a pattern in bytes.
const maxGlob = 1000

// ParseGlob reads a pattern; the error says what is wrong, without repeating it.
func ParseGlob(text string) (Glob, error) {
	pattern := strings.TrimSuffix(text, "/")
	switch {
	case pattern == "":
		return Glob{}, errors.New("a pattern must not be empty")
	case len(text) > maxGlob:
		return Glob{}, errors.New("a pattern is too long")
	case strings.HasPrefix(text, "/"):
		return Glob{}, errors.New("a pattern starts in the folder of the configuration: leave the first / out")
	case strings.HasPrefix(text, "!"):
		return Glob{}, errors.New("patterns cannot be negated")
	case strings.Contains(text, `\`):
		return Glob{}, errors.New(`a pattern has / between folders, and no \`)
	}
	segments := strings.Split(strings.TrimPrefix(pattern, "./"), "/")
	for _, segment := range segments {
		if segment == "" || segment == "." || segment == ".." {
			return Glob{}, errors.New("a pattern must not have the parts . and .., or empty ones")
		}
		if strings.Contains(segment, "**") && segment != "**" {
			return Glob{}, errors.New("** stands alone between slashes")
		}
		if _, err := path.Match(segment, ""); err != nil {
			return Glob{}, errors.New("a [ is never closed, or nothing is in it")
		}
	}
	if len(segments) == 1 && !strings.HasPrefix(pattern, "./") {
		segments = []string{"**", segments[0]}
	}
	return Glob{segments}, nil
}

// Match reports whether a path from the folder of the configuration, or a folder
// above it, is meant.
func (g Glob) Match(name string) bool {
	parts := strings.Split(path.Clean(name), "/")
	// reached[i] says that the first i segments match the parts so far: one row
	// for each part, so that the time is the product of the lengths whatever the
	// pattern is.
	reached := make([]bool, len(g.segments)+1)
	reached[0] = true
	g.skip(reached)
	for _, part := range parts {
		next := make([]bool, len(reached))
		for i, segment := range g.segments {
			if !reached[i] {
				continue
			}
			if segment == "**" {
				next[i] = true
				next[i+1] = next[i+1] || i == len(g.segments)-1
				continue
			}
			if ok, err := path.Match(segment, part); ok && err == nil {
				next[i+1] = true
			}
		}
		g.skip(next)
		reached = next
		if reached[len(g.segments)] {
			return true
		}
	}
	return false
}

// skip lets ** stand for nothing, except at the end: what is below a folder is
// not the folder.
func (g Glob) skip(reached []bool) {
	for i, segment := range g.segments {
		if reached[i] && segment == "**" && i < len(g.segments)-1 {
			reached[i+1] = true
		}
	}
}
