package printer

import (
	"fmt"
	"io"
	"slices"
	"sort"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/workloadmap/wm/resolver"
)

// Workloads writes the tree of each workload for people, an empty line between.
func Workloads(out io.Writer, workloads []*resolver.Workload) error {
	for i, w := range workloads {
		if i > 0 {
			fmt.Fprintln(out)
		}
		if err := workload(out, w); err != nil {
			return err
		}
	}
	return nil
}

func workload(out io.Writer, w *resolver.Workload) error {
	name := w.Name
	if name == "" {
		name = "(no name)"
	}
	if w.Namespace != "" {
		name = w.Namespace + "/" + name
	}
	phase := string(w.Phase)
	if w.NativePhase != nil && *w.NativePhase != "" {
		phase += fmt.Sprintf(" (%s)", *w.NativePhase)
	}
	line(out, "%s %s  %s", w.Kind, name, phase)
	line(out, "read with %s (%s)", w.Definition.Name, w.Definition.Origin)
	fmt.Fprintln(out)
	if err := roles(w).write(out); err != nil {
		return err
	}
	gangLines(out, w.Gangs)
	if len(w.Unattributed) > 0 {
		line(out, "pods that no role claims: %s", strings.Join(w.Unattributed, ", "))
	}
	if len(w.Ambiguous) > 0 {
		line(out, "pods that several roles claim: %s", strings.Join(w.Ambiguous, ", "))
	}
	for _, claim := range w.Resources.Claims {
		line(out, "resource claim %s: %d", claim.Name, claim.Count)
	}
	for _, problem := range w.Problems {
		line(out, "problem: %s %s: %s%s", problem.Component, problem.Field, problem.Message, quoted(problem.Expression))
	}
	return nil
}

func quoted(expression string) string {
	if expression == "" {
		return ""
	}
	return "  in " + strings.Join(strings.Fields(expression), " ")
}

// roles is the tree of components with one row for each instance and a total.
func roles(w *resolver.Workload) *table {
	others := otherResources(w)
	header := []string{"ROLE", "PODS", "GPUS/POD", "GPUS", "CPU", "MEMORY"}
	t := &table{}
	t.add(append(header, others...)...)
	tree := treeWriter{table: t, others: others}
	for i := range w.Components {
		tree.component(&w.Components[i], "", i == len(w.Components)-1)
	}
	total := &w.Resources
	t.add(append([]string{"TOTAL", pods(w.Replicas.Ready, w.Replicas.Desired), "", strconv.FormatInt(total.GPUs, 10)},
		quantities(total, others)...)...)
	return t
}

type treeWriter struct {
	table  *table
	others []string
}

func (t treeWriter) component(c *resolver.Component, indent string, last bool) {
	branch, below := "├─ ", "│  "
	if last {
		branch, below = "└─ ", "   "
	}
	label := c.Name
	single := len(c.Instances) == 1 && c.Instances[0].ID == ""
	if single {
		t.row(indent+branch+label, c.Logical, &c.Instances[0])
		t.podRows(&c.Instances[0], indent+below)
	} else {
		t.table.add(indent + branch + label)
		for i := range c.Instances {
			leaf, belowLeaf := "├─ ", "│  "
			if i == len(c.Instances)-1 && len(c.Components) == 0 {
				leaf, belowLeaf = "└─ ", "   "
			}
			t.row(indent+below+leaf+c.Instances[i].ID, c.Logical, &c.Instances[i])
			t.podRows(&c.Instances[i], indent+below+belowLeaf)
		}
	}
	for i := range c.Components {
		t.component(&c.Components[i], indent+below, i == len(c.Components)-1)
	}
}

func (t treeWriter) row(label string, logical bool, instance *resolver.Instance) {
	if logical {
		if n := instance.Replicas.Desired; n != nil {
			label += fmt.Sprintf(" ×%d", *n)
		}
		t.table.add(label)
		return
	}
	perPod, all := "-", "-"
	if instance.PerReplica != nil {
		perPod = strconv.FormatInt(instance.PerReplica.GPUs, 10)
	}
	if instance.Total != nil {
		all = strconv.FormatInt(instance.Total.GPUs, 10)
	}
	t.table.add(append([]string{label, pods(instance.Replicas.Ready, instance.Replicas.Desired), perPod, all},
		quantities(instance.Total, t.others)...)...)
}

// pods writes ready/desired, or desired alone when no pods were seen.
func pods(ready, desired *int64) string {
	if ready == nil {
		return number(desired)
	}
	return number(ready) + "/" + number(desired)
}

// maxPods is how many pods of an instance are listed; those in trouble come first.
const maxPods = 10

// podRows lists the pods of an instance, those in trouble first.
func (t treeWriter) podRows(instance *resolver.Instance, indent string) {
	listed := slices.Clone(instance.Pods)
	slices.SortStableFunc(listed, func(a, b resolver.Pod) int { return trouble(a) - trouble(b) })
	for i, pod := range listed {
		if i == maxPods {
			t.table.add(fmt.Sprintf("%s· and %d more", indent, len(listed)-maxPods))
			return
		}
		state := pod.Phase
		if pod.Reason != "" {
			state = pod.Reason
		}
		row := fmt.Sprintf("%s· %s  %s", indent, pod.Name, state)
		if pod.Node != "" {
			row += "  " + pod.Node
		}
		t.table.add(row)
	}
}

func trouble(pod resolver.Pod) int {
	switch {
	case pod.Ready:
		return 2
	case pod.Reason == "":
		return 1
	default:
		return 0
	}
}

func quantities(resources *resolver.Resources, others []string) []string {
	cells := make([]string, 0, 2+len(others))
	for _, name := range append([]string{"cpu", "memory"}, others...) {
		cell := "-"
		if resources != nil {
			if quantity, ok := resources.Requests[corev1.ResourceName(name)]; ok {
				cell = quantity.String()
			}
		}
		cells = append(cells, cell)
	}
	return cells
}

// otherResources are the requested resources that need a column of their own:
// all but cpu and memory, and accelerators only where the GPUS column does not
// already say which they are.
func otherResources(w *resolver.Workload) []string {
	var others []string
	for name := range w.Resources.Requests {
		if name != corev1.ResourceCPU && name != corev1.ResourceMemory && name != "nvidia.com/gpu" {
			others = append(others, string(name))
		}
	}
	sort.Strings(others)
	return others
}

// number writes a count, "?" when it is not known.
func number(n *int64) string {
	if n == nil {
		return "?"
	}
	return strconv.FormatInt(*n, 10)
}
