package types

import (
	"cmp"
	"slices"

	"github.com/workloadmap/wm/jq"
)

// ProblemKind is the kind of a [Problem].
type ProblemKind int

// The kinds of problems.
const (
	_ ProblemKind = iota
	// NoSuchField is a field that the schema does not have.
	NoSuchField
	// FailsOnNull is an operation that fails when an optional field is left out.
	FailsOnNull
	// AlwaysFails is an operation that fails on every value that the schema
	// allows.
	AlwaysFails
	// NeverEqual is a comparison with == that no value can meet.
	NeverEqual
)

// Problem is a place in an expression that does not fit the schema.
type Problem struct {
	Kind ProblemKind
	// Start and End are byte offsets in the expression.
	Start, End int
	// Path is the field or operand that the problem is about, as jq path from
	// the input; it may be empty.
	Path string
	// Field is the missing field of NoSuchField, and Known the fields that its
	// object has, sorted.
	Field string
	Known []string
	// Values are the operand's only texts for NeverEqual, or nil; Wanted the text
	// it was compared with.
	Values []string
	Wanted string
	// Message says what is wrong, Help what to do; Help may be empty.
	Message, Help string
}

// Count is how many results an expression has.
type Count struct {
	// Min is 0 or 1: at least one result is certain. Max is 0, 1 or [Many].
	Min, Max int
	// Filtered tells that the elements of a list were selected from: there may
	// be Many results, and the author may know that there is only one.
	Filtered bool
}

// Many is the Max of a Count that has no bound.
const Many = 2

// Result is what is known of an expression.
type Result struct {
	// Value holds every result that the expression can have, Count how many.
	Value Value
	Count Count
	// Problems are sorted by place.
	Problems []Problem
	// Reads are the fields that the expression names, sorted by place.
	Reads []Read
}

// Read is a field that an expression names, such as phase in .status.phase.
type Read struct {
	// Start and End are the byte offsets of the name in the expression.
	Start, End int
	// Object describes the object that the field is read from; nil when nothing
	// is known of it, or when the expression made it itself.
	Object Schema
	// Path is where the object is in the input; empty when that is not known.
	Path string
	// Key tells that the object is a map, whose keys no schema lists.
	Key bool
}

// maxSteps bounds the work on one expression: functions of functions can make
// it exponential in the text. An expression that needs more is unknown.
const maxSteps = 50_000

// Check computes what an expression gives on the objects of a schema; a nil
// schema knows nothing.
func Check(root *jq.Node, input Schema) Result {
	in := &interpreter{tested: map[string]bool{}}
	start := described(input, ".", false)
	if input != nil {
		start = start.without(Null)
	}
	out := in.eval(root, start, nil)
	if in.steps > maxSteps {
		// What was read by then may not be all that is read there.
		return Result{Value: anything(), Count: Count{Max: Many, Filtered: true}}
	}
	result := Result{Value: out.value, Count: out.count, Reads: in.namedFields()}
	for _, p := range in.problems {
		if p.Kind != FailsOnNull || !in.tested[p.Path] {
			result.Problems = append(result.Problems, p)
		}
	}
	slices.SortStableFunc(result.Problems, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End), cmp.Compare(a.Kind, b.Kind))
	})
	result.Problems = slices.CompactFunc(result.Problems, func(a, b Problem) bool {
		return a.Start == b.Start && a.End == b.End && a.Kind == b.Kind
	})
	return result
}

// namedFields lists each place once. One that is evaluated on several kinds of
// objects is read from none that is known.
func (in *interpreter) namedFields() []Read {
	slices.SortStableFunc(in.reads, func(a, b Read) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End))
	})
	var named []Read
	for _, r := range in.reads {
		last := len(named) - 1
		switch {
		case last < 0 || named[last].Start != r.Start || named[last].End != r.End:
			named = append(named, r)
		case named[last].Object != r.Object:
			named[last].Object, named[last].Path, named[last].Key = nil, "", named[last].Key && r.Key
		}
	}
	return named
}

// outcome is what evaluating a node gives: all results joined, and their count.
type outcome struct {
	value Value
	count Count
}

func one(v Value) outcome { return outcome{v, Count{Min: 1, Max: 1}} }

func unknownOutcome() outcome {
	return outcome{anything(), Count{Max: Many, Filtered: true}}
}

// times is the count of one expression for each result of another.
func (c Count) times(each Count) Count {
	return Count{Min: c.Min * each.Min, Max: min(Many, c.Max*each.Max), Filtered: c.Filtered || each.Filtered}
}

// either is the count of one of two expressions.
func (c Count) either(other Count) Count {
	return Count{Min: min(c.Min, other.Min), Max: max(c.Max, other.Max), Filtered: c.Filtered || other.Filtered}
}

// interpreter holds the state of one Check.
type interpreter struct {
	steps    int
	problems []Problem
	// tested holds the paths that conditions look at.
	tested map[string]bool
	// testing and caught count the conditions, and the constructs that catch
	// errors, around the node.
	testing, caught int
	// tried counts the constructs among them that the author wrote to try
	// something: "?" and try, not "//".
	tried int
	// reads are all fields read, those in functions as often as these are called.
	reads []Read
}

func (in *interpreter) report(p Problem) { in.problems = append(in.problems, p) }
