package mutation

import (
	"fmt"
	"slices"
	"strings"

	"github.com/workloadmap/wm/api/v1alpha1"
	"github.com/workloadmap/wm/jq"
	"github.com/workloadmap/wm/resolver"
	"github.com/workloadmap/wm/schema/index"
	"github.com/workloadmap/wm/source"
)

// original is a definition as it was written, taken apart for the operators.
type original struct {
	document    *source.Document
	definition  *v1alpha1.WorkloadMap
	components  []v1alpha1.PlacedComponent
	expressions []*expression
	// twins are the paths of the values that are written in one place: more
	// than one where an alias repeats an anchor.
	twins map[source.Range][][]any
	// read are the names of the fields that the expressions read, by the sort of
	// object; leaves those read from unknown objects that nothing is read from
	// in turn. Sorted.
	read   map[objects][]string
	leaves map[v1alpha1.Target][]string
}

// objects is a sort of objects that fields are read from: of one type, or where
// that is unknown, what one path leads to.
type objects struct {
	on    v1alpha1.Target
	of    index.Type
	place string
}

func (x *expression) sortOf(n *jq.Node) objects {
	s := objects{on: x.On, of: x.owners[n].of}
	if s.of.Kind() == index.Any {
		s.place = x.text(n.Start, n.MarkStart)
	}
	return s
}

// noteFields fills in which fields are read.
func (o *original) noteFields() {
	o.read, o.leaves = map[objects][]string{}, map[v1alpha1.Target][]string{}
	for _, x := range o.expressions {
		inner := map[*jq.Node]bool{}
		each(x.root, func(n *jq.Node) {
			if n.Kind != jq.NodeField {
				return
			}
			o.read[x.sortOf(n)] = append(o.read[x.sortOf(n)], n.Name)
			inner[n.Args[0]] = true
			if x.owners[n].of.Kind() == index.Any && !inner[n] {
				o.leaves[x.On] = append(o.leaves[x.On], n.Name)
			}
		})
	}
	for key, names := range o.read {
		slices.Sort(names)
		o.read[key] = slices.Compact(names)
	}
	for on, names := range o.leaves {
		slices.Sort(names)
		o.leaves[on] = slices.Compact(names)
	}
}

// expression is a jq expression and everything that is read through it.
type expression struct {
	v1alpha1.Expression
	node source.Node
	root *jq.Node
	// owners are the types of the objects that the field nodes read from.
	owners map[*jq.Node]shape
	// phases are those whose matchers have a status expression.
	phases []string
}

func takeApart(document *source.Document) (*original, error) {
	definition, err := v1alpha1.Decode(document.Value())
	if err != nil {
		return nil, fmt.Errorf("read the definition in %s: %w", document.File().Name(), err)
	}
	if _, err := resolver.Compile(definition); err != nil {
		return nil, fmt.Errorf("compile the definition in %s: %w", document.File().Name(), err)
	}
	o := &original{document: document, definition: definition, components: definition.Components(), twins: map[source.Range][][]any{}}
	o.findTwins(document.Value(), nil)
	schemas := schemasOf(definition)
	byPlace := map[source.Range]*expression{}
	for _, x := range definition.Expressions() {
		node, depth := document.Find(x.Path...)
		if depth != len(x.Path) {
			continue
		}
		place := written(node)
		if _, seen := byPlace[place]; !seen {
			program, err := jq.Compile(x.Text)
			if err != nil {
				return nil, fmt.Errorf("compile %s of %s: %w", x.Field, x.Component, err)
			}
			made := &expression{Expression: x, node: node, root: program.Syntax()}
			made.owners = ownersIn(made.root, schemas.of(x.On))
			byPlace[place] = made
			o.expressions = append(o.expressions, made)
		}
		if at := slices.Index(x.Path, any("statusMappings")); at >= 0 {
			byPlace[place].phases = append(byPlace[place].phases, phaseOf(x.Path[at+1]))
		}
	}
	o.noteFields()
	return o, nil
}

// written is where a value is written, also when an alias leads to it.
func written(node source.Node) source.Range {
	if anchor, ok := node.Anchor(); ok {
		return anchor.Range()
	}
	return node.Range()
}

