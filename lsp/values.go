package lsp

import (
	"fmt"
	"slices"
	"strings"

	"github.com/workloadmap/wm/api/v1alpha1"
	"github.com/workloadmap/wm/lint"
	"github.com/workloadmap/wm/schema/index"
	"github.com/workloadmap/wm/schema/types"
)

// valuesAt lists the values that the schemas of the objects, or the definition
// itself, allow at a place. detail says where they come from.
func (s *server) valuesAt(definition *lint.Definition, path []any) (values []string, detail string) {
	status := upTo(path, "statusDefinition")
	switch name := leaf(path); name {
	case "ownerRef", "componentName":
		return componentNames(definition, path), "component"
	case "group", "version", "kind":
		return kindWords(definition, path, name), "known kind"
	case "byPhase":
		return s.texts(definition, slices.Concat(status, []any{"phaseDefinition", "path"})), "value of the phase"
	case "expectedResult":
		if values := s.texts(definition, slices.Concat(path[:len(path)-1], []any{"expression"})); len(values) > 0 {
			return values, "result of the expression"
		}
		return []string{"true", "false"}, "result of the expression"
	case "type", "status", "reason":
		if !slices.Contains(path, any("byConditions")) {
			return nil, ""
		}
		values := s.conditionWords(definition, slices.Concat(status, []any{"conditionsDefinition", "path"}), name)
		if len(values) == 0 && name == "status" {
			values = []string{"True", "False", "Unknown"}
		}
		return values, name + " of a condition"
	default:
		return nil, ""
	}
}

// upTo is the part of a path that ends with a field; nil without it.
func upTo(path []any, field string) []any {
	if i := slices.Index(path, any(field)); i >= 0 {
		return path[:i+1]
	}
	return nil
}

// resultAt is what the expression at a place gives; false when it is not there,
// is wrong, or nothing is known of the object that it reads.
func (s *server) resultAt(definition *lint.Definition, path []any) (types.Result, bool) {
	at := fmt.Sprint(path)
	for _, e := range definition.Expressions {
		if fmt.Sprint(e.Path) != at || e.Program == nil {
			continue
		}
		known := s.schemaOf(definition, onPods(e.Path))
		if known == nil {
			return types.Result{}, false
		}
		return types.Check(e.Program.Syntax(), known), true
	}
	return types.Result{}, false
}

func (s *server) texts(definition *lint.Definition, path []any) []string {
	result, ok := s.resultAt(definition, path)
	if !ok {
		return nil
	}
	return result.Value.Texts()
}

// conditionWords are the words that the schema allows in a field of conditions.
func (s *server) conditionWords(definition *lint.Definition, path []any, part string) []string {
	result, ok := s.resultAt(definition, path)
	if !ok || result.Value.Schema() == nil || result.Value.Schema().Items() == nil {
		return nil
	}
	var named v1alpha1.ConditionsDefinition
	for _, c := range definition.Components {
		if c.StatusDefinition != nil && c.StatusDefinition.ConditionsDefinition != nil &&
			fmt.Sprint(c.At("statusDefinition")) == fmt.Sprint(upTo(path, "statusDefinition")) {
			named = *c.StatusDefinition.ConditionsDefinition
		}
	}
	named.SetDefaults()
	field, exists := result.Value.Schema().Items().Field(map[string]string{
		"type": named.TypeFieldName, "status": named.StatusFieldName, "reason": named.ReasonFieldName,
	}[part])
	if !exists {
		return nil
	}
	return field.Schema.Enum()
}

// componentNames are those that a place can refer to: nobody owns itself.
func componentNames(definition *lint.Definition, path []any) []string {
	var names []string
	for _, c := range definition.Components {
		own := len(path) > 0 && fmt.Sprint(c.At("ownerRef")) == fmt.Sprint(path)
		if c.Name != "" && !own && !slices.Contains(names, c.Name) {
			names = append(names, c.Name)
		}
	}
	return names
}

// kindWords are the groups, versions or kinds of the kinds that wm knows and
// that agree with what is written beside.
func kindWords(definition *lint.Definition, path []any, part string) []string {
	beside := func(field string) string {
		node := definition.Node(slices.Concat(path[:len(path)-1], []any{field}))
		if field == part || !node.Exists() {
			return ""
		}
		return node.Text()
	}
	if leaf(path[:len(path)-1]) != "kind" && !strings.HasSuffix(leaf(path[:len(path)-1]), "Kinds") {
		return nil
	}
	var words []string
	for _, kind := range index.Kinds() {
		fits := func(field, value string) bool { return beside(field) == "" || beside(field) == value }
		if !fits("group", kind.Group) || !fits("version", kind.Version) || !fits("kind", kind.Kind) {
			continue
		}
		words = append(words, map[string]string{"group": kind.Group, "version": kind.Version, "kind": kind.Kind}[part])
	}
	slices.Sort(words)
	return slices.Compact(words)
}
