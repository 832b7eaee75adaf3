package index

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/workloadmap/wm/internal/suggest"
)

// At follows a path such as .spec.workerGroupSpecs[].template from a type. [] leads
// into a list, {} into the values of a map; a name with other characters than
// letters, digits, - and _ is written ["like.this"]. An empty path and "." are the
// type itself. The error says which part leads nowhere, and the nearest name.
func (t Type) At(path string) (Type, error) {
	segments, err := parsePath(path)
	if err != nil {
		return Type{}, err
	}
	at, walked := t, ""
	for _, segment := range segments {
		next, err := at.step(segment)
		if err != nil {
			if walked == "" {
				walked = "."
			}
			return Type{}, fmt.Errorf("%s: %w", walked, err)
		}
		at = next
		walked += segment.text()
	}
	return at, nil
}

// segment is one part of a path: a field, or the elements of a list or a map.
type segment struct {
	name string
	kind Kind // Object, List or Map
}

func (s segment) text() string {
	switch s.kind {
	case List:
		return "[]"
	case Map:
		return "{}"
	}
	return fieldPath(s.name)
}

// fieldPath is how a field is written at the end of a path.
func fieldPath(name string) string {
	plain := name != "" && strings.IndexFunc(name, func(r rune) bool {
		return r != '-' && r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	}) < 0
	if plain {
		return "." + name
	}
	return "[" + strconv.Quote(name) + "]"
}

func (t Type) step(s segment) (Type, error) {
	if s.kind == List || s.kind == Map {
		if t.Kind() != s.kind {
			return Type{}, fmt.Errorf("%s leads into a %s, but this is %s", s.text(), s.kind, t.Kind())
		}
		return t.Element(), nil
	}
	field, exists, closed := t.Field(s.name)
	switch {
	case exists:
		return field, nil
	case t.Kind() == List:
		return Type{}, fmt.Errorf("this is a list: write [] in front of %s", s.text())
	case t.Kind() != Object:
		return Type{}, fmt.Errorf("there are no fields in a value of type %s", t.Kind())
	}
	message := fmt.Sprintf("there is no field %q", s.name)
	if !closed {
		message += "; unknown fields are kept here, and nothing is known of them"
	}
	if near, ok := suggest.Nearest(s.name, t.Names()); ok {
		message += "; did you mean " + near + "?"
	}
	return Type{}, fmt.Errorf("%s", message)
}

func parsePath(path string) ([]segment, error) {
	var segments []segment
	rest := path
	if rest == "." {
		rest = ""
	}
	for rest != "" {
		part, tail, ok := cutSegment(rest)
		if !ok {
			return nil, fmt.Errorf("path %q is not understood at %q: write it like .spec.template.spec.containers[].name", path, rest)
		}
		segments = append(segments, part)
		rest = tail
	}
	return segments, nil
}

func cutSegment(path string) (part segment, rest string, ok bool) {
	if rest, ok := strings.CutPrefix(path, "[]"); ok {
		return segment{kind: List}, rest, true
	}
	if rest, ok := strings.CutPrefix(path, "{}"); ok {
		return segment{kind: Map}, rest, true
	}
	path = strings.TrimPrefix(path, ".")
	if quoted, isQuoted := strings.CutPrefix(path, "["); isQuoted {
		literal, err := strconv.QuotedPrefix(quoted)
		if err != nil {
			return segment{}, "", false
		}
		name, err := strconv.Unquote(literal)
		rest, closed := strings.CutPrefix(quoted[len(literal):], "]")
		return segment{name: name, kind: Object}, rest, err == nil && closed
	}
	end := strings.IndexAny(path, ".[{")
	if end < 0 {
		end = len(path)
	}
	return segment{name: path[:end], kind: Object}, path[end:], end > 0
}
