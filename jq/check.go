package jq

import (
	"fmt"
	"slices"
	"strings"

	"github.com/itchyny/gojq"
	"github.com/workloadmap/wm/internal/suggest"
)

// checker holds one parsed expression while its rules are checked.
type checker struct {
	text    *lexed
	visited *visitor
	places  []token
	// patterns are the literal regular expressions by the call they are in.
	patterns map[*gojq.Func]pattern
}

// check gives the first thing in source order that an expression must not
// contain, or nil.
func (c *checker) check() *Error {
	for i, e := range c.visited.events {
		if err := c.event(e); err != nil {
			err.Expression = c.text.source
			err.Start, err.End = c.places[i].start, c.places[i].end
			c.explain(err)
			return err
		}
	}
	return nil
}

func (c *checker) event(e event) *Error {
	switch e.kind {
	case eventModule:
		return forbid("modules are not allowed", "an expression must be complete by itself")
	case eventRecurse:
		return forbid(`".." is not allowed`, "it reads the whole object; write the path that you mean")
	case eventUpdate:
		return c.update(e)
	case eventFormat:
		return checkFormat(e.text)
	case eventDefine:
		return checkNewName(e.text)
	case eventBind:
		return checkNewName(e.text)
	case eventBreak:
		if e.scope.find("break "+e.text, 0) == nil {
			return &Error{Kind: Name, Message: fmt.Sprintf("label %s does not exist", e.text)}
		}
		return nil
	case eventCall:
		return c.call(e)
	default:
		return nil
	}
}

func forbid(message, reason string) *Error {
	return &Error{Kind: Forbidden, Message: message, Help: reason}
}

func (c *checker) update(e event) *Error {
	err := forbid(fmt.Sprintf("%q changes the object, which is not allowed", e.text), reasonChanges)
	if e.text == "=" {
		err.Help = `compare with "=="`
	}
	return err
}

func checkFormat(format string) *Error {
	if slices.Contains(formats(), format) {
		return nil
	}
	err := &Error{Kind: Name, Message: fmt.Sprintf("format %s does not exist", format)}
	if nearest, ok := suggest.Nearest(format, formats()); ok {
		err.Help = "did you mean " + nearest + "?"
	}
	return err
}

// checkNewName refuses names that hide a refused function or that belong to
// this package.
func checkNewName(name string) *Error {
	if strings.HasPrefix(trimDollar(name), "_") {
		return forbid(fmt.Sprintf("%s is not allowed: names that start with _ are reserved", name), "choose another name")
	}
	if reason, is := refused(name); is {
		return forbid(fmt.Sprintf("a definition of %s is not allowed", name), "as a built-in function it is refused: "+reason)
	}
	return nil
}

func (c *checker) call(e event) *Error {
	arity := 0
	if e.call != nil {
		arity = len(e.call.Args)
	}
	if reason, is := refused(e.text); is {
		return forbid(e.text+" is not allowed", reason)
	}
	if target := e.scope.find(e.text, arity); target != nil {
		if c.visited.recursive[e.call] {
			return forbid(fmt.Sprintf("%s calls itself, which is not allowed", e.text), reasonGrows)
		}
		return nil
	}
	if e.text[0] == '$' {
		return unknownVariable(e)
	}
	f, ok := allowed(e.text, arity)
	if !ok {
		return unknownFunction(e, arity)
	}
	if f.pattern {
		return c.pattern(e.call)
	}
	return nil
}

func unknownVariable(e event) *Error {
	err := &Error{Kind: Name, Message: fmt.Sprintf("variable %s is not defined", e.text)}
	var known []string
	for s := e.scope; s != nil; s = s.outer {
		if s.binding.name[0] == '$' {
			known = append(known, s.binding.name)
		}
	}
	slices.Sort(known)
	if nearest, ok := suggest.Nearest(e.text, known); ok {
		err.Help = "did you mean " + nearest + "?"
	} else {
		err.Help = fmt.Sprintf("introduce it with ... as %s | ...", e.text)
	}
	return err
}

func unknownFunction(e event, arity int) *Error {
	err := &Error{Kind: Name, Message: fmt.Sprintf("function %s/%d is not defined", e.text, arity)}
	if counts := arities(e.text); len(counts) > 0 {
		err.Help = fmt.Sprintf("%s takes %s", e.text, argumentCounts(counts))
		return err
	}
	if help := elsewhere(e.text); help != "" {
		err.Help = help
		return err
	}
	var known []string
	for s := e.scope; s != nil; s = s.outer {
		if name := s.binding.name; name[0] != '$' && !strings.HasPrefix(name, "break ") {
			known = append(known, name)
		}
	}
	for _, f := range functions() {
		known = append(known, f.name)
	}
	slices.Sort(known)
	if nearest, ok := suggest.Nearest(e.text, known); ok {
		err.Help = fmt.Sprintf("did you mean %s?", nearest)
	}
	return err
}

func argumentCounts(counts []int) string {
	words := make([]string, len(counts))
	for i, count := range counts {
		words[i] = fmt.Sprint(count)
	}
	if len(counts) == 1 && counts[0] == 0 {
		return "no arguments"
	}
	text := strings.Join(words, " or ")
	if len(counts) == 1 && counts[0] == 1 {
		return text + " argument"
	}
	return text + " arguments, separated by ;"
}
