package source_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/workloadmap/wm/source"
)

// A case is a pair of files in one of testdata/positions/*.txtar: NAME.yaml or
// NAME.json and NAME.want. The lines of the latter are
//
//	as CHANGE...                             what happens to the input first: crlf, cr, bom, cut (the last line break)
//	json VALUE                               the value of the next document; there is one for every document
//	value POINTER START-END SLICE            where a value is, and what stands there
//	key POINTER START-END SLICE              where its key is
//	anchor POINTER START-END SLICE           where the anchor is that the path went through
//	text POINTER FROM:TO START-END SLICE     where bytes FROM to TO of the decoded text are
//	missing POINTER MATCHED START-END        the deepest node reached, and after how many segments
//	is POINTER KIND TAG [plain|quoted|block|flow]
//	duplicate KEY FIRST SECOND               in file order; all of them
//	error START-END MESSAGE                  in file order; all of them
//
// A pointer may start with the number of the document and a colon; "." is the
// document itself and ␣ a space. SLICE is quoted as in Go.
type testCase struct {
	name  string // path of the txtar file and name in it
	file  string
	input []byte
	want  []string
}

func readCases(t testing.TB) []testCase {
	t.Helper()
	paths, err := filepath.Glob("testdata/positions/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	var cases []testCase
	for _, path := range paths {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i < len(archive.Files); i += 2 {
			input := archive.Files[i]
			name := strings.TrimSuffix(input.Name, filepath.Ext(input.Name))
			if i+1 == len(archive.Files) || archive.Files[i+1].Name != name+".want" || name+".want" == input.Name {
				t.Fatalf("%s: %s is not followed by %s.want", path, input.Name, name)
			}
			c := testCase{name: filepath.Base(path) + "/" + name, file: input.Name, input: input.Data}
			for _, line := range strings.Split(string(archive.Files[i+1].Data), "\n") {
				if changes, ok := strings.CutPrefix(line, "as "); ok {
					c.input = change(t, c.input, strings.Fields(changes))
				} else if line != "" {
					c.want = append(c.want, line)
				}
			}
			cases = append(cases, c)
		}
	}
	return cases
}

func change(t testing.TB, input []byte, changes []string) []byte {
	for _, c := range changes {
		switch c {
		case "crlf":
			input = bytes.ReplaceAll(input, []byte("\n"), []byte("\r\n"))
		case "cr":
			input = bytes.ReplaceAll(input, []byte("\n"), []byte("\r"))
		case "bom":
			input = append([]byte("\ufeff"), input...)
		case "cut":
			input = bytes.TrimSuffix(input, []byte("\n"))
		default:
			t.Fatalf("unknown change %q", c)
		}
	}
	return input
}

func TestPositions(t *testing.T) {
	cases := readCases(t)
	if len(cases) < 60 {
		t.Errorf("%d cases were read, there were more", len(cases))
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			documents, faults := source.Parse(c.file, c.input)
			r := result{c: c, documents: documents}
			for _, fault := range faults {
				r.errors = append(r.errors, fmt.Sprintf("error %s %s", span(fault.Range), fault.Message))
			}
			for _, d := range documents {
				value, err := json.Marshal(d.Value())
				if err != nil {
					t.Fatal(err)
				}
				r.values = append(r.values, "json "+string(value))
				for _, duplicate := range d.Duplicates() {
					r.duplicates = append(r.duplicates, fmt.Sprintf("duplicate %s %s %s", duplicate.Key, span(duplicate.First), span(duplicate.Second)))
				}
			}
			var values, errors, duplicates []string
			for _, line := range c.want {
				switch word, _, _ := strings.Cut(line, " "); word {
				case "json":
					values = append(values, line)
				case "error":
					errors = append(errors, line)
				case "duplicate":
					duplicates = append(duplicates, line)
				default:
					r.check(t, strings.Fields(line), line)
				}
			}
			for _, pair := range [][2][]string{{values, r.values}, {errors, r.errors}, {duplicates, r.duplicates}} {
				if diff := cmp.Diff(pair[0], pair[1]); diff != "" {
					t.Errorf("(-want +got)\n%s", diff)
				}
			}
			if !t.Failed() {
				checkProperties(t, c.input)
			}
		})
	}
}

type result struct {
	c                          testCase
	documents                  []*source.Document
	values, errors, duplicates []string
}

func (r *result) check(t *testing.T, words []string, line string) {
	t.Helper()
	if len(words) < 2 {
		t.Fatalf("%q has too few words", line)
	}
	pointer, number := words[1], 0
	if before, after, ok := strings.Cut(pointer, ":"); ok && !strings.HasPrefix(pointer, "/") {
		number, _ = strconv.Atoi(before)
		pointer = after
	}
	if pointer == "." {
		pointer = ""
	}
	if number >= len(r.documents) {
		t.Fatalf("%q: there are %d documents, errors: %v", line, len(r.documents), r.errors)
	}
	pointer = strings.ReplaceAll(pointer, "␣", " ")
	n, matched := r.documents[number].Pointer(pointer)
	if words[0] != "missing" && pointer != "" && matched != strings.Count(pointer, "/") {
		t.Errorf("%q: only %d segments lead somewhere", line, matched)
		return
	}
	got := words[0] + " " + words[1] + " "
	switch words[0] {
	case "value":
		got += r.slice(n.Range())
	case "key":
		got += r.slice(n.KeyRange())
	case "anchor":
		anchor, ok := n.Anchor()
		if !ok {
			t.Errorf("%q: there is no anchor", line)
		}
		got += r.slice(anchor.Range())
	case "text":
		var from, to int
		if _, err := fmt.Sscanf(words[2], "%d:%d", &from, &to); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		got += words[2] + " " + r.slice(n.TextRange(from, to))
	case "missing":
		got += fmt.Sprintf("%d %s", matched, span(n.Range()))
	case "is":
		got += fmt.Sprintf("%s %s", n.Kind(), n.Tag())
		for name, is := range map[string]bool{"plain": n.Plain(), "quoted": n.Quoted(), "block": n.Block(), "flow": n.Flow()} {
			if is {
				got += " " + name
			}
		}
	default:
		t.Fatalf("unknown line %q", line)
	}
	if got != line {
		t.Errorf("\n got %s\nwant %s", got, line)
	}
}

func span(r source.Range) string {
	return fmt.Sprintf("%d:%d-%d:%d", r.Start.Line, r.Start.Column, r.End.Line, r.End.Column)
}

func (r *result) slice(at source.Range) string {
	return fmt.Sprintf("%s %q", span(at), r.c.input[at.Start.Offset:at.End.Offset])
}
