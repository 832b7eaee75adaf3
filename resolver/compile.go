package resolver

import (
	"errors"
	"fmt"

	"github.com/workloadmap/wm/api/v1alpha1"
	"github.com/workloadmap/wm/jq"
)

// Resolver is a compiled definition. It is immutable and safe for concurrent use.
type Resolver struct {
	definition DefinitionReference
	root       v1alpha1.GroupVersionKind
	// components holds the root first, then the children as declared.
	components []*component
	status     *status
	gangs      gangs
	// children are the kinds below the root that the definition names.
	children []v1alpha1.GroupVersionKind
	// apart are parts of the object that no expression looks into.
	apart *jq.Places
}

// component is one compiled component.
type component struct {
	// index is the position among the resolver's components.
	index    int
	name     string
	kind     *v1alpha1.GroupVersionKind
	parent   *component
	children []*component

	instanceIDs *expression
	batch       batch
	pods        *podShape
	scale       scale
	selectors   selectors
	suspension  *suspension
	// members are the members of pod groups that may take its pods.
	members []*groupMember
}

// logical components have no pods of their own.
func (c *component) logical() bool { return c.pods == nil }

// expression is one compiled jq expression and where the definition holds it.
type expression struct {
	program   *jq.Program
	component string
	field     string
	// reads says what of a pod an expression reads, so that two can be
	// compared; "" for expressions on the object.
	reads string
	// fields is the path of an expression on pods that is nothing but fields, else nil.
	fields []string
	// batched is the position, from 1, in the component's batch; 0 when it is
	// evaluated by itself.
	batched int
	// below are the fields that a plain path reads of each entry of the component's
	// base; isBelow tells whether it does nothing else.
	below   []string
	isBelow bool
	// constant is the value of an expression that is a literal, when isConstant.
	constant   any
	isConstant bool
	shortcut   *shortcut
}

// Option changes how a definition is compiled.
type Option func(*Resolver)

// WithOrigin records where the definition came from, such as "catalog" or a
// file name; it is shown with every workload.
func WithOrigin(origin string) Option {
	return func(r *Resolver) { r.definition.Origin = origin }
}

// Compile checks the structure of a definition and compiles every expression
// that reading needs. It reports all faults at once, joined; each names the
// component and the field. The definition may be changed afterwards.
func Compile(definition *v1alpha1.WorkloadMap, options ...Option) (*Resolver, error) {
	compiler := compiler{programs: map[string]*jq.Program{}}
	resolver := compiler.resolver(definition)
	for _, option := range options {
		option(resolver)
	}
	if len(compiler.faults) > 0 {
		return nil, fmt.Errorf("compile definition %q: %w", definition.Name, errors.Join(compiler.faults...))
	}
	return resolver, nil
}

// Root is the group, version and kind of the objects that this resolver reads.
func (r *Resolver) Root() v1alpha1.GroupVersionKind { return r.root }

// Definition says which definition this resolver was compiled from.
func (r *Resolver) Definition() DefinitionReference { return r.definition }

// ComponentNames lists all components of the definition, the root first.
func (r *Resolver) ComponentNames() []string {
	names := make([]string, len(r.components))
	for i, c := range r.components {
		names[i] = c.name
	}
	return names
}

// compiler collects every fault of a definition instead of stopping at the first.
type compiler struct {
	faults []error
	// programs holds what was compiled, by text: definitions repeat their
	// expressions, and one program is evaluated once for each object.
	programs map[string]*jq.Program
}

func (c *compiler) fault(component, format string, arguments ...any) {
	c.faults = append(c.faults, fmt.Errorf("component %q: %s", component, fmt.Sprintf(format, arguments...)))
}

