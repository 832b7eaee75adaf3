package testkit

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/workloadmap/wm/resolver"
	"github.com/workloadmap/wm/source"
)

// ExpectedChange is what a change made through the definition is expected to
// do to the object. Exactly one of Changes, Refused and Unsupported is stated.
type ExpectedChange struct {
	// Target and Template are the edit; both are zero for suspend and resume.
	Target resolver.Target
	// Template is a strategic merge patch of a pod template.
	Template map[string]any
	// Changes are all places that change, by JSON pointer, with the new value;
	// nil stands for a value that is removed. An empty map says that the object
	// stays as it is.
	Changes map[string]any
	// Refused names the components that cannot take the change, each once.
	Refused []string
	// Unsupported says that the kind cannot be suspended natively.
	Unsupported bool

	// where is file:line:column of the expectation.
	where string
}

// edits reads expect.edits.
func (r *caseReader) edits(node source.Node, value any) []ExpectedChange {
	items, ok := value.([]any)
	if !ok {
		r.fail(node, "a list of edits is needed here")
		return nil
	}
	edits := make([]ExpectedChange, len(items))
	for i, item := range items {
		child, _ := node.Find(i)
		edit := &edits[i]
		r.change(child, item, edit, map[string]func(source.Node, any){
			"component": func(n source.Node, v any) { edit.Target.Component = r.text(n, v) },
			"instance":  func(n source.Node, v any) { edit.Target.Instance = r.text(n, v) },
			"template":  func(n source.Node, v any) { edit.Template = r.object(n, v) },
		})
		if len(edit.Template) == 0 {
			r.fail(child, "template is missing: give the part of a pod template that is to change")
		}
	}
	return edits
}

// suspension reads expect.suspend or expect.resume: an expected change, or the
// word unsupported.
func (r *caseReader) suspension(node source.Node, value any) *ExpectedChange {
	if text, ok := value.(string); ok {
		r.word(node, text, "unsupported")
		return &ExpectedChange{Unsupported: true, where: r.place(node)}
	}
	expected := &ExpectedChange{}
	r.change(node, value, expected, map[string]func(source.Node, any){})
	return expected
}

// change reads the fields that every expected change has, and those in own.
func (r *caseReader) change(node source.Node, value any, into *ExpectedChange, own map[string]func(source.Node, any)) {
	into.where = r.place(node)
	own["changes"] = func(n source.Node, v any) { into.Changes = r.object(n, v) }
	own["refused"] = func(n source.Node, v any) { into.Refused = r.texts(n, v) }
	r.fields(node, own, value)
	switch {
	case into.Changes == nil && len(into.Refused) == 0:
		r.fail(node, "state either changes (JSON pointer: new value) or refused (the components that cannot take it)")
	case into.Changes != nil && into.Refused != nil:
		r.fail(node, "changes and refused exclude each other: a change is made completely or not at all")
	}
}

func (r *caseReader) object(node source.Node, value any) map[string]any {
	object, ok := value.(map[string]any)
	if !ok {
		r.fail(node, "a mapping is needed here")
	}
	return object
}

func (r *caseReader) place(node source.Node) string {
	start := node.Range().Start
	return fmt.Sprintf("%s:%d:%d", r.file.Name(), start.Line, start.Column)
}

// checkChanges makes every expected change on the object and compares.
func (e *Expect) checkChanges(ctx context.Context, r *resolver.Resolver, object map[string]any) []Failure {
	var failures []Failure
	compare := func(check string, expected *ExpectedChange, edit *resolver.Edit, err error) {
		want, got := expected.lines(), changeLines(edit, err)
		for _, line := range onlyIn(want, got) {
			failures = append(failures, Failure{Check: "expect." + check, Where: expected.where, Expected: line, Actual: nearestLine(line, onlyIn(got, want))})
		}
		for _, line := range onlyIn(got, want) {
			if !hasSubject(onlyIn(want, got), line) {
				failures = append(failures, Failure{Check: "expect." + check, Where: expected.where, Expected: "no such change", Actual: line})
			}
		}
	}
	for i := range e.Edits {
		expected := &e.Edits[i]
		if name := expected.Target.Component; name != "" && !known(r.ComponentNames(), name) {
			failures = append(failures, Failure{Check: fmt.Sprintf("expect.edits[%d]", i), Where: expected.where,
				Expected: "a component of the definition", Actual: unknownText(name)})
			continue
		}
		edit, err := r.Edit(ctx, object, expected.Target, resolver.Patch{Template: expected.Template})
		compare(fmt.Sprintf("edits[%d]", i), expected, edit, err)
	}
	if e.Suspend != nil {
		edit, err := r.Suspend(ctx, object)
		compare("suspend", e.Suspend, edit, err)
	}
	if e.Resume != nil {
		edit, err := r.Resume(ctx, object)
		compare("resume", e.Resume, edit, err)
	}
	return failures
}

const unsupportedLine = "suspension: unsupported"

// lines are what is expected, one fact a line, each "subject: fact".
func (c *ExpectedChange) lines() []string {
	if c.Unsupported {
		return []string{unsupportedLine}
	}
	lines := []string{}
	for _, name := range c.Refused {
		lines = append(lines, name+": refused")
	}
	for pointer, value := range c.Changes {
		lines = append(lines, changeLine(pointer, value, value == nil))
	}
	slices.Sort(lines)
	return slices.Compact(lines)
}

// changeLines are the same of what came out.
func changeLines(edit *resolver.Edit, err error) []string {
	var refused *resolver.RefusedError
	lines := []string{}
	switch {
	case errors.Is(err, resolver.ErrNoSuspend):
		return []string{unsupportedLine}
	case errors.As(err, &refused):
		for _, refusal := range refused.Refusals {
			lines = append(lines, refusal.Component+": refused")
		}
	case err != nil:
		return []string{"error: " + err.Error()}
	default:
		for _, change := range edit.Changes {
			lines = append(lines, changeLine(pointer(change.Path), change.New, change.Removed))
		}
	}
	slices.Sort(lines)
	return slices.Compact(lines)
}

func changeLine(pointer string, value any, removed bool) string {
	if removed {
		return pointer + ": removed"
	}
	content, err := json.Marshal(value)
	if err != nil {
		return fmt.Sprintf("%s: %v", pointer, err)
	}
	return pointer + ": " + string(content)
}

// pointer writes a path as a JSON pointer (RFC 6901).
func pointer(path []any) string {
	var text strings.Builder
	for _, step := range path {
		text.WriteByte('/')
		switch step := step.(type) {
		case int:
			text.WriteString(strconv.Itoa(step))
		case string:
			text.WriteString(strings.NewReplacer("~", "~0", "/", "~1").Replace(step))
		}
	}
	return text.String()
}

// onlyIn lists what a has and b has not.
func onlyIn(a, b []string) []string {
	var only []string
	for _, line := range a {
		if !slices.Contains(b, line) {
			only = append(only, line)
		}
	}
	return only
}

func subject(line string) string {
	name, _, _ := strings.Cut(line, ": ")
	return name
}

func hasSubject(lines []string, line string) bool {
	return slices.ContainsFunc(lines, func(other string) bool { return subject(other) == subject(line) })
}

// nearestLine finds what became of the subject of a line.
func nearestLine(line string, among []string) string {
	for _, other := range among {
		if subject(other) == subject(line) {
			return other
		}
	}
	if subject(line) != "" && len(among) == 1 && (strings.HasPrefix(among[0], "error: ") || among[0] == unsupportedLine) {
		return among[0]
	}
	return subject(line) + " stays as it is"
}
