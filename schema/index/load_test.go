package index_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/workloadmap/wm/schema/index"
)

// file is an index with a root and definitions.
func file(root, defs string) string {
	return fmt.Sprintf(`{"format":"workloadmap.dev/index/1","kind":{"group":"example.com","version":"v1","kind":"Thing"},`+
		`"core":%q,"root":%s,"defs":{%s}}`, index.Core().ID(), root, defs)
}

func TestLoadRefuses(t *testing.T) {
	var doubling, chain strings.Builder
	doubling.WriteString(`"a0":{"f":{"x":"string"}}`)
	chain.WriteString(`"a0":{"f":{"x":"string"}}`)
	for i := range 2000 {
		if i < 60 {
			fmt.Fprintf(&doubling, `,"a%d":{"f":{"x":"#a%d","y":"#a%d"}}`, i+1, i, i)
		}
		fmt.Fprintf(&chain, `,"a%d":{"t":"#a%d","f":{"y":"string"}}`, i+1, i)
	}
	for _, test := range []struct{ name, content, want string }{
		{"no JSON", "kind: Thing", "not an index: line 1: this is no JSON at \"kind: Thin\""},
		{"cut off", `{"format": "workloadmap.dev/index/1",`, "not an index: line 1: the JSON ends too early"},
		{"more behind it", file(`"string"`, "") + "x", "nothing may follow"},
		{"deep JSON", strings.Repeat("[", 100_000), "nested deeper than"},
		{"endless list", file(`"`+strings.Repeat("[]", 1_000_000)+`string"`, ""), "longer than 4096 bytes"},
		{"unknown key", file(`{"t":"string","x":1}`, ""), `there is no key "x" in a type`},
		{"field twice", file(`{"f":{"a":"string","a":"object"}}`, ""), `field "a" is there twice`},
		{"definition twice", file(`"string"`, `"a":"string","a":"object"`), `"a" is there twice`},
		{"enum of lists", file(`{"t":"string","e":[[]]}`, ""), "e: a single value is needed, this is a list"},
		{"other JSON", `{"kind": "RayCluster"}`, `not an index: its format is ""`},
		{"other format", `{"format": "something/1"}`, `not an index: its format is "something/1"`},
		{"strange version", `{"format": "workloadmap.dev/index/x"}`, "not an index"},
		{"newer", `{"format": "workloadmap.dev/index/2"}`, "the index has format version 2, this wm reads up to 1"},
		{"other core types", `{"format": "workloadmap.dev/index/1", "core": "abc"}`, `refers to core types "abc"`},
		{"incomplete", fmt.Sprintf(`{"format": "workloadmap.dev/index/1", "core": %q}`, index.Core().ID()), "incomplete"},
		{"unknown type", file(`"strng"`, ""), `there is no type "strng"`},
		{"unknown core type", file(`"PodSpek"`, ""), `there is no type "PodSpek"`},
		{"unknown definition", file(`"#x"`, ""), `there is no definition "x"`},
		{"wrong shape", file(`{"f": []}`, ""), "f: an object is needed, this is a list"},
		{"list of nothing", file(`"list"`, ""), "a list does not say what it holds"},
		{"itself", file(`"#x"`, `"x":{"f":{"x":"#x"}}`), "a type contains itself"},
		{"itself through its base", file(`"#x"`, `"x":{"t":"#y"},"y":{"t":"#x"}`), "a type contains itself"},
		{"itself in a list", file(`"#x"`, `"x":"[]#x"`), "a type contains itself"},
		{"doubling", file(`"#a60"`, doubling.String()), "it describes more than 500000 types"},
		{"chain of bases", file(`"#a2000"`, chain.String()), "nested deeper than 500 levels"},
		{"base that is no object", file(`{"t":"#x","f":{"y":"string"}}`, `"x":{"t":"[]string","k":["a"]}`), "not a plain object"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := index.Load([]byte(test.content))
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Fatalf("error %v, want one with %q", err, test.want)
			}
			if strings.Contains(err.Error(), "\n") || strings.Contains(err.Error(), "unmarshal") || strings.Contains(err.Error(), "Go ") {
				t.Errorf("error %v is no plain line", err)
			}
		})
	}
}

func FuzzLoad(f *testing.F) {
	f.Add(file(`{"t":"PodSpec","g":["containers"],"f":{"x":"#a"}}`, `"a":{"t":"[]string","d":[1,2.5,null]}`))
	f.Add(file(`{"t":"#b","l":["x"],"r":[]}`, `"b":{"r":["x"],"f":{"x":{"t":"string","e":["a",1,null],"n":true}}}`))
	f.Add(file(`"{}#b"`, `"b":{"o":true}`))
	f.Fuzz(func(t *testing.T, content string) {
		loaded, err := index.Load([]byte(content))
		if err != nil {
			return
		}
		// What can be loaded can be walked, described and made again as the same.
		index.Describe(loaded.Root())
		again, err := index.New(loaded.Kind(), loaded.Root().Schema())
		if err != nil {
			return
		}
		if changes := index.Compare(loaded, again); len(changes) > 0 {
			t.Errorf("the index changed: %v", changes)
		}
	})
}
