package rules

import (
	"fmt"
	"sync"

	"github.com/workloadmap/wm/api/v1alpha1"
	"github.com/workloadmap/wm/jq"
	"github.com/workloadmap/wm/lint"
	"github.com/workloadmap/wm/schema/index"
)

// podPathReadsRoot speaks where the type checker does not: nothing is known of
// the root's kind, but pods are always pods.
func podPathReadsRoot() lint.Rule {
	pod := sync.OnceValue(func() index.Type {
		found, err := index.Find(v1alpha1.GroupVersionKind{Version: "v1", Kind: "Pod"})
		if err != nil {
			return index.Type{}
		}
		return found.Root()
	})
	return lint.Rule{
		ID: "WM410", Name: "pod-path-reads-root", Severity: lint.Error,
		Summary: "A selector, key or filter reads a field that pods do not have.",
		Check: func(d *lint.Definition, report lint.Report) {
			faults := typeFaultPlaces(d)
			for _, e := range d.Expressions {
				if e.On != v1alpha1.OnPod || e.Program == nil || hasFault(faults, e) {
					continue
				}
				if field := firstUnknown(e.Program.Syntax(), pod()); field != nil {
					report(e.Node.TextRange(field.MarkStart, field.MarkEnd),
						fmt.Sprintf("a pod has no field `%s`", e.Text[field.Start:field.End]),
						"selectors, keys and filters read a pod, not the workload: read a label that the operator sets on its pods")
				}
			}
		},
	}
}

// firstUnknown follows the fields that the expression reads first and gives the
// one that the type does not have.
func firstUnknown(n *jq.Node, t index.Type) *jq.Node {
	for n.Kind == jq.NodePipe || n.Kind == jq.NodeBind || n.Kind == jq.NodeBinary && len(n.Args) > 0 {
		n = n.Args[0]
	}
	var chain []*jq.Node
	for n.Kind == jq.NodeField || n.Kind == jq.NodeIndex || n.Kind == jq.NodeIterate || n.Kind == jq.NodeSlice {
		chain = append(chain, n)
		n = n.Args[0]
	}
	if n.Kind != jq.NodeIdentity {
		return nil
	}
	for i := len(chain) - 1; i >= 0; i-- {
		if chain[i].Kind != jq.NodeField {
			return nil
		}
		field, exists, closed := t.Field(chain[i].Name)
		if !exists && closed {
			return chain[i]
		}
		if !exists || field.Kind() != index.Object {
			return nil
		}
		t = field
	}
	return nil
}
