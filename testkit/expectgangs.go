package testkit

import (
	"fmt"
	"strings"

	"github.com/workloadmap/wm/resolver"
	"github.com/workloadmap/wm/source"
)

// ExpectedGang is one gang that a case expects. Nil parts of the key are those
// that the object cannot tell; a nil MinMember is unknown.
type ExpectedGang struct {
	Name      string
	Key       []*string
	MinMember *int64
	// Pods are the gang's pods; nil leaves them unchecked.
	Pods []string
}

func (r *caseReader) gangs(node source.Node, value any) []ExpectedGang {
	items, ok := value.([]any)
	if !ok {
		r.fail(node, "a list of gangs is needed here")
		return nil
	}
	gangs := make([]ExpectedGang, len(items))
	for i, item := range items {
		child, _ := node.Find(i)
		gang := &gangs[i]
		r.fields(child, map[string]func(source.Node, any){
			"name":      func(n source.Node, v any) { gang.Name = r.text(n, v) },
			"key":       func(n source.Node, v any) { gang.Key = r.key(n, v) },
			"minMember": func(n source.Node, v any) { gang.MinMember = r.integer(n, v) },
			"pods":      func(n source.Node, v any) { gang.Pods = r.texts(n, v) },
		}, item)
	}
	return gangs
}

// key reads the parts of a gang's key; null stands for an unknown part.
func (r *caseReader) key(node source.Node, value any) []*string {
	items, ok := value.([]any)
	if !ok {
		r.fail(node, "a list of key parts is needed here")
		return nil
	}
	key := make([]*string, len(items))
	for i, item := range items {
		if item != nil {
			child, _ := node.Find(i)
			text := r.text(child, item)
			key[i] = &text
		}
	}
	return key
}

// checkGangs compares all gangs in order. A case without gangs does not say
// that there are none; an empty list does.
func (e *Expect) checkGangs(actual []resolver.Gang, fail failFunc) {
	if e.Gangs == nil {
		return
	}
	for i := range max(len(actual), len(e.Gangs)) {
		want, got := "no gang", "no gang"
		if i < len(e.Gangs) {
			want = gangText(e.Gangs[i])
		}
		if i < len(actual) {
			gang := ExpectedGang{Key: actual[i].Key, MinMember: actual[i].MinMember}
			if i < len(e.Gangs) && e.Gangs[i].Name != "" {
				gang.Name = actual[i].Name
			}
			if i < len(e.Gangs) && e.Gangs[i].Pods != nil {
				gang.Pods = actual[i].Pods
			}
			got = gangText(gang)
		}
		if want != got {
			fail("gangs", want, got)
		}
	}
}

func gangText(gang ExpectedGang) string {
	parts := make([]string, len(gang.Key))
	for i, part := range gang.Key {
		parts[i] = "?"
		if part != nil {
			parts[i] = *part
		}
	}
	text := fmt.Sprintf("[%s] of at least %s", strings.Join(parts, ", "), countText(gang.MinMember))
	if gang.Name != "" {
		text = gang.Name + " " + text
	}
	if gang.Pods != nil {
		text += ": " + namesText(gang.Pods)
	}
	return text
}
