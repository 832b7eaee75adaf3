package source_test

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	kubernetes "sigs.k8s.io/yaml"

	"github.com/workloadmap/wm/source"
)

// seeds cover every style, marker and trap once; testdata/positions is added.
var seeds = []string{
	"", "\ufeff# c\n", "a: 1\n---\nb: [1, {c: d}]\n...\n# x\n",
	"a: &x {b: 'it''s', c: \"a\\tb\\u00e9\"}\nd: *x\n<<: *x\ne: [*x, *x]\n",
	"t: |-\n  one\n   two\n\n  three\nf: >+\n  a\n  b\n\n   c\n\n",
	"plain: first\n  second\n\n  third # end\nq: 'a\n  b\n\n  c'\nd: \"a \\\n  b\n  c\"\n",
	"? a\n: b\n? - not a key\n", "1: x\n'1': y\n", "yes: on\n0x10: 1_000\n1.50: z\n~: n\n",
	"{\"a\": [1, 2.5, -0, 1e3, 12345678901234567890], \"b\": \"\\ud83d\\ude00\\/\"}{}\n[null, true]\n",
	"{\"a\": 1,}", "{\n\t\"a\": 1}\n", "a: x\u2028  b\n", "a: \"x\u0085 y\"\nb: c\n", "日本: {日: 'é', z: \"\U0001F600 x\"}\n",
	"a: b\r\nc: |\r\n  d\r\n  e\re: f", "%YAML 1.2\n---\na: b\n", "a: [1, 2\n", "\ta: b\n", "a: !!str 1\nb: ! 2\nc: !x 3\nd: !!int '4'\n",
	"a: &r [*r]\n", "- - - a\n    - b\n  -\n-\n", "a:\n- b\n-  c: d\n   e:\nf: !!null\ng: &h\n", "x: |2\n    a\n   b\n", "--- >\n a\n b\n--- 'x'\n",
	"a: 1\n<<: {a: 2, b: 3}\n", "<<: [{a: 1}, {a: 2}]\na: &b 1\n*b : 2\n", "k: .inf\n", "k: 123456789012345678901234567890\n", "-0.0: a\n", "{\"\\\n\"", "! 20000000000000000001", "[a: b, ? c, {d}, [e: ]]\n",
}

func FuzzParse(f *testing.F) {
	for _, seed := range seeds {
		f.Add([]byte(seed))
	}
	for _, c := range readCases(f) {
		f.Add(c.input)
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		if len(content) > 1<<16 {
			return
		}
		checkProperties(t, content)
	})
}

// checkProperties holds a parse against what must be true for any input.
func checkProperties(t *testing.T, content []byte) {
	t.Helper()
	documents, faults := source.Parse("fuzz.yaml", content)
	size := len(content)
	for _, fault := range faults {
		checkRange(t, size, fault.Range)
		if fault.Message == "" || strings.Contains(fault.Message, "\n") || strings.Contains(fault.Message, "unmarshal") {
			t.Errorf("fault has the message %q", fault.Message)
		}
	}
	before := -1
	for _, d := range documents {
		if d.Index() <= before {
			t.Errorf("document %d follows document %d", d.Index(), before)
		}
		before = d.Index()
		w := walker{t: t, content: content, document: d}
		w.value(d.Root(), d.Value())
		w.written(d.Root())
	}
	if len(documents) == 1 && len(faults) == 0 {
		checkValue(t, content, documents[0].Value())
	}
}

func checkRange(t *testing.T, size int, r source.Range) {
	t.Helper()
	if r.Start.Offset < 0 || r.End.Offset < r.Start.Offset || r.End.Offset > size || r.Start.Line < 1 || r.Start.Column < 1 {
		t.Errorf("range %+v is not in a file of %d bytes", r, size)
	}
}

