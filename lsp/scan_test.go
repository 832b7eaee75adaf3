package lsp

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/workloadmap/wm/api/v1alpha1"
	"github.com/workloadmap/wm/source"
)

// documents are the definitions of the catalog, which people laid out.
func documents(t *testing.T) map[string]string {
	t.Helper()
	files, err := filepath.Glob("../catalog/*.yaml")
	if err != nil || len(files) < 30 {
		t.Fatalf("%d files in the catalog, error %v", len(files), err)
	}
	contents := map[string]string{}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		contents[filepath.Base(file)] = string(content)
	}
	return contents
}

// TestPlacesAgreeWithTheParser compares the scanner, which sees only what stands
// before the cursor, with the reader of whole documents.
func TestPlacesAgreeWithTheParser(t *testing.T) {
	compared := 0
	for name, content := range documents(t) {
		for _, lineBreak := range []string{"\n", "\r\n"} {
			if lineBreak == "\r\n" && !strings.HasPrefix(name, "ray-io-") {
				continue
			}
			content := strings.ReplaceAll(content, "\n", lineBreak)
			parsed, faults := source.Parse(name, []byte(content))
			if len(faults) > 0 {
				t.Fatal(faults[0])
			}
			for _, document := range parsed {
				eachValue(document.Root(), func(node source.Node) {
					compared++
					comparePlace(t, content, node)
				})
			}
		}
	}
	if compared < 3000 {
		t.Errorf("only %d places were compared", compared)
	}
}

func comparePlace(t *testing.T, content string, node source.Node) {
	t.Helper()
	path := node.Path()
	if key := node.KeyRange(); key.Start != key.End {
		p := placeAt(content, key.End.Offset)
		want := place{path: path[:len(path)-1], key: true, written: path[len(path)-1].(string), start: key.Start.Offset}
		if !p.key || cmp.Diff(want.path, p.path) != "" || p.written != want.written || p.start != want.start {
			t.Errorf("%s: behind the key the scanner has %+v, want %+v", key, p, want)
		}
	}
	if node.Kind() != source.Scalar {
		return
	}
	// The last character of a text in quotes is outside of it.
	end := node.Range().End.Offset
	if node.Quoted() {
		end--
	}
	p := placeAt(content, end)
	if cmp.Diff(path, p.path) != "" || p.key && !p.item || node.Plain() && p.written != node.Text() {
		t.Errorf("%s: behind the value the scanner has %+v, want the path %v and %q", node.Range(), p, path, node.Text())
	}
}

// eachValue visits the values that are written where they are used.
func eachValue(node source.Node, visit func(source.Node)) {
	for _, value := range node.Fields() {
		if _, alias := value.Anchor(); !alias {
			visit(value)
			eachValue(value, visit)
		}
	}
	for item := range node.Items() {
		if _, alias := item.Anchor(); !alias {
			visit(item)
			eachValue(item, visit)
		}
	}
}

// TestExpressionsAreWhereTheFormatHasThem holds the names that the server takes
// for those of expressions against the format's own list.
func TestExpressionsAreWhereTheFormatHasThem(t *testing.T) {
	compared := 0
	for name, content := range documents(t) {
		parsed, _ := source.Parse(name, []byte(content))
		for _, document := range parsed {
			definition, err := v1alpha1.Decode(document.Value())
			if err != nil {
				t.Fatal(err)
			}
			expressions := map[string]v1alpha1.Expression{}
			for _, e := range definition.Expressions() {
				node, _ := document.Find(e.Path...)
				expressions[node.Pointer()] = e
				if field := fieldAt(e.Path); field == nil || !field.scalar() {
					t.Errorf("%s: the schema says nothing about %v", name, e.Path)
				}
			}
			eachValue(document.Root(), func(node source.Node) {
				if node.Kind() != source.Scalar {
					return
				}
				e, is := expressions[node.Pointer()]
				if is != isExpression(node.Path()) {
					t.Errorf("%s: %s is an expression: %t", name, node.Pointer(), is)
				}
				if is && (e.On == v1alpha1.OnPod) != onPods(node.Path()) {
					t.Errorf("%s: %s is evaluated on %s", name, node.Pointer(), e.On)
				}
				compared++
			})
		}
	}
	if compared < 1000 {
		t.Errorf("only %d values were compared", compared)
	}
}

