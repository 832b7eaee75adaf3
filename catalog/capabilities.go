package catalog

import (
	"fmt"
	"slices"
	"strings"

	"github.com/workloadmap/wm/api/v1alpha1"
	"github.com/workloadmap/wm/jq"
)

// Capabilities are what one built-in definition can tell about a framework's
// workloads, and what can be done with them through it.
type Capabilities struct {
	Entry
	// CheckedAgainst is the release of the framework that the definition was
	// written from, as its header comment says.
	CheckedAgainst string `json:"checkedAgainst"`
	// LiveVerified is the release that a live conformance run last passed on, as
	// the definition's annotation says; null when none did.
	LiveVerified *string `json:"liveVerified"`
	// Roles are the components with pods, in the definition's order.
	Roles []string `json:"roles"`
	// Scale says for which of the roles counts are known: "all", "some" or
	// "none"; Bounds whether minimum or maximum are told anywhere.
	Scale  string `json:"scale"`
	Bounds bool   `json:"bounds"`
	// Phases are those that the definition can report, in the order of the format.
	Phases []v1alpha1.Phase `json:"phases"`
	// Suspend tells whether workloads can be suspended and resumed natively.
	Suspend bool `json:"suspend"`
	// Selectors are the ways in which pods are told apart: type, instance, unit.
	Selectors []string `json:"selectors"`
	// Gangs name the pod groups.
	Gangs []string `json:"gangs"`
	// Requests say where requests and accelerators are read from: "pod template",
	// "pod spec", "fields", in the definition's order.
	Requests []string `json:"requests"`
	// Writable of Paths places of pod data can be edited.
	Writable int `json:"writable"`
	Paths    int `json:"paths"`
}

// LiveVerifiedAnnotation holds the release that a conformance run passed on.
const LiveVerifiedAnnotation = "workloadmap.dev/live-verified"

// Capabilities reads the definition and what its header says.
func (e Entry) Capabilities() (Capabilities, error) {
	c := Capabilities{Entry: e, Roles: []string{}, Phases: []v1alpha1.Phase{}, Selectors: []string{}, Gangs: []string{}, Requests: []string{}}
	content, err := e.Content()
	if err != nil {
		return c, err
	}
	definition, err := e.Load()
	if err != nil {
		return c, err
	}
	c.CheckedAgainst = checkedAgainst(string(content))
	if release, verified := definition.Annotations[LiveVerifiedAnnotation]; verified {
		c.LiveVerified = &release
	}
	scaled := 0
	for _, component := range definition.Components() {
		if c.component(component) {
			scaled++
		}
	}
	switch scaled {
	case 0:
		c.Scale = "none"
	case len(c.Roles):
		c.Scale = "all"
	default:
		c.Scale = "some"
	}
	if hints := definition.Spec.OptimizationInstructions; hints != nil && hints.GangScheduling != nil {
		for _, group := range hints.GangScheduling.PodGroups {
			c.Gangs = append(c.Gangs, group.Name)
		}
		if whole := hints.GangScheduling.PodGroup; whole != nil {
			c.Gangs = append(c.Gangs, whole.Name)
		}
	}
	return c, c.writable(definition)
}

// component adds what one component has; it tells whether that is a role of
// which the count is known.
func (c *Capabilities) component(component v1alpha1.PlacedComponent) (scaled bool) {
	add := func(to *[]string, word string, has bool) {
		if has && !slices.Contains(*to, word) {
			*to = append(*to, word)
		}
	}
	if spec := component.SpecDefinition; spec != nil {
		if spec.PodTemplateSpecPath != nil || spec.PodSpecPath != nil || spec.FragmentedPodSpecDefinition != nil {
			c.Roles = append(c.Roles, component.Name)
			scaled = component.ScaleDefinition != nil && component.ScaleDefinition.ReplicasPath != nil
		}
		add(&c.Requests, "pod template", spec.PodTemplateSpecPath != nil)
		add(&c.Requests, "pod spec", spec.PodSpecPath != nil)
		add(&c.Requests, "fields", spec.FragmentedPodSpecDefinition != nil)
	}
	if scale := component.ScaleDefinition; scale != nil {
		c.Bounds = c.Bounds || scale.MinReplicasPath != nil || scale.MaxReplicasPath != nil
	}
	if selector := component.PodSelector; selector != nil {
		add(&c.Selectors, "type", selector.ComponentTypeSelector != nil)
		add(&c.Selectors, "instance", selector.ComponentInstanceSelector != nil)
		add(&c.Selectors, "unit", selector.ReplicaSelector != nil)
	}
	c.Suspend = c.Suspend || component.SuspendDefinition != nil
	if status := component.StatusDefinition; status != nil && component.Root {
		for _, phase := range v1alpha1.Phases() {
			if len(status.StatusMappings.For(phase)) > 0 {
				c.Phases = append(c.Phases, phase)
			}
		}
	}
	return scaled
}

// writable counts the places of pod data that edits can be written to.
func (c *Capabilities) writable(definition *v1alpha1.WorkloadMap) error {
	for _, expression := range definition.Expressions() {
		if !strings.HasPrefix(expression.Field, "specDefinition.") {
			continue
		}
		program, err := jq.Compile(expression.Text)
		if err != nil {
			return fmt.Errorf("%s: %s %s: %w", c.Name, expression.Component, expression.Field, err)
		}
		c.Paths++
		if program.Assignable() {
			c.Writable++
		}
	}
	return nil
}

// checkedAgainst reads the sentence of the header comment, up to the first
// semicolon, comma or full stop.
func checkedAgainst(content string) string {
	header, _, _ := strings.Cut(content, "apiVersion:")
	var text strings.Builder
	for line := range strings.Lines(header) {
		text.WriteString(strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(line), "#")) + " ")
	}
	_, sentence, found := strings.Cut(text.String(), "Checked against ")
	if !found {
		return ""
	}
	for _, end := range []string{"; ", ", ", ". ", " and its "} {
		sentence, _, _ = strings.Cut(sentence, end)
	}
	return strings.TrimPrefix(strings.TrimSpace(sentence), "the ")
}
