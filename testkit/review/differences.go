package review

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/workloadmap/wm/api/v1alpha1"
)

// comparison collects what two versions of a definition say differently.
type comparison struct {
	before, after *v1alpha1.WorkloadMap
	// renamed maps the old names of roles to the new ones, where they differ.
	renamed     map[string]string
	differences []Difference
	breaks      []Break
}

// compare tells two versions apart. There is always something to say when the
// specs differ.
func compare(before, after *v1alpha1.WorkloadMap) *comparison {
	c := &comparison{before: before, after: after, renamed: map[string]string{}}
	c.header()
	c.components()
	c.additionalKinds()
	c.gangs()
	if len(c.differences) == 0 {
		c.anythingElse()
	}
	return c
}

// say notes a difference.
func (c *comparison) say(before, after, format string, arguments ...any) {
	c.differences = append(c.differences, Difference{Text: fmt.Sprintf(format, arguments...), Before: before, After: after})
}

// breaking notes a difference that is a break.
func (c *comparison) breaking(kind BreakKind, before, after, format string, arguments ...any) {
	c.say(before, after, format, arguments...)
	c.breaks = append(c.breaks, Break{Kind: kind, Difference: c.differences[len(c.differences)-1]})
}

func (c *comparison) header() {
	if c.before.Name != c.after.Name {
		c.breaking(DefinitionRenamed, c.before.Name, c.after.Name, "the definition has another name")
	}
	if c.before.Kind != c.after.Kind || c.before.APIVersion != c.after.APIVersion {
		c.say(c.before.APIVersion+" "+c.before.Kind, c.after.APIVersion+" "+c.after.Kind, "the definition is written in another dialect")
	}
	c.keyValues("label %s of the definition", c.before.Labels, c.after.Labels)
	c.keyValues("annotation %s of the definition", withoutReasons(c.before.Annotations), withoutReasons(c.after.Annotations))
}

// withoutReasons leaves out why breaks are made, which the report tells elsewhere.
func withoutReasons(annotations map[string]string) map[string]string {
	kept := maps.Clone(annotations)
	for _, key := range []string{BreakingAnnotation, plainBreakingAnnotation, RemovalAnnotation} {
		delete(kept, key)
	}
	return kept
}

// keyValues compares two maps key by key.
func (c *comparison) keyValues(what string, before, after map[string]string) {
	keys := slices.AppendSeq(slices.Collect(maps.Keys(before)), maps.Keys(after))
	slices.Sort(keys)
	for _, key := range slices.Compact(keys) {
		old, had := before[key]
		now, has := after[key]
		subject := fmt.Sprintf(what, key)
		switch {
		case had && !has:
			c.say(old, "", "%s is gone", subject)
		case !had && has:
			c.say("", now, "%s is new", subject)
		case old != now:
			c.say(old, now, "%s has another value", subject)
		}
	}
}

func (c *comparison) additionalKinds() {
	old := c.before.Spec.StructureDefinition.AdditionalChildKinds
	now := c.after.Spec.StructureDefinition.AdditionalChildKinds
	for _, kind := range old {
		if !slices.Contains(now, kind) {
			c.say(kindText(&kind), "", "pods are no longer looked for below objects of a kind")
		}
	}
	for _, kind := range now {
		if !slices.Contains(old, kind) {
			c.say("", kindText(&kind), "pods are looked for below objects of another kind too")
		}
	}
}

// anythingElse says where the specs differ when nothing of the above does.
func (c *comparison) anythingElse() {
	if path, differ := firstDifference(reflect.ValueOf(c.before.Spec), reflect.ValueOf(c.after.Spec), "spec"); differ {
		c.say("", "", "%s is another value, or stands in another order", path)
	}
}

// firstDifference names the first place in which two values of one type differ.
func firstDifference(a, b reflect.Value, path string) (string, bool) {
	if reflect.DeepEqual(a.Interface(), b.Interface()) {
		return "", false
	}
	switch {
	case a.Kind() == reflect.Pointer && !a.IsNil() && !b.IsNil():
		return firstDifference(a.Elem(), b.Elem(), path)
	case a.Kind() == reflect.Struct:
		for i := range a.NumField() {
			name, _, _ := strings.Cut(a.Type().Field(i).Tag.Get("json"), ",")
			if found, differ := firstDifference(a.Field(i), b.Field(i), path+"."+name); differ {
				return found, true
			}
		}
	case a.Kind() == reflect.Slice && a.Len() == b.Len():
		for i := range a.Len() {
			if found, differ := firstDifference(a.Index(i), b.Index(i), fmt.Sprintf("%s[%d]", path, i)); differ {
				return found, true
			}
		}
	}
	return path, true
}

// nowCalled is the new name of a role.
func (c *comparison) nowCalled(name string) string {
	if renamed, ok := c.renamed[name]; ok {
		return renamed
	}
	return name
}

func kindText(kind *v1alpha1.GroupVersionKind) string {
	if kind == nil {
		return ""
	}
	return kind.APIVersion() + " " + kind.Kind
}

func text(value *string) string {
	if value == nil {
		return ""
	}
	return *value
}

// list writes words as a, b or c.
func list(words []string, last string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " " + last + " " + words[len(words)-1]
}
