package jq

import (
	"fmt"
	"slices"
	"sync"

	"github.com/itchyny/gojq"
)

// librarySource replaces the functions whose cost arises inside: between
// collecting keys and sorting by them, or while a result is put together. The
// functions with one underscore are the engine's own.
const librarySource = `
def __add(f): [f] | __made | __addable | add | __made;
def __error(f): error(f | __thrown);
def __getpath(f): getpath(f | __steps);
def __in(s): any(__compared(s; .) | .[0] == .[1]; .);
def __in(left; right): any(__compared(left; right) | .[0] == .[1]; .);
def __keys(f): __iterable | map([f]) | __made | __sortable;
def __sort_by(f): _sort_by(__keys(f));
def __group_by(f): _group_by(__keys(f));
def __unique_by(f): _unique_by(__keys(f));
def __min_by(f): _min_by(__keys(f));
def __max_by(f): _max_by(__keys(f));
def __map_values(f):
  if type == "object" then
    __entries | [keys[] as $key | first(.[$key] | f) | {($key): .}] | __made | add // {}
  else
    __iterable | [.[] | first(f)] | __made
  end;
def __replacements($re; f; $flags):
  [match($re; $flags) | [.offset, .length, [.captures | _captures | f]]] | __made;
def __sub($re; f; $flags): __substituted(__replacements($re; f; $flags)) | .[];
def __sub($re; f): __sub($re; f; null);
def __gsub($re; f; $flags): __sub($re; f; $flags + "g");
def __gsub($re; f): __sub($re; f; "g");
`

// definition is one replacement and the replacements that it calls itself.
type definition struct {
	*gojq.FuncDef
	calls []signature
}

// parsedLibrary is librarySource in its order: each definition calls only
// earlier ones.
var parsedLibrary = sync.OnceValue(func() []definition {
	q, err := gojq.Parse(librarySource)
	if err != nil {
		panic(fmt.Sprintf("jq: the library of this package is not valid: %v", err))
	}
	var definitions []definition
	for _, define := range q.FuncDefs {
		d := definition{FuncDef: define}
		for _, e := range visit(define.Body).events {
			if e.call != nil {
				d.calls = append(d.calls, signature{e.call.Name, len(e.call.Args)})
			}
		}
		definitions = append(definitions, d)
	}
	return definitions
})

// definitionsOf gives the replacements with these signatures and those that
// they call, in the order of the library. Callers must not change them.
func definitionsOf(called map[signature]bool) []*gojq.FuncDef {
	var needed []*gojq.FuncDef
	for _, d := range slices.Backward(parsedLibrary()) {
		if !called[signature{d.Name, len(d.Args)}] {
			continue
		}
		needed = append(needed, d.FuncDef)
		for _, inner := range d.calls {
			called[inner] = true
		}
	}
	slices.Reverse(needed)
	return needed
}
