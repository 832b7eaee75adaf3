package importer_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/workloadmap/wm/testkit/importer"
)

// Input made to keep a machine busy ends soon: 3,000 states of a Job with
// 3,000 pods would be nine million objects, and a name of a megabyte has half a
// million places at which a host could begin.
func TestHostileInputEndsSoon(t *testing.T) {
	const job = "{apiVersion: batch/v1, kind: Job, metadata: {name: j, uid: 11111111-2222-4333-8444-555555555555}, status: {active: %d}}"
	var crowd strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&crowd, "- {apiVersion: v1, kind: Pod, metadata: {name: p-%d, ownerReferences: [{controller: true, kind: Job, name: j, uid: 11111111-2222-4333-8444-555555555555}]}}\n", i)
	}
	for i := range 3000 {
		fmt.Fprintf(&crowd, "- "+job+"\n", i)
	}
	long := strings.Repeat("a.", 1<<19)
	tests := map[string]struct{ input, want string }{
		"many states of many pods": {crowd.String(), "crowd.yaml: a case of all these states holds more than 20000 objects: cut it down to the states that matter"},
		"long name":                {fmt.Sprintf("{apiVersion: batch/v1, kind: Job, metadata: {name: j, annotations: {a: %q, host: a.b.corp}}}", "https://"+long+"b.corp"), ""},
	}
	set := catalogSet(t)
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			_, err := importer.Import("crowd.yaml", []byte(test.input), importer.Options{Definitions: set, Name: "a"})
			if got := fmt.Sprint(err); test.want != "" && got != test.want || test.want == "" && err != nil {
				t.Errorf("got %v, want %s", err, test.want)
			}
			// About a second on a machine that has nothing else to do.
			if took := time.Since(start); took > 30*time.Second {
				t.Errorf("it took %v", took)
			}
		})
	}
}
