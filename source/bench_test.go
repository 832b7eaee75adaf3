package source_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/workloadmap/wm/source"
)

// definition is a text of the size and shape of a definition: 80 lines.
func definition() []byte {
	var b strings.Builder
	b.WriteString("apiVersion: workloadmap.dev/v1alpha1\nkind: WorkloadMap\nmetadata:\n  name: example\nspec:\n  children: # roles\n")
	for i := range 12 {
		fmt.Fprintf(&b, "  - name: role-%d\n    path: '.spec.roles[\"r%d\"].template'\n    scale:\n      replicas: .spec.roles[%d].replicas // 1\n    status: {type: Ready, value: \"True\"}\n    note: |\n", i, i, i)
	}
	return []byte(strings.ReplaceAll(b.String(), "note: |\n", "paused: false\n"))
}

func BenchmarkParseDefinition(b *testing.B) {
	content := definition()
	b.SetBytes(int64(len(content)))
	for b.Loop() {
		if documents, faults := source.Parse("a.yaml", content); len(documents) != 1 || len(faults) != 0 {
			b.Fatal(faults)
		}
	}
}

// list is a List of pods of about the given size, as kubectl prints it.
func list(bytes int) []byte {
	var b strings.Builder
	b.WriteString("apiVersion: v1\nkind: List\nitems:\n")
	for i := 0; b.Len() < bytes; i++ {
		fmt.Fprintf(&b, `- apiVersion: v1
  kind: Pod
  metadata:
    name: worker-%d
    creationTimestamp: "2026-01-01T00:00:00Z"
    labels:
      app: train
      index: "%d"
  spec:
    containers:
    - name: main
      image: example/image:v1
      resources:
        limits:
          nvidia.com/gpu: 8
  status:
    phase: Running
    conditions:
    - type: Ready
      status: "True"
`, i, i)
	}
	return []byte(b.String())
}

func BenchmarkParseList(b *testing.B) {
	for _, size := range []int{1 << 20, 5 << 20} {
		content := list(size)
		b.Run(fmt.Sprintf("%dMB", size>>20), func(b *testing.B) {
			b.SetBytes(int64(len(content)))
			for b.Loop() {
				if documents, faults := source.Parse("a.yaml", content); len(documents) != 1 || len(faults) != 0 {
					b.Fatal(faults)
				}
			}
		})
	}
}
