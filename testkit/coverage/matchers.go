package coverage

import (
	"context"
	"fmt"
	"strings"

	"github.com/workloadmap/wm/api/v1alpha1"
	"github.com/workloadmap/wm/resolver"
)

// matchers adds the status matchers of the root role. Whether one matches is asked
// of the resolver, with a definition that has no other.
func (v *survey) matchers() error {
	root := v.components[0]
	status := root.StatusDefinition
	if status == nil {
		return nil
	}
	for _, phase := range v1alpha1.Phases() {
		declared := status.StatusMappings.For(phase)
		group := &matcherGroup{verdicts: map[*sight][]bool{}}
		for i := range declared {
			alone, err := onlyMatcher(v.definition, declared[i])
			if err != nil {
				return err
			}
			group.readers = append(group.readers, alone)
			field := fmt.Sprintf("statusDefinition.statusMappings.%s[%d]", phase.Key(), i)
			node := v.node(append(root.Path[:len(root.Path):len(root.Path)], "statusDefinition", "statusMappings", phase.Key(), i))
			item := at(node, Item{Kind: Matcher, Where: where(root.Name, field), Value: matcherText(declared[i])})
			if by := declared[i].ByExpression; by != nil {
				item.Expression = by.Expression
			}
			v.add(item, func(ctx context.Context, s *sight) bool { return group.needs(ctx, s, i) })
		}
	}
	return nil
}

// matcherGroup are the matchers of one phase.
type matcherGroup struct {
	readers []*resolver.Resolver
	// verdicts holds for each frame which of them match.
	verdicts map[*sight][]bool
}

// needs reports whether a matcher is the only one of its phase that matches.
func (g *matcherGroup) needs(ctx context.Context, s *sight, i int) bool {
	verdict, known := g.verdicts[s]
	if !known {
		verdict = make([]bool, len(g.readers))
		for j, reader := range g.readers {
			w, err := reader.Resolve(ctx, s.object)
			verdict[j] = err == nil && w.Phase == v1alpha1.PhaseFailed
		}
		g.verdicts[s] = verdict
	}
	for j, matches := range verdict {
		if matches != (j == i) {
			return false
		}
	}
	return true
}

// onlyMatcher compiles a definition that only has one matcher, for Failed.
func onlyMatcher(definition *v1alpha1.WorkloadMap, matcher v1alpha1.StatusMatcher) (*resolver.Resolver, error) {
	alone := &v1alpha1.WorkloadMap{ObjectMeta: definition.ObjectMeta}
	root := &definition.Spec.StructureDefinition.RootComponent
	status := *root.StatusDefinition
	status.StatusMappings = v1alpha1.StatusMappings{Failed: []v1alpha1.StatusMatcher{matcher}}
	alone.Spec.StructureDefinition.RootComponent = v1alpha1.Component{Name: root.Name, Kind: root.Kind, StatusDefinition: &status}
	return resolver.Compile(alone)
}

// matcherText says in one line what a matcher asks for.
func matcherText(m v1alpha1.StatusMatcher) string {
	var parts []string
	if m.ByPhase != "" {
		parts = append(parts, m.ByPhase)
	}
	for _, c := range m.ByConditions {
		text := c.Type
		if c.Status != "" {
			text += "=" + c.Status
		}
		if c.Reason != "" {
			text += " " + c.Reason
		}
		parts = append(parts, text)
	}
	if m.ByExpression != nil {
		parts = append(parts, m.ByExpression.ExpectedResult)
	}
	return strings.Join(parts, " and ")
}