func (c *compiler) resolver(definition *v1alpha1.WorkloadMap) *Resolver {
	structure := &definition.Spec.StructureDefinition
	root := &structure.RootComponent
	resolver := &Resolver{definition: DefinitionReference{Name: definition.Name}}
	if root.Kind == nil || root.Kind.Version == "" || root.Kind.Kind == "" {
		c.fault(root.Name, "the root component needs a kind with version and kind")
	} else {
		resolver.root = *root.Kind
	}
	resolver.children = append(resolver.children, structure.AdditionalChildKinds...)
	byName := map[string]*component{}
	declared := []*v1alpha1.Component{root}
	for i := range structure.ChildComponents {
		declared = append(declared, &structure.ChildComponents[i])
	}
	for _, d := range declared {
		compiled := c.component(d)
		if byName[d.Name] != nil {
			c.fault(d.Name, "another component has the same name")
			continue
		}
		byName[d.Name] = compiled
		if d != root && d.Kind != nil {
			resolver.children = append(resolver.children, *d.Kind)
		}
		compiled.index = len(resolver.components)
		resolver.components = append(resolver.components, compiled)
	}
	c.hierarchy(declared[1:], byName)
	if len(c.faults) == 0 {
		inheritUnits(resolver.components[0])
	}
	resolver.status = c.status(root)
	resolver.gangs = c.gangs(definition, byName)
	if len(c.faults) == 0 {
		for _, component := range resolver.components {
			component.members = resolver.gangs.candidates(component)
		}
		if !resolver.readsPod() {
			resolver.apart = apartFrom(resolver.components, resolver.status)
		}
	}
	return resolver
}

// hierarchy hangs each child under its owner and refuses cycles, which would
// otherwise leave components that no walk from the root ever reaches.
func (c *compiler) hierarchy(children []*v1alpha1.Component, byName map[string]*component) {
	owner := map[string]string{}
	for _, child := range children {
		if child.OwnerRef == nil || *child.OwnerRef == "" {
			c.fault(child.Name, "ownerRef is missing: name the component that owns this one")
			continue
		}
		parent := byName[*child.OwnerRef]
		if parent == nil {
			c.fault(child.Name, "ownerRef %q names no component", *child.OwnerRef)
			continue
		}
		owner[child.Name] = *child.OwnerRef
		byName[child.Name].parent = parent
		parent.children = append(parent.children, byName[child.Name])
	}
	for _, child := range children {
		seen := map[string]bool{}
		for name, ok := child.Name, true; ok; name, ok = owner[name] {
			if seen[name] {
				c.fault(child.Name, "ownerRef leads back to component %q", name)
				break
			}
			seen[name] = true
		}
	}
}

func (c *compiler) component(declared *v1alpha1.Component) *component {
	compiled := &component{name: declared.Name, kind: declared.Kind}
	compiled.instanceIDs = c.optional(declared.Name, "instanceIdPath", declared.InstanceIDPath)
	if d := declared.SpecDefinition; d != nil {
		compiled.pods = c.podShape(declared.Name, d)
	}
	if d := declared.ScaleDefinition; d != nil {
		compiled.scale = scale{
			replicas: c.optional(declared.Name, "scaleDefinition.replicasPath", d.ReplicasPath),
			min:      c.optional(declared.Name, "scaleDefinition.minReplicasPath", d.MinReplicasPath),
			max:      c.optional(declared.Name, "scaleDefinition.maxReplicasPath", d.MaxReplicasPath),
		}
	}
	compiled.selectors = c.selectors(declared.Name, declared.PodSelector)
	compiled.suspension = c.suspension(declared.Name, declared.SuspendDefinition)
	if compiled.instanceIDs != nil {
		compiled.batch = perEntry(compiled)
	}
	return compiled
}

// optional compiles an expression that a definition may leave out; nil when it does.
func (c *compiler) optional(component, field string, text *string) *expression {
	if text == nil {
		return nil
	}
	return c.expression(component, field, *text)
}

func (c *compiler) expression(component, field, text string) *expression {
	program, ok := c.programs[text]
	if !ok {
		var err error
		if program, err = jq.Compile(text); err != nil {
			c.fault(component, "%s: %v", field, err)
			return nil
		}
		c.programs[text] = program
	}
	compiled := &expression{program: program, component: component, field: field}
	compiled.constant, compiled.isConstant = program.Constant()
	compiled.shortcut = shortcutOf(program)
	return compiled
}

// podExpression compiles an expression that is evaluated on pods.
func (c *compiler) podExpression(component, field, text string) *expression {
	compiled := c.expression(component, field, text)
	if compiled != nil {
		compiled.reads, compiled.fields = readsOf(compiled.program), fieldsOf(compiled.program)
	}
	return compiled
}
