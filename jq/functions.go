package jq

import (
	"slices"
	"strings"
	"sync"
)

// function is one built-in function that expressions may call, and how its
// cost is kept in bounds. All fields but the name and arity name functions of
// meter.go or library.go; empty means that nothing is needed.
type function struct {
	name  string
	arity int
	// before is called with the function's input.
	before string
	// argument is called with the input and the value of the one argument.
	argument string
	// after is called with the result.
	after string
	// instead is a definition of library.go that replaces the function.
	instead string
	// pattern marks a first argument that is a regular expression.
	pattern bool
}

// functions is the allow-list, sorted by name. A function with nothing but a
// name runs in constant time, or only steers other code, whose steps
// count.
func functions() []function {
	list := []function{
		{name: "add", before: "__addable", after: "__made"},
		{name: "add", arity: 1, instead: "__add"},
		{name: "all", before: "__iterable"},
		{name: "all", arity: 1, before: "__iterable"},
		{name: "all", arity: 2},
		{name: "any", before: "__iterable"},
		{name: "any", arity: 1, before: "__iterable"},
		{name: "any", arity: 2},
		{name: "ascii_downcase", before: "__scanned", after: "__made"},
		{name: "ascii_upcase", before: "__scanned", after: "__made"},
		{name: "capture", arity: 1, pattern: true, after: "__found"},
		{name: "capture", arity: 2, pattern: true, after: "__found"},
		{name: "contains", arity: 1, argument: "__contained"},
		{name: "empty"},
		{name: "endswith", arity: 1, before: "__scanned"},
		{name: "error", before: "__thrown"},
		{name: "error", arity: 1, instead: "__error"},
		{name: "explode", before: "__exploded"},
		{name: "first", before: "__indexable"},
		{name: "first", arity: 1},
		{name: "flatten", before: "__flattened", after: "__made"},
		{name: "flatten", arity: 1, before: "__flattened", after: "__made"},
		{name: "format", arity: 1, before: "__written", after: "__made"},
		{name: "from_entries", before: "__entries"},
		{name: "fromdate", before: "__scanned"},
		{name: "fromdateiso8601", before: "__scanned"},
		{name: "fromjson", before: "__text", after: "__parsed"},
		{name: "getpath", arity: 1, instead: "__getpath"},
		{name: "gmtime"},
		{name: "group_by", arity: 1, instead: "__group_by"},
		{name: "gsub", arity: 2, instead: "__gsub", pattern: true},
		{name: "gsub", arity: 3, instead: "__gsub", pattern: true},
		{name: "has", arity: 1, argument: "__keyed"},
		{name: "implode", before: "__iterable", after: "__made"},
		{name: "in", arity: 1, before: "__scanned"},
		{name: "IN", arity: 1, instead: "__in"},
		{name: "IN", arity: 2, instead: "__in"},
		{name: "index", arity: 1, argument: "__searched"},
		{name: "indices", arity: 1, argument: "__searched", after: "__made"},
		{name: "inside", arity: 1, argument: "__contained"},
		{name: "isempty", arity: 1},
		{name: "join", arity: 1, argument: "__joined", after: "__made"},
		{name: "keys", before: "__entries"},
		{name: "last", before: "__indexable"},
		{name: "last", arity: 1},
		{name: "length", before: "__scanned"},
		{name: "limit", arity: 2},
		{name: "ltrimstr", arity: 1, before: "__scanned"},
		{name: "ltrim", before: "__scanned"},
		{name: "map", arity: 1, before: "__iterable", after: "__made"},
		{name: "map_values", arity: 1, instead: "__map_values"},
		{name: "match", arity: 1, pattern: true, after: "__found"},
		{name: "match", arity: 2, pattern: true, after: "__found"},
		{name: "max", before: "__sortable"},
		{name: "max_by", arity: 1, instead: "__max_by"},
		{name: "min", before: "__sortable"},
		{name: "min_by", arity: 1, instead: "__min_by"},
		{name: "mktime"},
		{name: "not"},
		{name: "nth", arity: 1, before: "__indexable"},
		{name: "nth", arity: 2},
		{name: "path", arity: 1, after: "__made"},
		{name: "reverse", after: "__made"},
		{name: "rindex", arity: 1, argument: "__searched"},
		{name: "rtrimstr", arity: 1, before: "__scanned"},
		{name: "rtrim", before: "__scanned"},
		{name: "scan", arity: 1, pattern: true, after: "__found"},
		{name: "scan", arity: 2, pattern: true, after: "__found"},
		{name: "select", arity: 1},
		{name: "skip", arity: 2},
		{name: "sort", before: "__sortable"},
		{name: "sort_by", arity: 1, instead: "__sort_by"},
		{name: "split", arity: 1, argument: "__split"},
		{name: "split", arity: 2, pattern: true, after: "__made"},
		{name: "splits", arity: 1, pattern: true},
		{name: "splits", arity: 2, pattern: true},
		{name: "startswith", arity: 1, before: "__scanned"},
		{name: "sub", arity: 2, instead: "__sub", pattern: true},
		{name: "sub", arity: 3, instead: "__sub", pattern: true},
		{name: "test", arity: 1, pattern: true},
		{name: "test", arity: 2, pattern: true},
		{name: "to_entries", before: "__entries"},
		{name: "toboolean"},
		{name: "todate"},
		{name: "todateiso8601"},
		{name: "tojson", before: "__written", after: "__made"},
		{name: "tonumber", before: "__numeric"},
		{name: "tostring", before: "__written", after: "__made"},
		{name: "transpose", before: "__transposed"},
		{name: "trim", before: "__scanned"},
		{name: "trimstr", arity: 1, before: "__scanned"},
		{name: "type"},
		{name: "unique", before: "__sortable"},
		{name: "unique_by", arity: 1, instead: "__unique_by"},
		{name: "utf8bytelength"},
		{name: "with_entries", arity: 1, before: "__entries"},
	}
	for _, name := range strings.Fields("arrays booleans finites iterables normals nulls numbers objects scalars strings values") {
		list = append(list, function{name: name})
	}
	// Arithmetic on floats: constant time. jn and yn are not, they loop.
	for _, name := range strings.Fields(`abs acos acosh asin asinh atan atanh cbrt ceil cos cosh erf erfc
		exp exp10 exp2 expm1 fabs floor frexp gamma infinite isfinite isinfinite isnan isnormal j0 j1
		lgamma log log10 log1p log2 logb modf nan nearbyint rint round significand sin sinh sqrt tan
		tanh tgamma trunc y0 y1`) {
		list = append(list, function{name: name})
	}
	for _, name := range strings.Fields(`atan2 copysign drem fdim fmax fmin fmod hypot ldexp nextafter
		nexttoward pow remainder scalb scalbln`) {
		list = append(list, function{name: name, arity: 2})
	}
	list = append(list, function{name: "fma", arity: 3})
	slices.SortStableFunc(list, func(a, b function) int { return strings.Compare(a.name, b.name) })
	return list
}

