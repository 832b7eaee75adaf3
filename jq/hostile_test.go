//go:build !race

// What this file measures means nothing under the race detector, which has
// nothing to find in a single goroutine either.

package jq

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"
)

// hostile are expressions made to exhaust time or memory. The input has a list
// .l of 1,000 numbers, a string .s of 1 MiB and a wide object .o of 10,000 fields.
func hostile() map[string]string {
	doubled := func(step string, times int) string {
		return strings.TrimSuffix(strings.Repeat(step+"|", times), "|")
	}
	names := []string{}
	for i := range 150 {
		names = append(names, fmt.Sprintf("def f%d: f%d|f%d;", i+1, i, i))
	}
	return map[string]string{
		"string doubled in reduce":         `reduce .l[] as $x ("x"; . + .)`,
		"array doubled in reduce":          `reduce .l[] as $x ([1]; . + .)`,
		"array of itself in reduce":        `reduce .l[] as $x ([1]; [., .]) | tojson`,
		"shared array written":             doubled("[.,.]", 60) + "|tojson",
		"shared array given":               doubled("[.,.]", 60),
		"shared array compared":            doubled("[.,.]", 60) + "|. == ([.][0])",
		"shared array sorted":              doubled("[.,.]", 60) + "|sort",
		"shared array flattened":           doubled("[.,.]", 60) + "|flatten",
		"shared array contained":           doubled("[.,.]", 60) + "|contains([[1]])",
		"shared array as error":            doubled("[.,.]", 60) + "|error",
		"shared array as error value":      doubled("[.,.]", 60) + "|try error(.) catch tojson",
		"shared object as key":             doubled("{a:.,b:.}", 60) + "|tostring|length",
		"shared array in string":           doubled("[.,.]", 60) + `|"\(.)"`,
		"shared array in key":              doubled("[.,.]", 60) + `|{"\(.)": 1}`,
		"shared object merged":             doubled("{a:.,b:.}", 60) + "|. * .",
		"deep nesting in reduce":           `reduce (.l[]|tostring|explode[]) as $x (.; [.]) | tojson`,
		"deep nesting given":               `. as $r|reduce (.l[]|$r.l[0:50][]) as $x (.; {a:.})`,
		"deep nesting compared":            `. as $r|reduce (.l[]|$r.l[0:50][]) as $x (.; {a:.}) | . == ([.][0])`,
		"join of a large separator":        `. as $r | .l | map(tostring) | join($r.s)`,
		"string times number":              `.s * 1000000000`,
		"string times field":               `. as $r | "ab" * ($r.l[999] * 1000000000)`,
		"product of lists":                 `. as $r | [$r.l[] | $r.l[] | $r.l[]] | length`,
		"product of wide iterations":       `.o as $o | ` + doubled("$o[]", 300),
		"first of wide iterations":         `.o as $o | [.l[] | first($o[])] | length`,
		"object with many choices":         `{` + strings.TrimSuffix(strings.Repeat(`"k":(1,2),`, 40), ",") + `}`,
		"array with many choices":          `[(1,2)|(1,2)|(1,2)|(1,2)|(1,2)|(1,2)|(1,2)|(1,2)|(1,2)|(1,2)|(1,2)|(1,2)|(1,2)|(1,2)|(1,2)|(1,2)|(1,2)|(1,2)|(1,2)|(1,2)|(1,2)]|length`,
		"functions calling twice":          "def f0: .+1;" + strings.Join(names[:100], "") + "0|f100",
		"functions with forks":             "def f0: (.,.);" + strings.Join(names[:100], "") + "0|f100",
		"own recursion":                    `def f: f; f`,
		"recursion through a parameter":    `def f(g): g; def h: f(h); h`,
		"recursion through inner":          `def f: def g: f; g; f`,
		"endless label":                    `label $f | def g: ., g; g`,
		"foreach growing":                  `[foreach .l[] as $x ([]; . + [.]; .)] | length`,
		"large power":                      `pow(10; 1000000000)`,
		"large literal":                    `1e1000000000`,
		"many digits":                      strings.Repeat("9", 4000) + " * . ",
		"squares":                          `reduce .l[] as $x (3; . * .)`,
		"sums of large numbers":            `reduce .l[] as $x (9223372036854775807; . + .)`,
		"exp10 squares":                    `reduce .l[] as $x (10|exp10; . * .) | tostring`,
		"digits from text":                 `[.l[]|tostring]|add|.+.+.+.|tonumber|.*.`,
		"digits from JSON":                 `[.l[]|tostring]|add|"1"+.|fromjson|.*.`,
		"regular expression of repeats":    `.s | test("(x{1,30}){1,30}y")`,
		"regular expression of choices":    `.s | test("(x|xx|xxx|x*x*x*x*x*)*y")`,
		"many large repeats":               `.s | test("` + strings.Repeat("x{1000}", 300) + `")`,
		"all empty matches":                `[.s | match(""; "g")] | length`,
		"all empty scans":                  `[.s | scan("")] | length`,
		"all characters split":             `[.s | splits("")] | length`,
		"replacing by growth":              `.s as $s | .s | gsub("x"; $s)`,
		"replacing short by large":         `.s as $s | .s[0:500] | gsub("x"; $s)`,
		"replacing in a row":               `.s|` + doubled(`gsub("x";"xxxxxxxxxx")`, 30),
		"replacing short in a row":         `.s[0:10]|` + doubled(`gsub("x";"xxxxxxxxxx")`, 12),
		"splits at the limit":              `.s[0:17000] | [splits("")] | length`,
		"matches at the limit":             `.s[0:17000] | [match("()()()()"; "g")] | length`,
		"replacing at the limit":           `.s[0:17000] | gsub("x"; "y") | length`,
		"capture groups in a long text":    `.s[0:17000] | [capture("(?<a>x)(?<b>x?)"; "g")] | length`,
		"exploding":                        `[limit(1000; .s | explode, explode, explode, explode)] | length`,
		"exploding and back":               `.s|` + doubled("explode|implode", 40),
		"splitting into characters":        `[.s, .s, .s, .s | split("")] | length`,
		"base64 in a row":                  `.s|` + doubled("@base64", 60),
		"JSON in a row":                    `"\u0001"|` + doubled("tojson", 60),
		"JSON there and back":              `[.l[]|tostring]|` + doubled("tojson|fromjson", 60),
		"JSON of small maps":               `("[" + ("{}," * 2000000) + "1]") | fromjson | length`,
		"shell quotes in a row":            `"'"|` + doubled("@sh", 60),
		"HTML in a row":                    `"<&"|` + doubled("@html", 60),
		"URI in a row":                     `" "|` + doubled("@uri", 60),
		"CSV of the list":                  `.s as $s | [.l[]|$s] | @csv`,
		"interpolation of a large string":  `"` + strings.Repeat(`\(.s)`, 700) + `"|length`,
		"formatted interpolation":          `@base64 "` + strings.Repeat(`\(.s)`, 700) + `"|length`,
		"add of one string":                `.s as $s | add(.l[] | $s)`,
		"add of one array":                 `.l as $l | [.l[] | $l] | add | length`,
		"add of arrays of arrays":          `.l as $l | [.l[]|[$l]]|add|add|add`,
		"wide object copied":               `.o as $o | reduce .l[] as $x ($o; . + {"\($x)": 1}) | length`,
		"wide object as entries":           `.o as $o | [.l[] | $o | to_entries] | length`,
		"wide object with entries":         `.o as $o | [.l[] | $o | with_entries(.)] | length`,
		"wide object grouped":              `.o as $o | [.l[] | [$o[]] | group_by(.)] | length`,
		"sorting large strings":            `.s as $s | [.l[] | $s + "a"] | sort | length`,
		"sorting shared large strings":     `.s as $s | [.l[] | $s] | sort | unique | length`,
		"comparing large strings":          `.s as $s | ($s + "") as $t | [.l[] | . as $x | $s == $t] | length`,
		"lengths of a large string":        `.s as $s | . as $r | [.l[] | $r.l[] | $s | length] | length`,
		"character of a large string":      `.s as $s | . as $r | [.l[] | $r.l[] | $s | .[-1]] | length`,
		"slice of a large string":          `.s as $s | . as $r | [.l[] | $r.l[] | $s | .[5:]] | length`,
		"large key":                        `.s as $s | .o as $o | . as $r | [.l[] | $r.l[] | $o[$s]] | length`,
		"large key tested":                 `.s as $s | .o as $o | . as $r | [.l[] | $r.l[] | $o | has($s)] | length`,
		"subtracting lists":                `.o as $o | [$o[]] as $l | [.l[] | $l - $l] | length`,
		"searching lists":                  `[.o[]] as $l | [.l[] | $l | indices([1,2,3])] | length`,
		"searching a list in itself":       `[.o[]] | indices(.)`,
		"index by a list":                  `[.o[]] as $l | $l[$l]`,
		"searching text":                   `.s | indices("xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxy")`,
		"containing text":                  `.s as $s | [.l[] | $s | contains($s)] | length`,
		"transposing a tall list":          `[.l, (.l[] | [])] | [., .] | .[0] | transpose | length`,
		"transposing a taller list":        `.l as $l | [$l, (.o[] | [])] | transpose | length`,
		"path of long getpath":             `[.o[]|"k"] as $p | [path(null | getpath($p) | (1,2,3)?)] | length`,
		"many paths of long getpath":       `[.o[]|"k"] as $p | . as $r | [path($r | null | getpath($p))?] | length`,
		"paths of a list":                  `[path(.l[]) as $p | path(.l[])] | length`,
		"parentheses":                      strings.Repeat("(", 2000) + "1" + strings.Repeat(")", 2000),
		"brackets":                         strings.Repeat("[", 2040) + "." + strings.Repeat("]", 2040),
		"suffixes":                         "." + strings.Repeat("[0]", 1300),
		"computed suffixes":                "." + strings.Repeat("[0+0]", 800),
		"many commas":                      "[" + strings.TrimSuffix(strings.Repeat("1,", 2000), ",") + "]|length",
		"many interpolations in each":      strings.Repeat(`"\(`, 800) + "1" + strings.Repeat(`)"`, 800),
		"many negations":                   strings.Repeat("-", 4000) + "1",
		"many tries":                       strings.Repeat("try ", 1000) + "error",
		"many optionals":                   ".a" + strings.Repeat("?", 4000),
		"many definitions":                 strings.Repeat("def f: 1;", 440) + "f",
		"many parameters":                  "def f(" + strings.TrimSuffix(strings.Repeat("a;", 1000), ";") + "): 1; 1",
		"many patterns":                    ". as " + strings.TrimSuffix(strings.Repeat("[$a]?//", 500), "?//") + "|$a",
		"many reduces":                     strings.Repeat("reduce .l[] as $x (0; ", 120) + "." + strings.Repeat(")", 120),
		"catching the bound":               `try (.l as $r | [$r[] | $r[] | $r[] | $r[]]) catch "caught"`,
		"catching the memory bound":        `try (reduce .l[] as $x ("x"; . + .)) catch "caught"`,
		"default after the memory bound":   `(reduce .l[] as $x ("x"; . + .)) // "caught"`,
		"optional memory bound":            `(reduce .l[] as $x ("x"; . + .))?, "caught"`,
		"many matches of a short text":     `.s[0:1000] as $s | [.l[] | $s | match(""; "g")] | length`,
		"nested matches of a short text":   `.s[0:1000] as $s | [$s | ` + doubled(`match("";"g") as $a | $s`, 100) + `] | length`,
		"matches of the whole, one by one": `.s as $s | [.l[] | $s | test("y")] | length`,
		"flattening in a row":              `[.l] | ` + doubled("[.,.]|flatten", 40),
		"grouping in a row":                `.l|` + doubled("group_by(.)", 300),
		"ltrimstr over and over":           `.s as $s | . as $r | [.l[] | $r.l[] | $s | ltrimstr($s)] | length`,
		"upper case over and over":         `.s as $s | [.l[] | $s | ascii_upcase] | length`,
		"limit of a large product":         `. as $r | [limit(1000000000; $r.l[] | $r.l[] | $r.l[])] | length`,
		"error of a large string":          `.s | error`,
		"error in every entry":             `[.l[] | . as $x | try error({a: $x}) catch .a] | add`,
	}
}