func TestPlaces(t *testing.T) {
	for _, test := range []struct {
		name, before string
		want         place
	}{
		{"nothing", "", place{key: true}},
		{"a key", "ki", place{key: true, written: "ki"}},
		{"below a key", "spec:\n  str", place{path: []any{"spec"}, key: true, written: "str", start: 8}},
		{"beside a key", "spec:\n  a: 1\n  b", place{path: []any{"spec"}, key: true, written: "b", start: 15}},
		{"an empty line below", "spec:\n  ", place{path: []any{"spec"}, key: true, start: 8}},
		{"an empty line at the margin", "spec:\n", place{key: true, start: 6}},
		{"a value", "spec: ", place{path: []any{"spec"}, start: 6}},
		{"an item", "- a\n- ", place{path: []any{1}, key: true, item: true, start: 6}},
		{"an item at the margin of its key", "l:\n- a: 1\n  b", place{path: []any{"l", 0}, key: true, written: "b", start: 12}},
		{"lists in lists", "- - a\n  - b", place{path: []any{0, 1}, key: true, item: true, written: "b", start: 10}},
		{"after such a list", "l:\n- a\nm", place{key: true, written: "m", start: 7}},
		{"in brackets", "k: {a: 1, b", place{path: []any{"k"}, key: true, written: "b", start: 10}},
		{"a value in brackets", "k: {a: [x, y", place{path: []any{"k", "a", 1}, written: "y", start: 11}},
		{"JSON", `{"a": {"b": "c`, place{path: []any{"a", "b"}, written: "c", quote: '"', start: 12}},
		{"JSON without blanks", `{"a":{"b":[1,{"c`, place{path: []any{"a", "b", 1}, key: true, written: "c", quote: '"', start: 14}},
		{"an apostrophe", "k: 'it''s", place{path: []any{"k"}, written: "it's", quote: '\'', start: 3}},
		{"quotes in quotes", `k: "\"`, place{path: []any{"k"}, written: `"`, quote: '"', start: 3}},
		{"behind quotes", `k: "v" `, place{path: []any{"k"}, quote: '#', start: 6}},
		{"a text of lines", "k: |\n  a: b\n  c", place{path: []any{"k"}, written: "  a: b\n  c", quote: '|', start: 5}},
		{"behind a text of lines", "k: |\n  a: b\nc", place{key: true, written: "c", start: 12}},
		{"a comment", "k: 1\n  # a: b", place{path: []any{"k"}, quote: '#', start: 7}},
		{"an anchor", "k: &a .st", place{path: []any{"k"}, written: ".st", start: 6}},
		{"the next document", "a: 1\n---\nb: ", place{path: []any{"b"}, start: 12}},
		{"unclosed quotes", "a:\n  b: \"x\n  c: y", place{path: []any{"a", "c"}, written: "y", start: 16}},
		{"unclosed brackets", "a:\n  b: {x: [\n  c: y", place{path: []any{"a", "c"}, written: "y", start: 19}},
		{"behind a byte order mark", "\ufeffki", place{key: true, written: "ki", start: 3}},
		{"a closing bracket too many", "a: }\nb", place{key: true, written: "b", start: 5}},
	} {
		got := placeAt(test.before, len(test.before))
		if len(got.path) == 0 {
			got.path = nil
		}
		if diff := cmp.Diff(test.want, got, cmp.AllowUnexported(place{})); diff != "" {
			t.Errorf("%s, %q:\n%s", test.name, test.before, diff)
		}
	}
}

func TestKeysAround(t *testing.T) {
	content := "a: 1\nspec:\n  x: {p: 1}\n  \n  y:\n    z: 1\nb: 2\n---\nc: 3\n"
	at := strings.Index(content, "  \n") + 2
	for _, test := range []struct {
		path []any
		want []string
	}{{[]any{}, []string{"a", "b", "spec"}}, {[]any{"spec"}, []string{"x", "y"}}, {[]any{"spec", "x"}, []string{"p"}}} {
		var got []string
		for key := range keysAround(content, at, test.path, -1) {
			got = append(got, key)
		}
		slices.Sort(got)
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%v: %s", test.path, diff)
		}
	}
}

// TestHostileLayouts holds that time grows with the length of a text, whatever
// is in it: each of these has about 300 kB.
func TestHostileLayouts(t *testing.T) {
	for _, unit := range []string{"- ", "{a: ", "[", "a:\n", "\n", "k: {\n", "'", "k: |\n", "&a ", "a: \"\n", "- - a\n", "}", "# x\n", "---\n"} {
		content := "k: [" + strings.Repeat(unit, 300_000/len(unit))
		for _, content := range []string{content, content[4:]} {
			started := time.Now()
			p := placeAt(content, len(content))
			keysAround(content, len(content), p.path, -1)
			if took := time.Since(started); took > 3*time.Second {
				t.Errorf("%q repeated took %s", unit, took)
			}
		}
	}
}

// FuzzPlace holds that the scanner has an answer for every text.
func FuzzPlace(f *testing.F) {
	for _, seed := range []string{"a:\n  - b: [{c: 'd\n", "}", "- - -", "k: |\n\n  x", "\"a\": {", "---\n---", "a: \"\\", "[{]}", "[,:"} {
		f.Add(seed, len(seed))
	}
	f.Fuzz(func(t *testing.T, content string, offset int) {
		if offset < 0 || offset > len(content) {
			return
		}
		p := placeAt(content, offset)
		if p.start < 0 || p.start > offset {
			t.Errorf("the place starts at %d of %d", p.start, offset)
		}
		keysAround(content, offset, p.path, p.start)
	})
}
