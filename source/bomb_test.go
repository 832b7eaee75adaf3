package source_test

import (
	"fmt"
	"github.com/workloadmap/wm/source"
	"runtime"
	"strings"
	"testing"
	"time"
)

func TestBomb(t *testing.T) {
	laughs := "a0: &a0 [lol,lol]\n"
	for i := 1; i < 40; i++ {
		laughs += fmt.Sprintf("a%d: &a%d [%s*a%d]\n", i, i, strings.Repeat(fmt.Sprintf("*a%d, ", i-1), 9), i-1)
	}
	quad := "a: &a [" + strings.Repeat("x,", 20000) + "]\nb: [" + strings.Repeat("*a,", 20000) + "]\n"
	strs := "a: &a " + strings.Repeat("x", 10<<20) + "\nb: [" + strings.Repeat("*a,", 900) + "]\n"
	var mapchain strings.Builder
	mapchain.WriteString("m0: &m0 {a: 1}\n")
	for i := 1; i < 100000; i++ {
		fmt.Fprintf(&mapchain, "m%d: &m%d {<<: *m%d}\n", i, i, i-1)
	}
	var anch strings.Builder
	anch.WriteString("m0: &m0 [x]\n")
	for i := 1; i < 3000; i++ {
		fmt.Fprintf(&anch, "m%d: &m%d [*m%d]\n", i, i, i-1)
	}
	var blk strings.Builder
	for i := 0; i < 10000; i++ {
		blk.WriteString(strings.Repeat(" ", i) + "a:\n")
		if blk.Len() > 15<<20 {
			break
		}
	}
	cases := map[string]string{"laughs": laughs, "quad": quad, "strs": strs, "mapchain": mapchain.String(), "anch": anch.String(), "block": blk.String(),
		"brackets": strings.Repeat("[", 15<<20), "braces": strings.Repeat("{a: ", 3<<20), "dashes": strings.Repeat("- ", 7<<20), "q": strings.Repeat("? ", 7<<20),
		"jsonbr": strings.Repeat("{\"a\":", 3<<20), "docs": strings.Repeat("a: 1\n---\n", 100000), "ndjson": strings.Repeat("{}\n", 100000), "line": "a: " + strings.Repeat("x", 15<<20), "lineq": "a: \"" + strings.Repeat("é\\n", 3<<20) + "\"",
		"key": strings.Repeat("k", 1<<20) + ": 1\n", "keyq": "\"" + strings.Repeat("k", 1<<20) + "\": 1\n", "jsonkey": "{\"" + strings.Repeat("k", 1<<20) + "\": 1}\n",
		"items2": "[" + strings.Repeat("a,", 1990000) + "]", "itemsj2": "[" + strings.Repeat("1,", 1990000) + "1]", "items": "[" + strings.Repeat("a,", 7<<20) + "]", "itemsj": "[" + strings.Repeat("1,", 7<<20) + "1]", "itemsq": "a: [" + strings.Repeat("é,", 200000) + "]", "comments": strings.Repeat("# x\n", 3<<20), "spaces": strings.Repeat(" ", 15<<20), "newlines": strings.Repeat("\n", 15<<20), "colons": strings.Repeat("a:\n", 5<<20), "block scalar": "a: |\n" + strings.Repeat("  xxxxxxxxxxxx\n", 1<<20), "anchors": strings.Repeat("- &a\n", 2<<20), "dup": strings.Repeat("a: 1\n", 200000), "numkeys": func() string {
			var b strings.Builder
			for i := 0; i < 200000; i++ {
				fmt.Fprintf(&b, "%d.5: 1\n", i)
			}
			return b.String()
		}(), "unclosed": "{\"" + strings.Repeat("a\n{\"", 1<<20), "linequote": strings.Repeat("'", 15<<20), "tabs": strings.Repeat("\t", 15<<20), "stars": strings.Repeat("*", 10<<20), "excl": strings.Repeat("!", 10<<20), "pct": "%" + strings.Repeat("a", 10<<20), "badflow": "a: [" + strings.Repeat("x ", 5<<20) + "\n", "exprs": "a: [" + strings.Repeat(".x,\n", 1<<20) + ".m[0]]\n", "unclosedjson": strings.Repeat("[\n", 2<<20), "merge": "x: &x {a: 1}\ny:\n" + strings.Repeat("  <<: *x\n", 100000),
	}
	for name, s := range cases {
		var m0, m1 runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m0)
		t0 := time.Now()
		ds, es := source.Parse(name+".yaml", []byte(s))
		d := time.Since(t0)
		runtime.ReadMemStats(&m1)
		e := ""
		if len(es) > 0 {
			e = es[0].Error()
			if len(e) > 150 {
				e = e[:150]
			}
			if strings.Contains(name, "xx") {
				fmt.Println(es)
			}
		}
		fmt.Printf("%-12s %8d B %8v alloc %5d MB docs %d errs %d %s\n", name, len(s), d.Round(time.Millisecond), (m1.TotalAlloc-m0.TotalAlloc)>>20, len(ds), len(es), e)
	}
}
