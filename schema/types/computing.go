package types

// computation is what is known of a function that only computes.
type computation struct {
	// takes are the kinds of input that it does not always fail on; 0 when it
	// takes all, or when that is not so simple.
	takes Kinds
	// gives are the kinds of its results, of which each call has one for each
	// combination of its arguments' results.
	gives Kinds
	// sameShape tells that the result is the input with its parts in another
	// order or number.
	sameShape bool
	// byElement tells that the argument is code for each element of the input.
	byElement bool
}

// computing finds a function; false when nothing is known of it.
func computing(name string, arity int) (computation, bool) {
	switch name {
	case "length":
		return computation{takes: AllKinds &^ Boolean, gives: Number}, true
	case "utf8bytelength":
		return computation{takes: String, gives: Number}, true
	case "keys":
		return computation{takes: Array | Object, gives: Array}, true
	case "has", "in":
		return computation{gives: Boolean}, true
	case "from_entries":
		return computation{takes: Array | Object, gives: Object}, arity == 0
	case "with_entries":
		return computation{}, false
	case "any", "all":
		return computation{takes: Array | Object, gives: Boolean}, arity == 0
	case "tostring", "tojson", "type":
		return computation{gives: String}, true
	case "tonumber":
		return computation{takes: Number | String, gives: Number}, true
	case "toboolean":
		return computation{takes: Boolean | String, gives: Boolean}, true
	case "ascii_downcase", "ascii_upcase", "trim", "ltrim", "rtrim":
		return computation{takes: String, gives: String}, true
	case "ltrimstr", "rtrimstr", "trimstr":
		return computation{}, false
	case "startswith", "endswith", "test":
		return computation{takes: String, gives: Boolean}, true
	case "split":
		return computation{takes: String, gives: Array}, true
	case "join":
		return computation{takes: Array, gives: String}, true
	case "floor", "ceil", "round", "sqrt", "fabs", "trunc":
		return computation{takes: Number, gives: Number}, true
	case "sort", "unique", "reverse":
		if name == "reverse" {
			return computation{gives: Array | String | Null}, true
		}
		return computation{takes: Array, gives: Array, sameShape: true}, true
	case "sort_by", "unique_by":
		return computation{takes: Array, gives: Array, sameShape: true, byElement: true}, true
	case "group_by":
		return computation{takes: Array, gives: Array, byElement: true}, true
	case "min_by", "max_by":
		return computation{takes: Array, gives: AllKinds, byElement: true}, false
	case "flatten":
		return computation{takes: Array | Object, gives: Array}, true
	default:
		return computation{}, false
	}
}