// Reasons why a function is refused, as the second half of a sentence.
const (
	reasonGrows   = "it can go on without end"
	reasonChanges = "definitions read an object and never change it"
	reasonOutside = "the result must depend on the object alone"
	reasonZone    = "its format can ask for the time zone of the machine; todate and fromdate do not"
	reasonHalts   = "it ends the run instead of giving a result"
	reasonSpare   = "reading an object does not need it and nothing bounds its cost"
)

// refused gives the reason why a name of jq must not be used, whatever the
// number of its arguments and whoever defined it: a reader of a definition
// would take it for the built-in function.
func refused(name string) (reason string, is bool) {
	switch name {
	case "range", "paths", "leaf_paths", "recurse", "recurse_down", "walk", "repeat", "until", "while",
		"combinations", "tostream", "fromstream", "truncate_stream":
		return reasonGrows, true
	case "del", "delpaths", "setpath", "pick":
		return reasonChanges, true
	case "input", "inputs", "debug", "stderr", "input_filename", "input_line_number", "env", "$ENV",
		"builtins", "modulemeta", "get_search_list", "now", "localtime", "strflocaltime",
		"$__loc__", "$__prog_args":
		return reasonOutside, true
	case "strptime", "strftime":
		return reasonZone, true
	case "halt", "halt_error":
		return reasonHalts, true
	case "bsearch", "INDEX", "JOIN", "jn", "yn":
		return reasonSpare, true
	default:
		return "", false
	}
}

// elsewhere explains functions of other jq versions that this engine lacks.
func elsewhere(name string) string {
	switch name {
	case "keys_unsorted":
		return "use keys: this engine keeps objects sorted by key"
	case "isvalid":
		return "use (try (...) catch false)"
	case "toarray":
		return `use if type == "array" then . else [.] end`
	default:
		return ""
	}
}

// formats are the string formats of the engine.
func formats() []string {
	return []string{"@base64", "@base64d", "@csv", "@html", "@json", "@sh", "@text", "@tsv", "@uri", "@urid"}
}

// signature identifies a function: jq tells functions of one name apart by
// their number of arguments.
type signature struct {
	name  string
	arity int
}

// functionTable is the allow-list by signature, made once.
var functionTable = sync.OnceValue(func() map[signature]function {
	table := map[signature]function{}
	for _, f := range functions() {
		table[signature{f.name, f.arity}] = f
	}
	return table
})

// allowed finds a function of the allow-list.
func allowed(name string, arity int) (function, bool) {
	f, ok := functionTable()[signature{name, arity}]
	return f, ok
}

// arities are the numbers of arguments that a function of the allow-list
// takes, in ascending order.
func arities(name string) []int {
	var counts []int
	for arity := range 4 {
		if _, ok := allowed(name, arity); ok {
			counts = append(counts, arity)
		}
	}
	return counts
}