// TestHostile holds that nothing exceeds 2 seconds and 256 MiB and that what
// does not fit ends as Forbidden, Bound or a small result, never by the deadline.
func TestHostile(t *testing.T) {
	for _, divisor := range []int{1, 10} {
		t.Run(fmt.Sprint("input divided by ", divisor), func(t *testing.T) { testHostile(t, divisor) })
	}
}

func testHostile(t *testing.T, divisor int) {
	in := hostileInput(t, divisor)
	var slowest, largest string
	var longest time.Duration
	var most uint64
	for name, expression := range hostile() {
		outcome, size, took, used := measureHostile(t, expression, in)
		// A busy machine makes anything slow once: only what is slow each time is.
		for try := 0; took > 2*time.Second && try < 3; try++ {
			outcome, size, took, used = measureHostile(t, expression, in)
		}
		if took > 2*time.Second {
			t.Errorf("%s takes %v: %s", name, took, outcome)
		}
		if used > 256<<20 {
			t.Errorf("%s uses %d MiB: %s", name, used>>20, outcome)
		}
		if size > MaxBytes {
			t.Errorf("%s gives %d bytes", name, size)
		}
		if strings.Contains(outcome, "takes longer") {
			t.Errorf("%s: %s", name, outcome)
		}
		if took > longest {
			longest, slowest = took, name
		}
		if used > most {
			most, largest = used, name
		}
		if testing.Verbose() {
			t.Logf("%-34s %8v %5d MiB  %s", name, took.Round(100*time.Microsecond), used>>20, shorten(outcome, 90))
		}
	}
	t.Logf("slowest: %s %v; largest: %s %d MiB", slowest, longest, largest, most>>20)
}

