package types

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/workloadmap/wm/api/v1alpha1"
	"github.com/workloadmap/wm/internal/suggest"
	"github.com/workloadmap/wm/jq"
)

// FaultKind is the kind of a [Fault].
type FaultKind int

// The kinds of faults.
const (
	_ FaultKind = iota
	// FaultNoSuchField is a path that leads to no field of the schema.
	FaultNoSuchField
	// FaultCanFail is an operation that fails on objects that the schema allows.
	FaultCanFail
	// FaultWrongResult is a result that its field of the definition cannot use.
	FaultWrongResult
	// FaultSeveralResults are many results for a component without instances.
	FaultSeveralResults
	// FaultOtherBase are results that belong to another list than the instances.
	FaultOtherBase
	// FaultSuspendValue is a value that the place that it is written to cannot hold.
	FaultSuspendValue
	// FaultNeverEqual is a comparison inside an expression that is never true.
	FaultNeverEqual
	// FaultNeverMatches is a matcher that no workload can meet.
	FaultNeverMatches
)

// Fault is a place where a definition does not fit the schemas of its objects.
type Fault struct {
	Kind FaultKind
	// Path leads to a string of the document: names as strings, indexes as ints.
	Path []any
	// Start and End are the byte offsets in that string.
	Start, End int
	// Message says what is wrong, Help what to do; Help may be empty.
	Message, Help string
}

// Schemas are what is known of the objects that a definition reads. Each may be
// nil: nothing is known then.
type Schemas struct {
	// Root is the workload's own object, Pod a pod.
	Root, Pod Schema
	// Versions are the other versions of Root, by name.
	Versions map[string]Schema
}

// Judged is an expression of a definition and its program; nil when it does
// not compile.
type Judged struct {
	v1alpha1.Expression
	Program *jq.Program
}

// Judge compares a definition with schemas. Faults are in the order of the
// expressions, matchers and values after them in the order of the document.
func Judge(definition *v1alpha1.WorkloadMap, expressions []Judged, schemas Schemas) []Fault {
	j := &judge{schemas: schemas, results: map[resultKey]Result{}, at: map[string]int{}}
	for i, e := range expressions {
		j.at[fmt.Sprint(e.Path)] = i
		if e.Program != nil {
			j.expression(e, instanceOf(expressions, e))
		}
	}
	for _, c := range definition.Components() {
		j.matchers(c, expressions)
		j.suspend(c, expressions)
	}
	return j.faults
}

type resultKey struct {
	text string
	on   v1alpha1.Target
}

// judge holds the state of one Judge.
type judge struct {
	schemas Schemas
	// results holds each distinct text once: definitions test one expression for
	// several phases.
	results map[resultKey]Result
	// at finds an expression by its place in the document.
	at     map[string]int
	faults []Fault
}

func (j *judge) check(e Judged) Result {
	key := resultKey{e.Text, e.On}
	if held, ok := j.results[key]; ok {
		return held
	}
	schema := j.schemas.Root
	if e.On == v1alpha1.OnPod {
		schema = j.schemas.Pod
	}
	result := Check(e.Program.Syntax(), schema)
	j.results[key] = result
	return result
}

func (j *judge) add(kind FaultKind, e Judged, start, end int, message, help string) {
	j.faults = append(j.faults, Fault{kind, e.Path, start, end, message, help})
}

// instanceOf finds the expression that gives the instances of a component.
func instanceOf(expressions []Judged, of Judged) *Judged {
	for i, e := range expressions {
		if e.Role == v1alpha1.RoleInstanceID && e.Component == of.Component {
			return &expressions[i]
		}
	}
	return nil
}

func (j *judge) expression(e Judged, instances *Judged) {
	result := j.check(e)
	for _, p := range result.Problems {
		switch p.Kind {
		case NoSuchField:
			j.add(FaultNoSuchField, e, p.Start, p.End, p.Message, j.where(e, p))
		case NeverEqual:
			j.add(FaultNeverEqual, e, p.Start, p.End, p.Message, nearestOf(p.Wanted, p.Values))
		default:
			j.add(FaultCanFail, e, p.Start, p.End, p.Message, p.Help)
		}
	}
	if misfit, ok := result.Fits(e.Role); !ok {
		j.add(FaultWrongResult, e, 0, len(e.Text), misfit.Message, misfit.Help)
	}
	if perInstance(e.Role) {
		j.instances(e, result, instances)
	}
}

// perInstance tells the roles of which each instance has one result.
func perInstance(role v1alpha1.Role) bool {
	switch role {
	case v1alpha1.RolePhase, v1alpha1.RoleConditions, v1alpha1.RoleStatusExpression, v1alpha1.RoleSuspendPath,
		v1alpha1.RoleInstanceID, v1alpha1.RoleTypeSelector, v1alpha1.RoleInstanceSelector,
		v1alpha1.RoleReplicaSelector, v1alpha1.RoleGroupKey, v1alpha1.RoleFilter:
		return false
	default:
		return true
	}
}

func (j *judge) instances(e Judged, result Result, instances *Judged) {
	base, iterates := e.Program.Base()
	if instances == nil {
		if iterates && result.Count.Max == Many && !result.Count.Filtered {
			j.add(FaultSeveralResults, e, 0, len(e.Text),
				fmt.Sprintf("gives one result for each entry of `%s`, but the component has no instances", base),
				"add `instanceIdPath`, which names the entries, and `podSelector.componentInstanceSelector`")
		}
		return
	}
	if instances.Program == nil || !iterates {
		return
	}
	other, ok := instances.Program.Base()
	if ok && !base.HasPrefix(other) && !other.HasPrefix(base) {
		j.add(FaultOtherBase, e, 0, len(e.Text),
			fmt.Sprintf("belongs to the entries of `%s`, but the instances are those of `%s`", base, other),
			"read instances and their data from the same list")
	}
}