func (o *original) findTwins(value any, path []any) {
	node, depth := o.document.Find(path...)
	if depth == len(path) && node.Exists() {
		place := written(node)
		o.twins[place] = append(o.twins[place], path)
	}
	switch value := value.(type) {
	case map[string]any:
		for _, key := range sortedKeys(value) {
			o.findTwins(value[key], append(slices.Clone(path), key))
		}
	case []any:
		for i, item := range value {
			o.findTwins(item, append(slices.Clone(path), i))
		}
	}
}

// twinsOf are the paths that change together with one, itself among them.
func (o *original) twinsOf(path []any) [][]any {
	node, depth := o.document.Find(path...)
	if depth != len(path) {
		return [][]any{path}
	}
	return o.twins[written(node)]
}

// phaseOf is the phase of a key of statusMappings.
func phaseOf(key any) string {
	for _, phase := range v1alpha1.Phases() {
		if phase.Key() == key {
			return string(phase)
		}
	}
	return fmt.Sprint(key)
}

// subject names in words what an expression decides.
func (x *expression) subject() string {
	name := x.Component
	switch x.Role {
	case v1alpha1.RolePodTemplate, v1alpha1.RolePodSpec, v1alpha1.RoleMetadata:
		return fmt.Sprintf("the %s of %s", x.Role, name)
	case v1alpha1.RoleReplicas, v1alpha1.RoleMinReplicas, v1alpha1.RoleMaxReplicas:
		return fmt.Sprintf("the %s of %s", x.Role, name)
	case v1alpha1.RolePhase:
		return "the framework's own phase"
	case v1alpha1.RoleConditions:
		return "the conditions"
	case v1alpha1.RoleStatusExpression:
		const most = 3
		if len(x.phases) > most {
			return "the phase of the workload"
		}
		return "whether the workload is " + anyOf(x.phases)
	case v1alpha1.RoleSuspendPath:
		if strings.Contains(x.Field, "resumeActions") {
			return "what resuming writes"
		}
		return "what suspending writes"
	case v1alpha1.RoleInstanceID:
		return "the names of the instances of " + name
	case v1alpha1.RoleTypeSelector:
		return "which pods are " + name + " pods"
	case v1alpha1.RoleInstanceSelector:
		return "which instance of " + name + " a pod belongs to"
	case v1alpha1.RoleReplicaSelector:
		return "which unit of " + name + " a pod belongs to"
	case v1alpha1.RoleGroupKey:
		return "which pods of " + name + " share a gang"
	case v1alpha1.RoleFilter:
		return "which pods of " + name + " are in the gang"
	default:
		return fmt.Sprintf("the %s of %s pods", x.Role, name)
	}
}

func anyOf(words []string) string {
	words = slices.Clone(words)
	slices.Sort(words)
	words = slices.Compact(words)
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " or " + words[len(words)-1]
}

// text is the part of an expression between two offsets.
func (x *expression) text(start, end int) string { return x.Text[start:end] }

// label is where an expression stands, without list indexes: it is part of a
// mutant's name, which should not change when a list grows.
func label(component, field string) string {
	var plain strings.Builder
	for depth, rest := 0, field; rest != ""; rest = rest[1:] {
		switch {
		case rest[0] == '[':
			depth++
		case rest[0] == ']':
			depth--
		case depth == 0:
			plain.WriteByte(rest[0])
		}
	}
	return component + "." + plain.String()
}

// each visits the nodes of an expression in the order of its text.
func each(n *jq.Node, visit func(*jq.Node)) {
	if n == nil {
		return
	}
	visit(n)
	for _, argument := range n.Args {
		each(argument, visit)
	}
	for _, entry := range n.Entries {
		each(entry.Key, visit)
		each(entry.Value, visit)
	}
	for _, pattern := range n.Patterns {
		eachInPattern(pattern, visit)
	}
}

func eachInPattern(p *jq.Pattern, visit func(*jq.Node)) {
	if p == nil {
		return
	}
	for _, element := range p.Array {
		eachInPattern(element, visit)
	}
	for _, entry := range p.Object {
		each(entry.Key, visit)
		eachInPattern(entry.Value, visit)
	}
}