func measureHostile(t *testing.T, expression string, in Input) (outcome string, size int, took time.Duration, used uint64) {
	t.Helper()
	runtime.GC()
	peak := watchHeap()
	start := time.Now()
	outcome, size = runHostile(t, expression, in)
	took = time.Since(start)
	return outcome, size, took, peak()
}

func runHostile(t *testing.T, expression string, in Input) (outcome string, size int) {
	t.Helper()
	p, err := Compile(expression)
	var results []any
	if err == nil {
		results, err = p.Run(t.Context(), in)
	}
	var failure *Error
	switch {
	case err == nil:
		for _, result := range results {
			size += len(encode(result))
		}
		return fmt.Sprintf("%d results, %d bytes", len(results), size), size
	case errors.As(err, &failure):
		return failure.Kind.String() + ": " + failure.Message, 0
	default:
		t.Errorf("%q gives %T", expression, err)
		return err.Error(), 0
	}
}

// watchHeap samples the heap and stacks until the function that it returns is
// called, which gives the largest growth seen.
func watchHeap() func() uint64 {
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	before := stats.HeapInuse + stats.StackInuse
	stop, result := make(chan struct{}), make(chan uint64)
	go func() {
		most := uint64(0)
		for {
			runtime.ReadMemStats(&stats)
			if now := stats.HeapInuse + stats.StackInuse; now > before {
				most = max(most, now-before)
			}
			select {
			case <-stop:
				result <- most
				return
			case <-time.After(2 * time.Millisecond):
			}
		}
	}()
	return func() uint64 {
		close(stop)
		return <-result
	}
}