// checkValue compares a lone document with what the readers of kubectl make of
// the whole file.
func checkValue(t *testing.T, content []byte, got any) {
	t.Helper()
	content = bytes.TrimPrefix(content, []byte("\ufeff"))
	text := content
	// Only what starts with a bracket is taken for JSON, as kubectl does.
	bracket := bytes.IndexAny(bytes.TrimLeft(content, " \t\r\n"), "{[") == 0
	if !bracket || !json.Valid(content) {
		var err error
		if text, err = kubernetes.YAMLToJSON(content); err != nil {
			// Markers and the YAML 1.2 directive are handled before sigs sees the text.
			return
		}
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var want any
	if err := decoder.Decode(&want); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(normal(want), normal(got)); diff != "" && !bytes.Contains(content, []byte("---")) && !bytes.Contains(content, []byte("...")) {
		t.Errorf("value differs from kubectl's (-kubectl +ours):\n%s", diff)
	}
}

// normal makes numbers comparable by their value.
func normal(value any) any {
	switch value := value.(type) {
	case map[string]any:
		out := map[string]any{}
		for k, v := range value {
			out[k] = normal(v)
		}
		return out
	case []any:
		out := make([]any, len(value))
		for i, v := range value {
			out[i] = normal(v)
		}
		return out
	case int64:
		return "number " + strconv.FormatInt(value, 10)
	case float64:
		return number(value)
	case json.Number:
		if i, err := value.Int64(); err == nil {
			return "number " + strconv.FormatInt(i, 10)
		}
		f, err := value.Float64()
		if err != nil {
			return "number " + value.String()
		}
		return number(f)
	}
	return value
}

func number(f float64) string {
	if f == math.Trunc(f) && math.Abs(f) < 1<<53 {
		return "number " + strconv.FormatInt(int64(f), 10)
	}
	return "number " + strconv.FormatFloat(f, 'g', -1, 64)
}

type walker struct {
	t        *testing.T
	content  []byte
	document *source.Document
	steps    int
}

// value walks the JSON value and looks up the node of everything in it.
func (w *walker) value(n source.Node, value any) {
	if w.steps++; w.steps > 2000 {
		return
	}
	found, matched := w.document.Find(n.Path()...)
	if matched != len(n.Path()) || found.Range() != n.Range() || found.KeyRange() != n.KeyRange() {
		w.t.Errorf("Find(%v) leads to %v, walking to %v", n.Path(), found.Range(), n.Range())
	}
	if found, _ := w.document.Pointer(n.Pointer()); found.Range() != n.Range() {
		w.t.Errorf("Pointer(%q) leads to %v, walking to %v", n.Pointer(), found.Range(), n.Range())
	}
	kind, tag := source.Scalar, n.Tag()
	switch value := value.(type) {
	case map[string]any:
		kind = source.Mapping
		for key, v := range value {
			child, matched := n.Find(key)
			if matched != 1 {
				w.t.Errorf("%v has no node for the key %q", n.Path(), key)
				continue
			}
			w.value(child, v)
		}
		tag = "!!map"
	case []any:
		kind = source.Sequence
		i := 0
		for child := range n.Items() {
			w.value(child, value[i])
			i++
		}
		if i != len(value) {
			w.t.Errorf("%v has %d items, want %d", n.Path(), i, len(value))
		}
		tag = "!!seq"
	case string:
		tag = "!!str"
		if n.Text() != value {
			w.t.Errorf("%v has the text %q, want %q", n.Path(), n.Text(), value)
		}
	case bool:
		tag = "!!bool"
	case nil:
		tag = "!!null"
	}
	if n.Kind() != kind || n.Tag() != tag {
		w.t.Errorf("%v is a %v %s, want a %v %s", n.Path(), n.Kind(), n.Tag(), kind, tag)
	}
}

// written walks the tree as written and checks its ranges.
func (w *walker) written(n source.Node) {
	if w.steps++; w.steps > 4000 {
		return
	}
	r := n.Range()
	checkRange(w.t, len(w.content), r)
	checkRange(w.t, len(w.content), n.KeyRange())
	if _, aliased := n.Anchor(); aliased {
		if text := string(w.content[r.Start.Offset:r.End.Offset]); !strings.HasPrefix(text, "*") {
			w.t.Errorf("%v goes through an alias, its range is %q", n.Path(), text)
		}
		return
	}
	var last source.Range
	inside := func(child source.Node) {
		c := child.Range()
		if c.Start.Offset < r.Start.Offset || c.End.Offset > r.End.Offset {
			w.t.Errorf("%v: %v to %v is outside of its parent %v to %v", child.Path(), c, c.End, r, r.End)
		}
		if c.Start.Offset < last.End.Offset {
			w.t.Errorf("%v at %v overlaps what ends at %v", child.Path(), c, last.End)
		}
		last = c
		w.written(child)
	}
	switch n.Kind() {
	case source.Mapping:
		for key, value := range n.Fields() {
			inside(key)
			inside(value)
			if value.KeyRange() != key.Range() {
				w.t.Errorf("%v: key at %v, KeyRange %v", value.Path(), key.Range(), value.KeyRange())
			}
		}
	case source.Sequence:
		for item := range n.Items() {
			inside(item)
		}
	case source.Scalar:
		w.scalar(n)
	}
}

// scalar checks that the range of a scalar holds the scalar and nothing else.
func (w *walker) scalar(n source.Node) {
	r := n.Range()
	slice := string(w.content[r.Start.Offset:r.End.Offset])
	whole := n.TextRange(0, len(n.Text()))
	if whole.Start.Offset < r.Start.Offset || whole.End.Offset > r.End.Offset {
		w.t.Errorf("%v: text range %v outside of %v", n.Path(), whole, r)
	}
	for i := 0; i < len(n.Text()) && i < 50; i++ {
		part := n.TextRange(i, i+1)
		if part.Start.Offset < r.Start.Offset || part.End.Offset > r.End.Offset {
			w.t.Errorf("%v: text range %v outside of %v", n.Path(), part, r)
		}
		if c := n.Text()[i]; c > ' ' && c < 0x7f && part != r && part.End.Offset == part.Start.Offset+1 && w.content[part.Start.Offset] != c {
			w.t.Errorf("%v: byte %d of %q is %q in the file", n.Path(), i, n.Text(), w.content[part.Start.Offset])
		}
	}
	if n.Block() {
		if slice[0] != '|' && slice[0] != '>' {
			w.t.Errorf("%v: block scalar starts with %q", n.Path(), slice)
		}
		return
	}
	if n.Plain() && !strings.ContainsAny(slice, "\r\n\u0085\u2028\u2029") && slice != n.Text() {
		w.t.Errorf("%v: range holds %q, text is %q", n.Path(), slice, n.Text())
	}
	w.reparse(n, slice)
}

// reparse reads the slice of a scalar again, in the place of a value. Text that
// is folded depends on what is around it, and so does plain text with
// indicators in it.
func (w *walker) reparse(n source.Node, slice string) {
	tagged := bytes.ContainsRune(w.content, '!')
	if slice == "" || strings.ContainsAny(slice, "\r\n\u0085\u2028\u2029") || n.Plain() && (tagged || strings.ContainsAny(slice, ",[]{}:?#-")) {
		return
	}
	documents, faults := source.Parse("slice.yaml", []byte("- "+slice+"\n"))
	if len(faults) > 0 { // a string of JSON may have escapes that YAML has not
		documents, faults = source.Parse("slice.json", []byte("["+slice+"]"))
	}
	if len(faults) > 0 || len(documents) != 1 {
		w.t.Errorf("%v: slice %q cannot be read: %v", n.Path(), slice, faults)
		return
	}
	again, _ := documents[0].Find(0)
	if again.Text() != n.Text() || again.Tag() != n.Tag() && !tagged {
		w.t.Errorf("%v: slice %q reads as %q %s, want %q %s", n.Path(), slice, again.Text(), again.Tag(), n.Text(), n.Tag())
	}
}
