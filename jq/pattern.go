package jq

import (
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"

	"github.com/itchyny/gojq"
)

// pattern is what is known of a literal regular expression before it runs.
type pattern struct {
	// cost is the number of matching instructions that it compiles to: the
	// time of a match is at most this times the length of the text.
	cost int
	// groups is the number of capture groups.
	groups int
}

// pattern checks that the regular expression of a call is a literal. Only
// then can its errors and its size be known before the run, and only then does
// the engine, which keeps every expression that it ever compiled, keep a bounded number.
func (c *checker) pattern(call *gojq.Func) *Error {
	text, flags, ok := literalPattern(call)
	if !ok {
		return forbid(fmt.Sprintf("%s with a computed regular expression is not allowed", call.Name),
			"write the expression and its flags as string literals, so that they can be checked")
	}
	if strings.Trim(flags, "gim") != "" {
		return &Error{Kind: Syntax, Message: fmt.Sprintf("%q are not flags of a regular expression", flags), Help: "the flags are g, i and m"}
	}
	prefix := ""
	if strings.Contains(flags, "i") {
		prefix = "(?i)"
	}
	if strings.Contains(flags, "m") {
		prefix += "(?s)"
	}
	parsed, err := syntax.Parse(prefix+text, syntax.Perl)
	if err != nil {
		return &Error{Kind: Syntax, Message: "the regular expression is not valid: " + patternProblem(err)}
	}
	cost := patternCost(parsed)
	if cost > maxPatternCost {
		return forbid("the regular expression is too large", fmt.Sprintf("its repetitions unfold to more than %d steps", maxPatternCost))
	}
	if _, err := regexp.Compile(prefix + text); err != nil {
		return &Error{Kind: Syntax, Message: "the regular expression is not valid: " + patternProblem(err)}
	}
	c.patterns[call] = pattern{cost: cost, groups: parsed.MaxCap()}
	return nil
}

func patternProblem(err error) string {
	return strings.TrimPrefix(err.Error(), "error parsing regexp: ")
}

// literalPattern gives the regular expression and the flags of a call such as
// test("a"; "i") or test(["a", "i"]).
func literalPattern(call *gojq.Func) (text, flags string, ok bool) {
	first, rest := call.Args[0], call.Args[1:]
	if call.Name == "sub" || call.Name == "gsub" {
		rest = call.Args[2:]
	}
	if literals, isArray := literalStrings(first); isArray && len(call.Args) == 1 && takesArray(call.Name) {
		switch len(literals) {
		case 1:
			return literals[0], "", true
		case 2:
			return literals[0], literals[1], true
		default:
			return "", "", false
		}
	}
	if text, ok = literalString(first); !ok {
		return "", "", false
	}
	if len(rest) == 0 || isNull(rest[0]) {
		return text, "", true
	}
	flags, ok = literalString(rest[0])
	return text, flags, ok
}

func takesArray(name string) bool { return name == "test" || name == "match" || name == "capture" }

// literalString is the value of a query that is a string without interpolation.
func literalString(q *gojq.Query) (string, bool) {
	t := soleTerm(q)
	if t == nil || t.Type != gojq.TermTypeString || t.Str.Queries != nil {
		return "", false
	}
	return t.Str.Str, true
}

func isNull(q *gojq.Query) bool {
	t := soleTerm(q)
	return t != nil && t.Type == gojq.TermTypeNull
}

// literalStrings are the values of a query that is an array of string literals.
func literalStrings(q *gojq.Query) ([]string, bool) {
	t := soleTerm(q)
	if t == nil || t.Type != gojq.TermTypeArray || t.Array.Query == nil {
		return nil, false
	}
	var found []string
	rest := t.Array.Query
	for rest.Op == gojq.OpComma && len(rest.FuncDefs) == 0 {
		last, ok := literalString(rest.Right)
		if !ok {
			return nil, false
		}
		found = append([]string{last}, found...)
		rest = rest.Left
	}
	first, ok := literalString(rest)
	return append([]string{first}, found...), ok
}

// soleTerm is the term of a query that is nothing but a term without suffixes,
// seen through parentheses; nil otherwise.
func soleTerm(q *gojq.Query) *gojq.Term {
	for {
		if q == nil || q.Term == nil || len(q.FuncDefs) > 0 || len(q.Term.SuffixList) > 0 {
			return nil
		}
		if q.Term.Type != gojq.TermTypeQuery {
			return q.Term
		}
		q = q.Term.Query
	}
}

// patternCost estimates the instructions of a regular expression without
// unfolding its repetitions. It stops growing once it is over the bound.
func patternCost(re *syntax.Regexp) int {
	total := 1
	switch re.Op {
	case syntax.OpLiteral:
		total = len(re.Rune)
	case syntax.OpCharClass:
		total = 1 + len(re.Rune)/8
	}
	for _, sub := range re.Sub {
		total += patternCost(sub)
	}
	if re.Op == syntax.OpRepeat {
		total *= max(re.Max, re.Min+1)
	}
	return min(total, maxPatternCost+1)
}
