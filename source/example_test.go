package source_test

import (
	"fmt"

	"github.com/workloadmap/wm/source"
)

func Example() {
	documents, faults := source.Parse("job.yaml", []byte(`kind: Job
spec:
  replicas: '.spec.groups["worker"].size'
---
kind: [Job
`))
	for _, document := range documents {
		expression, _ := document.Find("spec", "replicas")
		// Bytes 14 to 20 of the expression are the word worker.
		where := expression.TextRange(14, 20)
		fmt.Println(document.Value())
		fmt.Printf("%s at %v\n", expression.Text()[14:20], where)
	}
	for _, fault := range faults {
		fmt.Println(fault)
	}
	// Output:
	// map[kind:Job spec:map[replicas:.spec.groups["worker"].size]]
	// worker at 3:28
	// job.yaml:5:7: this `[` is never closed
}
