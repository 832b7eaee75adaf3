package source_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/workloadmap/wm/source"
)

// laughs is an alias bomb: each of its lists holds ten times the one before.
func laughs(levels int) string {
	var b strings.Builder
	b.WriteString("a0: &a0 [x]\n")
	for i := 1; i <= levels; i++ {
		fmt.Fprintf(&b, "a%d: &a%d [%s*a%d]\n", i, i, strings.Repeat(fmt.Sprintf("*a%d, ", i-1), 9), i-1)
	}
	return b.String()
}

// chain nests values through aliases only, one level a line.
func chain(levels int) string {
	var b strings.Builder
	b.WriteString("a0: &a0 [x]\n")
	for i := 1; i <= levels; i++ {
		fmt.Fprintf(&b, "a%d: &a%d {k: *a%d}\n", i, i, i-1)
	}
	return b.String()
}

func blockNesting(levels int) string {
	var b strings.Builder
	for i := range levels {
		b.WriteString(strings.Repeat(" ", i) + "a:\n")
	}
	return b.String()
}

// TestLimits gives one fault for what would exhaust the machine. Each takes
// milliseconds; the bound is for a machine that is busy.
func TestLimits(t *testing.T) {
	const deep, many, documents = "values are nested too deep", "too many values", "more than 10000 documents"
	for name, test := range map[string]struct{ content, want string }{
		"alias bomb":               {laughs(40), many},
		"quadratic aliases":        {"a: &a [" + strings.Repeat("x,", 20000) + "]\nb: [" + strings.Repeat("*a,", 20000) + "]\n", many},
		"aliases of a long text":   {"a: &a " + strings.Repeat("x", 1<<20) + "\nb: [" + strings.Repeat("*a,", 900) + "]\n", many},
		"chain of aliases":         {chain(600), deep},
		"brackets":                 {strings.Repeat("[", 1<<20), deep},
		"closed brackets":          {"a: " + strings.Repeat("[", 10000) + strings.Repeat("]", 10000), deep},
		"dashes":                   {strings.Repeat("- ", 1<<20), deep},
		"question marks":           {strings.Repeat("? ", 1<<20), deep},
		"block nesting":            {blockNesting(1000), deep},
		"JSON nesting":             {strings.Repeat(`{"a":`, 10000) + "1" + strings.Repeat("}", 10000), deep},
		"JSON lists":               {strings.Repeat("[", 10000) + strings.Repeat("]", 10000), deep},
		"values in a flow list":    {"[" + strings.Repeat("a,", 7<<20) + "]", many},
		"values in a JSON list":    {"[" + strings.Repeat("1,", source.MaxNodes) + "1]", many},
		"keys":                     {strings.Repeat("a:\n", 2<<20), many},
		"documents":                {strings.Repeat("a: 1\n---\n", 100000), documents},
		"JSON documents":           {strings.Repeat("{}\n", 100000), documents},
		"broken JSON documents":    {strings.Repeat("{\"a\n", 100000), documents},
		"long key":                 {strings.Repeat("k", 1<<20) + ": 1\n", "a key of more than 1024 characters"},
		"file size":                {strings.Repeat(" ", source.MaxFileSize+1), "the file is too large"},
		"long name of an alias":    {"*" + strings.Repeat("a", 1<<20), "has no anchor"},
		"long tag":                 {"!" + strings.Repeat("a", 1<<20), "has no meaning"},
		"zero byte":                {"a: b\x00", "this is not text (byte 0x00 at offset 4)"},
		"not UTF-8":                {"a: \xff", "this is not text (byte 0xff at offset 3)"},
		"UTF-16":                   {"\xff\xfea\x00", "the file is encoded as UTF-16"},
		"executable":               {"\x7fELF\x02\x01\x01\x00\x00", "this is not text (byte 0x00 at offset 7)"},
		"U+FFFF":                   {"a: \uffff", "U+FFFE and U+FFFF are not characters"},
		"C1 control":               {"a: \u0080", "control character U+0080"},
		"marker after a separator": {"a: 1\u2028--- x\n", "a document marker follows a line separator"},
	} {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			found, faults := source.Parse("a.yaml", []byte(test.content))
			if took := time.Since(start); took > 5*time.Second {
				t.Errorf("took %v", took)
			}
			if len(found) != 0 || len(faults) != 1 || !strings.Contains(faults[0].Message, test.want) {
				t.Fatalf("got %d documents and %v, want one fault that says %q", len(found), faults, test.want)
			}
			if len(faults[0].Error()) > 250 || strings.Contains(faults[0].Error(), "\n") {
				t.Errorf("the fault is not one short line: %.300s", faults[0])
			}
		})
	}
}

// TestLargeInput reads what is large and in order.
func TestLargeInput(t *testing.T) {
	nested := func(levels int) string { return strings.Repeat("[", levels) + strings.Repeat("]", levels) }
	for name, content := range map[string]string{
		"long line":     "a: " + strings.Repeat("é", 1<<20),
		"long quotes":   `a: "` + strings.Repeat(`é\n`, 1<<18) + `"`,
		"long JSON key": `{"` + strings.Repeat("k", 1<<20) + `": 1}`,
		"one JSON line": "[" + strings.Repeat(`{"é": 1}, `, 100000) + "1]",
		"block scalar":  "a: |\n" + strings.Repeat("  text\n", 1<<18),
		"duplicates":    strings.Repeat("a: 1\n", 30000),
		"merges":        "x: &x {a: 1}\ny:\n" + strings.Repeat("  <<: *x\n", 20000),
		"depth":         "a: " + nested(source.MaxDepth-1),
		"JSON depth":    nested(source.MaxDepth),
	} {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			documents, faults := source.Parse("a.yaml", []byte(content))
			if len(documents) != 1 || len(faults) != 0 {
				t.Fatalf("got %d documents and %v", len(documents), faults)
			}
			count := 0
			for range documents[0].Root().Items() {
				count++
			}
			for _, value := range documents[0].Root().Fields() {
				value.Range()
				count++
			}
			if took := time.Since(start); count == 0 || took > 10*time.Second {
				t.Errorf("%d values in %v", count, took)
			}
		})
	}
}

func TestNothing(t *testing.T) {
	for _, content := range []string{"", "\n", "  \t\r\n", "\ufeff", "# comment", "---\n", "---\n---\n...\n# x\n...\n", "\u0085"} {
		if documents, faults := source.Parse("a.yaml", []byte(content)); len(documents) != 0 || len(faults) != 0 {
			t.Errorf("%q: got %v and %v, want nothing", content, documents, faults)
		}
	}
}

// TestIndex counts broken documents and skips empty ones.
func TestIndex(t *testing.T) {
	documents, faults := source.Parse("a.yaml", []byte("a: 1\n---\n# empty\n---\nb: [\n---\nc: 2\n--- {}\n"))
	if len(documents) != 3 || len(faults) != 1 {
		t.Fatalf("got %d documents and %v", len(documents), faults)
	}
	for i, want := range []int{0, 2, 3} {
		if got := documents[i].Index(); got != want {
			t.Errorf("document at %v has index %d, want %d", documents[i].Range(), got, want)
		}
	}
}
