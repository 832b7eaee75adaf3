package jq

import (
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/itchyny/gojq"
)

// TestVisitorKnowsEngine compares the fields of the engine's syntax tree with
// those that visitor and rewriter were written for. When it fails after an
// update of gojq, decide in visit.go, rewrite.go and trace.go what a new field
// means; only then change the list.
func TestVisitorKnowsEngine(t *testing.T) {
	want := map[string]string{
		"Query":             "Meta Imports FuncDefs Term Left Right Patterns Op",
		"Import":            "ImportPath ImportAlias IncludePath Meta",
		"FuncDef":           "Name Args Body",
		"Term":              "Type Index Func Object Array Number Unary Format Str If Try Reduce Foreach Label Break Query SuffixList",
		"Unary":             "Op Term",
		"Pattern":           "Name Array Object",
		"PatternObject":     "Key KeyString KeyQuery Val",
		"Index":             "Name Str Start End IsSlice",
		"Func":              "Name Args",
		"String":            "Str Queries",
		"Object":            "KeyVals",
		"ObjectKeyVal":      "Key KeyString KeyQuery Val",
		"Array":             "Query",
		"Suffix":            "Index Iter Optional",
		"If":                "Cond Then Elif Else",
		"IfElif":            "Cond Then",
		"Try":               "Body Catch",
		"Reduce":            "Query Patterns Start Update",
		"Foreach":           "Query Patterns Start Update Extract",
		"Label":             "Ident Body",
		"ConstTerm":         "Object Array Number Str Null True False",
		"ConstObject":       "KeyVals",
		"ConstObjectKeyVal": "Key KeyString Val",
		"ConstArray":        "Elems",
	}
	got := map[string]string{}
	collectTypes(reflect.TypeFor[gojq.Query](), got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the engine's syntax tree changed (-known +engine):\n%s", diff)
	}
	if !panics(func() { _ = (gojq.OpUpdateAlt + 1).String() }) {
		t.Error("the engine has a new operator after OpUpdateAlt")
	}
	if !panics(func() { _ = (gojq.TermTypeQuery + 1).GoString() }) {
		t.Error("the engine has a new kind of term after TermTypeQuery")
	}
}

func collectTypes(of reflect.Type, fields map[string]string) {
	for of.Kind() == reflect.Pointer || of.Kind() == reflect.Slice {
		of = of.Elem()
	}
	if of.Kind() != reflect.Struct || fields[of.Name()] != "" {
		return
	}
	names := []string{}
	for i := range of.NumField() {
		names = append(names, of.Field(i).Name)
	}
	fields[of.Name()] = strings.Join(names, " ")
	for i := range of.NumField() {
		collectTypes(of.Field(i).Type, fields)
	}
}

func panics(f func()) (did bool) {
	defer func() { did = recover() != nil }()
	f()
	return false
}

// TestPlacesKnown holds that the events of every expression of the corpus and
// of every hole line up with its tokens, so that each has its true place.
func TestPlacesKnown(t *testing.T) {
	expressions := readCorpus(t).Expressions
	for _, hole := range holes {
		expressions = append(expressions, strings.ReplaceAll(strings.ReplaceAll(hole, "%%", "%"), "%s", `([.a | map(.b)] | @json "\(..)" | (.c |= {map: 1, $x, if: 2}))`))
	}
	for _, expression := range expressions {
		q, err := gojq.Parse(expression)
		if err != nil {
			continue
		}
		text, events := lex(expression), visit(q).events
		for i, place := range places(events, text) {
			if got := expression[place.start:place.end]; got != events[i].text {
				t.Errorf("%q: event %q is placed at %q", expression, events[i].text, got)
				break
			}
		}
	}
}

// TestPlacesUnknown holds that a tree and a text that do not fit together mark
// the whole expression, never a wrong part of it.
func TestPlacesUnknown(t *testing.T) {
	text := lex(".a | b | c")
	for _, words := range [][]string{{"b"}, {"b", "x"}, {"x", "c"}, {"b", "c", "d"}} {
		var events []event
		for _, word := range words {
			events = append(events, event{kind: eventCall, text: word})
		}
		for _, place := range places(events, text) {
			if place.start != 0 || place.end != len(text.source) {
				t.Errorf("%v is placed at %q", words, text.text(place))
			}
		}
	}
}

func TestLex(t *testing.T) {
	for expression, want := range map[string]string{
		`.a.b-1 | f($x; @json "a\(.b)c")`: `.a .b - 1 | f ( $x ; @json "a\( .b )c" )`,
		`..a//=1//2=3`:                    `.. a //= 1 // 2 = 3`,
		".a #x\n|.b":                      `.a | .b`,
		`"\"\(1 + (2))\(3)"`:              `"\"\( 1 + ( 2 ) )\( 3 )"`,
		`1.5e-3+.5`:                       `1.5e-3 + .5`,
		`a::b|$c::d`:                      `a::b | $c::d`,
		`.a?//.b`:                         `.a ? // .b`,
		`==!=<=>=`:                        `== != <= >=`,
		`é`:                               `é`,
	} {
		text := lex(expression)
		var got []string
		for _, token := range text.tokens {
			got = append(got, text.text(token))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("lex(%q) = %q, want %q", expression, strings.Join(got, " "), want)
		}
	}
}