// where adds to a missing field's help where it does exist: in another version,
// or in the object that the expression is not evaluated on.
func (j *judge) where(e Judged, p Problem) string {
	if p.Help != "" || p.Path == "" {
		return p.Help
	}
	steps, ok := stepsOf(p.Path)
	if !ok {
		return p.Help
	}
	other, name := j.schemas.Pod, "this expression reads the workload's own object; `%s` is a field of pods"
	if e.On == v1alpha1.OnPod {
		other, name = j.schemas.Root, "this expression reads a pod; `%s` is a field of the workload's own object"
	}
	if leads(other, steps) {
		return fmt.Sprintf(name, p.Path)
	}
	if e.On == v1alpha1.OnPod {
		return ""
	}
	for _, version := range slices.Sorted(maps.Keys(j.schemas.Versions)) {
		if leads(j.schemas.Versions[version], steps) {
			return fmt.Sprintf("version %s has this field", version)
		}
	}
	return ""
}

func stepsOf(path string) (jq.Path, bool) {
	program, err := jq.Compile(path)
	if err != nil {
		return nil, false
	}
	return program.Path()
}

// leads tells whether a schema has the named fields of a path.
func leads(s Schema, steps jq.Path) bool {
	for _, step := range steps {
		if s == nil {
			return false
		}
		if step.Kind != jq.StepField {
			if s.Items() == nil {
				s = s.Values()
			} else {
				s = s.Items()
			}
			continue
		}
		field, ok := s.Field(step.Field)
		if !ok {
			return false
		}
		s = field.Schema
	}
	return s != nil
}

func nearestOf(wanted string, values []string) string {
	if len(values) == 0 {
		return ""
	}
	if nearest, ok := suggest.Nearest(wanted, values); ok {
		return fmt.Sprintf("did you mean %q?", nearest)
	}
	quotes := make([]string, len(values))
	for i, value := range values {
		quotes[i] = strconv.Quote(value)
	}
	return "it can be " + strings.Join(quotes, ", ")
}

// matchers reports phases and results that a status expression never gives.
func (j *judge) matchers(c v1alpha1.PlacedComponent, expressions []Judged) {
	if c.StatusDefinition == nil {
		return
	}
	status := slices.Concat(c.Path, []any{"statusDefinition"})
	phases, hasPhases := j.resultAt(slices.Concat(status, []any{"phaseDefinition", "path"}), expressions)
	conditions, hasConditions := j.resultAt(slices.Concat(status, []any{"conditionsDefinition", "path"}), expressions)
	for _, phase := range v1alpha1.Phases() {
		for i, m := range c.StatusDefinition.StatusMappings.For(phase) {
			at := slices.Concat(status, []any{"statusMappings", phase.Key(), i})
			if hasPhases && m.ByPhase != "" && !phases.CanGive(m.ByPhase) {
				j.never(slices.Concat(at, []any{"byPhase"}), m.ByPhase, "the phase", phases)
			}
			if hasConditions {
				j.conditions(slices.Concat(at, []any{"byConditions"}), m.ByConditions, *c.StatusDefinition.ConditionsDefinition, conditions)
			}
			if m.ByExpression == nil || m.ByExpression.ExpectedResult == "" {
				continue
			}
			by := slices.Concat(at, []any{"byExpression"})
			expected := m.ByExpression.ExpectedResult
			result, ok := j.resultAt(slices.Concat(by, []any{"expression"}), expressions)
			if ok && !result.CanGive(expected) {
				j.never(slices.Concat(by, []any{"expectedResult"}), expected, "the expression's result", result)
			}
		}
	}
}

func (j *judge) never(path []any, text, what string, result Result) {
	help := nearestOf(text, result.Value.Texts())
	if help == "" && result.Value.holds(Boolean|Null) {
		help = `it is "true" or "false"`
	}
	j.faults = append(j.faults, Fault{FaultNeverMatches, path, 0, len(text), fmt.Sprintf("%s is never %q", what, text), help})
}

func (j *judge) resultAt(path []any, expressions []Judged) (Result, bool) {
	i, ok := j.at[fmt.Sprint(path)]
	if !ok || expressions[i].Program == nil {
		return Result{}, false
	}
	return j.check(expressions[i]), true
}

func (j *judge) suspend(c v1alpha1.PlacedComponent, expressions []Judged) {
	if c.SuspendDefinition == nil {
		return
	}
	for _, actions := range []struct {
		name string
		list []v1alpha1.SuspendAction
	}{{"suspendActions", c.SuspendDefinition.SuspendActions}, {"resumeActions", c.SuspendDefinition.ResumeActions}} {
		for i, action := range actions.list {
			at := slices.Concat(c.Path, []any{"suspendDefinition", actions.name, i})
			result, ok := j.resultAt(slices.Concat(at, []any{"path"}), expressions)
			var value any
			if !ok || json.Unmarshal([]byte(action.Value), &value) != nil || result.Takes(value) {
				continue
			}
			message := fmt.Sprintf("`%s` is %s and cannot be %s", action.Path, result.Value.without(Null).kinds.withArticle(), action.Value)
			j.faults = append(j.faults, Fault{FaultSuspendValue, slices.Concat(at, []any{"value"}), 0, len(action.Value), message,
				nearestOf(strings.Trim(action.Value, `"`), result.Value.Texts())})
		}
	}
}
