package jq

import (
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/itchyny/gojq"
)

// direct reads a plain path, with or without a literal default, in the way the
// engine would. Most expressions of definitions are of this kind.
type direct struct {
	path Path
	// orElse is what comes out when no result of the path is other than null
	// and false, as in .spec.replicas // 1; nil without such a default.
	orElse *literal
}

// literal is a constant of an expression.
type literal struct{ value any }

func directOf(q *gojq.Query) *direct {
	if path, ok := plainPath(q); ok {
		return &direct{path: path}
	}
	if q.Op != gojq.OpAlt || len(q.FuncDefs) > 0 {
		return nil
	}
	path, ok := plainPath(q.Left)
	if !ok {
		return nil
	}
	value, ok := scalarLiteral(q.Right)
	if !ok {
		return nil
	}
	return &direct{path: path, orElse: &literal{value}}
}

// each hands out the results until yield returns false.
func (d *direct) each(value any, yield func(any) bool) error {
	if d.orElse == nil {
		_, err := d.path.walk(value, 0, yield)
		return err
	}
	found := false
	_, err := d.path.walk(value, 0, func(result any) bool {
		if result == nil || result == false {
			return true
		}
		found = true
		return yield(result)
	})
	if err == nil && !found {
		yield(d.orElse.value)
	}
	return err
}

// walk reads p[at:] on value. It returns false when yield asked to stop.
func (p Path) walk(value any, at int, yield func(any) bool) (more bool, err error) {
	for ; at < len(p); at++ {
		step := p[at]
		if step.Kind == StepIterate {
			return p.iterate(value, at, yield)
		}
		held, ok := step.of(value)
		if !ok {
			if step.Optional {
				return true, nil
			}
			return false, p[:at].mismatch(step, value)
		}
		value = held
	}
	return yield(value), nil
}

func (p Path) iterate(value any, at int, yield func(any) bool) (more bool, err error) {
	switch v := value.(type) {
	case []any:
		for _, held := range v {
			if more, err := p.walk(held, at+1, yield); !more || err != nil {
				return more, err
			}
		}
	case map[string]any:
		for _, key := range sortedKeys(v) {
			if more, err := p.walk(v[key], at+1, yield); !more || err != nil {
				return more, err
			}
		}
	default:
		if !p[at].Optional {
			return false, p[:at].mismatch(p[at], value)
		}
	}
	return true, nil
}

// of applies a field or an index. On null both give null.
func (s Step) of(value any) (held any, ok bool) {
	if value == nil {
		return nil, true
	}
	if s.Kind == StepField {
		object, ok := value.(map[string]any)
		return object[s.Field], ok
	}
	switch v := value.(type) {
	case []any:
		i := fromEnd(s.Index, len(v))
		if i < 0 || i >= len(v) {
			return nil, true
		}
		return v[i], true
	case string:
		// The engine reads characters of a string as elements.
		i := fromEnd(s.Index, utf8.RuneCountInString(v))
		for _, r := range v {
			if i == 0 {
				return string(r), true
			}
			i--
		}
		return nil, true
	default:
		return nil, false
	}
}

func fromEnd(index, length int) int {
	if index < 0 {
		return index + length
	}
	return index
}

// mismatch is the error of a step that does not apply to what is at p.
func (p Path) mismatch(step Step, value any) error {
	wanted := "an object"
	switch step.Kind {
	case StepIndex:
		wanted = "an array"
	case StepIterate:
		return fmt.Errorf("cannot iterate over %s at %s", describe(value), p)
	}
	return fmt.Errorf("expected %s at %s but found %s", wanted, p, describe(value))
}

func sortedKeys(object map[string]any) []string {
	keys := make([]string, 0, len(object))
	for key := range object {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}
