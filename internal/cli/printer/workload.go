package printer

import (
	"fmt"
	"io"
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
	if w.Namespace != "" {
		name = w.Namespace + "/" + w.Name
	}
	phase := string(w.Phase)
	if w.NativePhase != nil && *w.NativePhase != "" {
		phase += fmt.Sprintf(" (%s)", *w.NativePhase)
	}
	fmt.Fprintf(out, "%s %s  %s\n", w.Kind, name, phase)
	fmt.Fprintf(out, "read with %s (%s)\n\n", w.Definition.Name, w.Definition.Origin)
	if err := roles(w).write(out); err != nil {
		return err
	}
	for _, claim := range w.Resources.Claims {
		fmt.Fprintf(out, "resource claim %s: %d\n", claim.Name, claim.Count)
	}
	for _, problem := range w.Problems {
		fmt.Fprintf(out, "problem: %s %s: %s%s\n", problem.Component, problem.Field, problem.Message, quoted(problem.Expression))
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
	t.add(append([]string{"TOTAL", number(w.Replicas.Desired), "", strconv.FormatInt(total.GPUs, 10)},
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
	} else {
		t.table.add(indent + branch + label)
		for i := range c.Instances {
			leaf := "├─ "
			if i == len(c.Instances)-1 && len(c.Components) == 0 {
				leaf = "└─ "
			}
			t.row(indent+below+leaf+c.Instances[i].ID, c.Logical, &c.Instances[i])
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
	t.table.add(append([]string{label, number(instance.Replicas.Desired), perPod, all},
		quantities(instance.Total, t.others)...)...)
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
